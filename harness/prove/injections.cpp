#include "harness/prove/injections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reports/model/finding_id.hpp"
#include "reports/model/reason_id.hpp"

namespace rackproof::prove {
namespace {

using config::Placement;
using model::Outcome;
using model::Scalar;
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

struct Flip {
  const char* bench;
  const char* backend;
  Placement placement;
  std::vector<std::string> arguments;
  config::Expectation expect;
};

std::vector<Flip> host_flips() {
  return {
      {"stream",
       "host",
       Placement::kNode,
       {"--type", "double", "--variant", "plain", "--domain", "node", "--elements", "1000003",
        "--iterations", "3"},
       {"stream.triad",
        {{"type", {Scalar("double")}},
         {"variant", {Scalar("plain")}},
         {"domain", {Scalar("node")}}},
        "",
        true,
        ""}},
      {"gemm",
       "host",
       Placement::kNode,
       {"--dtype", "fp64", "--shape", "256", "--seconds", "0.1"},
       {"gemm.rate",
        {{"dtype", {Scalar("fp64")}},
         {"m", {Scalar(std::int64_t{256})}},
         {"n", {Scalar(std::int64_t{256})}},
         {"k", {Scalar(std::int64_t{256})}}},
        "",
        true,
        ""}},
      {"burn",
       "host",
       Placement::kNode,
       {"--dtype", "fp64", "--seconds", "1", "--window", "0.5", "--size", "256",
        "--memory-fraction", "0.002"},
       {"burn.rate", {{"dtype", {Scalar("fp64")}}}, "", true, ""}},
      {"align",
       "host",
       Placement::kNode,
       {"--queries", "1", "--subjects", "64", "--seconds", "0", "--sample-cells", "100000"},
       {"align.rate",
        {{"matrix", {Scalar("BLOSUM62")}},
         {"gap", {Scalar("11,1")}},
         {"data", {Scalar("drawn")}},
         {"query", {Scalar("all")}}},
        "",
        true,
        ""}},
      {"collectives",
       "mpi",
       Placement::kWorld,
       {"--ops", "all_reduce", "--dtypes", "float", "--redops", "sum", "--begin", "1024", "--end",
        "1024", "--min-seconds", "0.01"},
       {"all_reduce.busbw",
        {{"bytes", {Scalar(std::int64_t{1024})}},
         {"dtype", {Scalar("float")}},
         {"redop", {Scalar("sum")}},
         {"ranks", {Scalar("$ranks")}}},
        "",
        true,
        ""}},
      {"pairs",
       "mpi",
       Placement::kWorld,
       {"--sizes", "4096", "--tests", "latency", "--samples", "5"},
       {"pairs.latency_median",
        {{"bytes", {Scalar(std::int64_t{4096})}}, {"ranks", {Scalar("$ranks")}}},
        "",
        true,
        ""}},
  };
}

// What such a step expects is told by the failed check, whatever its parameters are.
std::vector<Flip> device_flips() {
  const auto any = [](const char* metric) { return config::Expectation{metric, {}, "", true, ""}; };
  return {
      {"stream", "cuda", Placement::kDevice, {"--iterations", "3"}, any("stream.triad")},
      {"gemm",
       "cuda",
       Placement::kDevice,
       {"--dtype", "fp32", "--seconds", "0.5"},
       any("gemm.rate")},
      {"burn",
       "cuda",
       Placement::kDevice,
       {"--dtype", "fp32", "--seconds", "2", "--window", "1", "--memory-fraction", "0.1"},
       any("burn.rate")},
      {"align",
       "cuda",
       Placement::kDevice,
       {"--subjects", "16384", "--seconds", "0"},
       any("align.rate")},
      {"copy", "cuda", Placement::kNode, {}, any("copy.h2d")},
      {"collectives",
       "nccl",
       Placement::kWorld,
       {"--ops", "all_reduce", "--begin", "1024", "--end", "1024"},
       any("all_reduce.busbw")},
      {"pairs", "nccl", Placement::kWorld, {"--sizes", "4096"}, any("pairs.latency_median")},
  };
}

// What a bench is asked to do wrong.
struct Wrong {
  const char* name;
  const char* planted;
  std::vector<std::string> arguments;
};

std::vector<Wrong> wrongs_of(std::string_view bench) {
  std::vector<Wrong> all = {{"flipped bit",
                             "bit 3 of element 77 of a result is another (bitflip:77:3)",
                             {"--inject", kFlip}}};
  if (bench != "align") return all;
  all.push_back(
      {"wrong score", "an entry of the table of scores is another", {"--fault", "table"}});
  all.push_back({"lost tile", "a block of subjects is never aligned", {"--fault", "tile"}});
  all.push_back({"early stop", "the end of each query is not reached", {"--fault", "stop"}});
  all.push_back({"wrong letter", "a residue of a subject is another", {"--fault", "letter"}});
  return all;
}

Injection made_wrong(const Flip& flip, const Wrong& wrong, const Setting& setting) {
  const std::string program = fmt::format("{}-{}", flip.bench, flip.backend);
  Injection one;
  one.name = fmt::format("{} in {}", wrong.name, program);
  one.planted = wrong.planted;
  one.step = step_of(one.name, flip.bench, flip.backend, flip.arguments);
  one.step.arguments.insert(one.step.arguments.end(), wrong.arguments.begin(),
                            wrong.arguments.end());
  one.step.placement = flip.placement;
  const bool on_devices = one.step.backend == "cuda" || one.step.backend == "nccl";
  one.step.needs_device = on_devices && flip.placement == Placement::kNode;
  one.step.members = on_devices ? config::Members::kDevices : config::Members::kRanks;
  one.step.expect.push_back(flip.expect);
  one.demand = {Outcome::kFail, {reason_id::kWrongAnswer}, "", true};
  if (!setting.programs.contains(program)) {
    one.missing = "this build has no " + program;
  } else if (one.step.backend == "mpi" && setting.ranks < 2) {
    one.missing = "it needs at least two ranks of a launcher";
  }
  return one;
}

std::string why_no_device(const Flip& flip, const Setting& setting) {
  if (setting.devices == 0) return "there is no GPU here";
  // Each rank is a node of its own in a proof, and all of them would use the same GPUs at once.
  if (setting.ranks > 1) return "start rackproof prove alone on a GPU node for it";
  if (flip.placement == Placement::kWorld && setting.devices < 2) return "it needs two GPUs";
  return "";
}

}  // namespace

std::vector<Injection> injections(const Setting& setting) {
  std::vector<Injection> all = plays(setting);
  for (const Flip& flip : host_flips()) {
    for (const Wrong& wrong : wrongs_of(flip.bench)) {
      all.push_back(made_wrong(flip, wrong, setting));
    }
  }
  for (const Flip& flip : device_flips()) {
    for (const Wrong& wrong : wrongs_of(flip.bench)) {
      Injection one = made_wrong(flip, wrong, setting);
      if (one.missing.empty()) one.missing = why_no_device(flip, setting);
      all.push_back(std::move(one));
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
