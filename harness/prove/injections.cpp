#include "harness/prove/injections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reports/model/finding_id.hpp"
#include "reports/model/reason_id.hpp"

namespace rackproof::prove {
namespace {

using config::BenchProgram;
using config::OwnFault;
using config::Placement;
using contract::Scalar;
using model::Outcome;
namespace reason_id = model::reason_id;

constexpr const char* kFlip = "bitflip:77:3";
constexpr double kDeadline = 60;

std::string id_of(std::string name) {
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

config::Step step_of(const std::string& name, std::string bench, std::string backend,
                     std::vector<std::string> arguments) {
  config::Step step;
  step.id = id_of(name);
  step.title = name;
  step.bench = std::move(bench);
  step.backend = std::move(backend);
  step.arguments = std::move(arguments);
  step.deadline_seconds = kDeadline;
  step.grace_seconds = 2;
  return step;
}

// ---- what prove-host plays

Injection played(const std::string& name, const std::string& play, int who, std::string planted) {
  Injection one;
  one.name = name;
  one.planted = std::move(planted);
  if (who >= 0) one.guilty = {who};
  one.step = step_of(name, "prove", "host", {"--play", play});
  if (who >= 0) {
    one.step.arguments.insert(one.step.arguments.end(), {"--who", std::to_string(who)});
  }
  one.step.expect.push_back({"prove.time", {{"play", {Scalar(play)}}}, "", true, ""});
  return one;
}

Injection untested(const std::string& name, const std::string& play, int who,
                   std::set<std::string> reasons, std::string planted) {
  Injection one = played(name, play, who, std::move(planted));
  one.demand = {Outcome::kUntested, std::move(reasons), "", false};
  return one;
}

Injection failed(const std::string& name, const std::string& play, int who, std::string reason,
                 std::string planted) {
  Injection one = played(name, play, who, std::move(planted));
  one.demand = {Outcome::kFail, {std::move(reason)}, "", true};
  return one;
}

Injection control() {
  Injection one = played("control", "work", -1, "nothing: everybody must be right");
  one.demand = {Outcome::kVerified, {reason_id::kVerifiedGeneric}, "", false};
  return one;
}

Injection slow_rank(const Setting& setting, int who) {
  Injection one =
      played("slow rank", "slow", who, "one rank takes ten times as long as the others");
  one.demand = {Outcome::kFail, {reason_id::kPeerOutlier}, model::finding_id::kPeerOutlier, false};
  if (setting.ranks < kRanksForPeers) {
    one.missing = fmt::format("it takes at least {} ranks to tell who is slow, and there {} {}",
                              kRanksForPeers, setting.ranks == 1 ? "is" : "are", setting.ranks);
  }
  return one;
}

// Groups of four and more are compared each by itself; of less, the slower ones fail.
Injection two_groups(const Setting& setting) {
  const bool fails = setting.ranks < kRanksForGroups;
  Injection one =
      played("two groups", "halves", -1, "every second rank takes ten times as long as the others");
  for (int rank = 1; fails && rank < setting.ranks; rank += 2) one.guilty.insert(rank);
  one.demand = fails ? Demand{Outcome::kFail,
                              {reason_id::kPeerOutlier},
                              model::finding_id::kBimodalPeers,
                              false}
                     : Demand{Outcome::kVerified,
                              {reason_id::kVerifiedGeneric},
                              model::finding_id::kBimodalPeers,
                              false};
  if (setting.ranks < kRanksForPeers) {
    one.missing = fmt::format("it takes at least {} ranks to make two groups, and there {} {}",
                              kRanksForPeers, setting.ranks == 1 ? "is" : "are", setting.ranks);
  }
  return one;
}

Injection slow_small_message() {
  Injection one = untested("slow small message", "slow-small-message", -1, {reason_id::kDisturbed},
                           "a small message takes ten times as long as a large one");
  one.step.expect[0].each["bytes"] = {Scalar(std::int64_t{8}), Scalar(std::int64_t{1024})};
  one.demand.finding = model::finding_id::kUnsteady;
  return one;
}

Injection lost_rank(const Setting& setting, int who) {
  Injection one = untested("lost rank", "stop-rank", who, {reason_id::kRankLost},
                           fmt::format("one rank stands still for {:.0f} s", kStandstillSeconds));
  one.step.arguments.insert(one.step.arguments.end(),
                            {"--seconds", fmt::format("{:.0f}", kStandstillSeconds)});
  one.demand.finding = model::finding_id::kRankLost;
  if (setting.ranks < 2) one.missing = "there is one rank, and nobody to miss it";
  return one;
}

std::vector<Injection> plays(const Setting& setting) {
  // Not rank 0: it is the one that has to notice.
  const int who = setting.ranks - 1;
  std::vector<Injection> all = {control(), slow_rank(setting, who), two_groups(setting)};
  all.push_back(
      untested("crashed bench", "crash", who, {reason_id::kSignalled}, "a bench dies by SIGSEGV"));
  Injection hung =
      untested("hung bench", "hang", who, {reason_id::kTimedOut}, "a bench stops working");
  hung.step.deadline_seconds = 5;
  all.push_back(std::move(hung));
  all.push_back(untested("stale record", "stale-nonce", who, {reason_id::kGarbled},
                         "a bench shows the records of another run"));
  all.push_back(untested("second answer", "second-answer", who, {reason_id::kGarbled},
                         "a bench gives one number twice"));
  all.push_back(untested("not a number", "not-a-number", who, {reason_id::kGarbled},
                         "a bench gives NaN as its number"));
  all.push_back(untested("number without check", "no-check", who,
                         {reason_id::kGarbled, reason_id::kUnverified},
                         "a bench proves nothing of its number"));
  all.push_back(untested("no work", "no-work", who, {reason_id::kUnverified, reason_id::kGarbled},
                         "a bench checks nothing and says that it was right"));
  all.push_back(failed("wrong answer", "wrong-answer", who, reason_id::kWrongAnswer,
                       "a bench finds its own answer wrong"));
  all.push_back(failed("hidden wrong answer", "hidden-wrong-answer", who, reason_id::kWrongAnswer,
                       "a bench finds its own answer wrong and exits with 0"));
  Injection other =
      failed("wrong answer elsewhere", "other-wrong-answer", who, reason_id::kWrongAnswer,
             "a bench finds a wrong answer that no expected number rests on");
  other.demand.finding = model::finding_id::kFailedCheck;
  all.push_back(std::move(other));
  Injection good = untested("too good to be true", "too-good", who, {reason_id::kImplausible},
                            "a bench gives a number that no machine can have");
  good.demand.finding = model::finding_id::kImplausible;
  all.push_back(std::move(good));
  all.push_back(untested("number not of its samples", "other-statistic", who, {reason_id::kGarbled},
                         "a bench gives a number that its samples do not make"));
  all.push_back(untested("samples never sent", "unsent-samples", who, {reason_id::kGarbled},
                         "a bench names samples that it never sent"));
  all.push_back(untested("endless samples", "endless-samples", who, {reason_id::kGarbled},
                         "a bench gives four million samples in half a megabyte"));
  all.push_back(untested("scattered samples", "scattered", who, {reason_id::kDisturbed},
                         "half of a bench's samples take ten times as long as the others"));
  all.push_back(slow_small_message());
  return all;
}

// ---- wrong results of the real benches

bool on_devices(const BenchProgram& program) {
  return program.backend == "cuda" || program.backend == "nccl";
}

// What a program is asked to do wrong: all of them one thing, and some more of their own.
std::vector<OwnFault> faults_of(const BenchProgram& program) {
  std::vector<OwnFault> all = {{"flipped bit",
                                "bit 3 of element 77 of a result is another (bitflip:77:3)",
                                {"--inject", kFlip}}};
  all.insert(all.end(), program.faults.begin(), program.faults.end());
  return all;
}

config::Expectation expectation_of(const BenchProgram& program) {
  config::Expectation expect;
  expect.metric = program.metric;
  for (const auto& [name, value] : program.parameters) expect.each[name] = {value};
  return expect;
}

std::string why_not_here(const BenchProgram& program, const Setting& setting) {
  if (!setting.programs.contains(program.name())) return "this build has no " + program.name();
  if (!on_devices(program)) {
    if (setting.ranks >= program.members) return "";
    return fmt::format("it needs at least {} ranks of a launcher", program.members);
  }
  if (setting.devices == 0) return "there is no GPU here";
  // Each rank is a node of its own in a proof, and all of them would use the same GPUs at once.
  if (setting.ranks > 1) return "start rackproof prove alone on a GPU node for it";
  const int least = program.placement == Placement::kWorld ? 2 : 1;
  return setting.devices < least ? "it needs two GPUs" : "";
}

Injection made_wrong(const BenchProgram& program, const OwnFault& fault, const Setting& setting) {
  Injection one;
  one.name = fmt::format("{} in {}", fault.name, program.name());
  one.planted = fault.planted;
  one.step = step_of(one.name, program.bench, program.backend, program.brief);
  one.step.arguments.insert(one.step.arguments.end(), fault.arguments.begin(),
                            fault.arguments.end());
  one.step.placement = program.placement;
  one.step.needs_device = on_devices(program) && program.placement == Placement::kNode;
  one.step.members = on_devices(program) ? config::Members::kDevices : config::Members::kRanks;
  one.step.expect.push_back(expectation_of(program));
  one.demand = {Outcome::kFail, {reason_id::kWrongAnswer}, "", true};
  one.missing = why_not_here(program, setting);
  return one;
}

}  // namespace

std::vector<Injection> injections(const Setting& setting,
                                  const std::vector<BenchProgram>& benches) {
  std::vector<Injection> all = plays(setting);
  for (const bool devices : {false, true}) {
    for (const BenchProgram& program : benches) {
      if (on_devices(program) != devices) continue;
      for (const OwnFault& fault : faults_of(program)) {
        all.push_back(made_wrong(program, fault, setting));
      }
    }
  }
  all.push_back(lost_rank(setting, setting.ranks - 1));
  return all;
}

config::Suite suite_of(const std::vector<Injection>& all) {
  config::Suite suite;
  suite.info.id = "prove";
  suite.info.title = "Proof of the detectors";
  suite.info.policy.peer_outlier_fails = true;
  // A fault is there whatever else runs, and no number of these runs is kept: others may take all.
  suite.info.policy.disturbed = model::Disturbed::kRepeat;
  suite.info.policy.disturbed_share = 1;
  suite.purpose = "Plants faults and demands that each is found.";
  for (const Injection& one : all) {
    if (!one.missing.empty()) continue;
    suite.time_budget_seconds += one.step.deadline_seconds + one.step.grace_seconds;
    suite.steps.push_back(one.step);
  }
  suite.time_budget_seconds += kDeadline;
  return suite;
}

model::PlatformTable proof_table() {
  model::PlatformTable table;
  table.id = "proof";
  table.title = "Proof of the detectors: correctness and peers";
  table.chain = {table.id};
  table.generic = true;
  model::Baseline any;
  any.id = "verified";
  any.metric = "*";
  any.kind = model::BaselineKind::kCorrectness;
  any.source = {"Written for the proof: every answer must be right", "derived", "2026-11", "", ""};
  any.table = table.id;
  table.baselines.push_back(std::move(any));
  return table;
}

}  // namespace rackproof::prove
