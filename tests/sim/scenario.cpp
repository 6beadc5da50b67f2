#include "tests/sim/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace rackproof::sim {
namespace {

using config::Placement;

constexpr std::array<const char*, kBlows> kBlowNames = {
    "rank-crash", "rank-hang", "host-lost", "link-cut",    "message-loss",
    "delay",      "duplicate", "reorder",   "disk-full",   "sync-fails",
    "clock-jump", "interrupt", "late-rank", "cut-at-call", "warden-hangs"};

/// What is left out of campaigns of thousands of ranks: they cost seconds as it is.
constexpr int kManyRanks = 256;

config::Step draw_step(Draw& draw, int index, bool many) {
  config::Step step;
  step.id = fmt::format("s{}", index);
  step.title = step.id;
  const int kind = draw.below(many ? 4 : 6);
  step.bench = "fake";
  step.backend = "host";
  if (kind == 2) step.placement = Placement::kDevice;
  if (kind == 3) {
    step.placement = Placement::kWorld;
    step.bench = "ring";
    step.backend = "mpi";
  }
  if (kind >= 4) {
    step.placement = kind == 4 ? Placement::kWorld : Placement::kGroups;
    step.bench = "ring";
    step.backend = "nccl";
    step.members = draw.chance(0.5) ? config::Members::kRanks : config::Members::kDevices;
    step.bring_up_seconds = 10;
  }
  step.deadline_seconds = draw.between(15, 40);
  step.grace_seconds = draw.between(1, 5);
  step.attempts = draw.chance(0.5) ? 1 : 1 + draw.below(3);
  step.failure_stops_run = draw.chance(0.1);
  step.expect.push_back({kMetric, {}, "", draw.chance(0.9), ""});
  return step;
}

// About when everything of a campaign is over that nothing disturbs.
double about_seconds(const Scenario& scenario) {
  return 2 + 6 * static_cast<double>(scenario.suite.steps.size());
}

Fault draw_fault(Draw& draw, const Scenario& scenario) {
  Fault fault;
  // What ends a rank weighs more than the rest.
  static const std::vector<Blow> kUrn = {
      Blow::kRankCrash, Blow::kRankCrash, Blow::kRankHang,  Blow::kHostLost,   Blow::kHostLost,
      Blow::kLinkCut,   Blow::kLoss,      Blow::kDelay,     Blow::kDuplicate,  Blow::kReorder,
      Blow::kDiskFull,  Blow::kSyncFails, Blow::kClockJump, Blow::kInterrupt,  Blow::kInterrupt,
      Blow::kLate,      Blow::kCutAtCall, Blow::kCutAtCall, Blow::kWardenHangs};
  fault.blow = draw.pick(kUrn);
  // Rank 0 is one of many and knows the most.
  fault.rank = draw.chance(0.3) ? 0 : draw.below(scenario.ranks());
  fault.at = draw.between(0, about_seconds(scenario));
  fault.call = 1 + draw.below(draw.chance(0.5) ? 12 : 90);
  fault.power = draw.chance(0.4);
  switch (fault.blow) {
    case Blow::kLinkCut:
      fault.amount = draw.chance(0.5) ? draw.between(1, 30) : 1e9;
      break;
    case Blow::kLoss:
      fault.amount = draw.between(0.02, 0.5);
      break;
    case Blow::kDelay:
      fault.amount = draw.chance(0.3) ? draw.between(5, 40) : draw.between(0.1, 5);
      break;
    case Blow::kDuplicate:
    case Blow::kReorder:
      fault.amount = draw.between(0.1, 8);
      break;
    case Blow::kClockJump:
      fault.amount = draw.between(-90000, 90000);
      break;
    case Blow::kLate:
      fault.amount = draw.chance(0.5) ? draw.between(1, 55) : 1e9;
      break;
    default:
      break;
  }
  return fault;
}

std::vector<Fault> draw_faults(Draw& draw, const Scenario& scenario, int count) {
  std::vector<Fault> faults;
  for (int i = 0; i < count; ++i) faults.push_back(draw_fault(draw, scenario));
  return faults;
}

void draw_shape(Draw& draw, Scenario& scenario, const Sizes& sizes) {
  // Most campaigns are small, some are not, and one in a thousand is as large as asked for.
  const double size = draw.unit();
  const int most = std::min(sizes.most_ranks, size < 0.9 ? 6 : size < 0.995 ? 16 : 64);
  const bool large = sizes.always || size > 0.999;
  const int ranks = large ? sizes.most_ranks : 1 + draw.below(most);
  scenario.ranks_per_host = std::min(ranks, 1 + draw.below(ranks >= 8 ? 8 : 3));
  scenario.hosts = std::max(1, ranks / scenario.ranks_per_host);
  scenario.devices = draw.chance(0.15) ? 0 : 1 + draw.below(3);
  scenario.shared_disk = draw.chance(0.7);
  scenario.launcher_kills = draw.chance(0.4);
  scenario.quantum = draw.chance(0.1) ? 0.01 : draw.between(0.05, 0.25);
}

void draw_suite(Draw& draw, Scenario& scenario) {
  const bool many = scenario.ranks() > kManyRanks;
  const int steps = 1 + draw.below(many ? 3 : 4);
  double longest = 0;
  for (int i = 0; i < steps; ++i) {
    scenario.suite.steps.push_back(draw_step(draw, i, many));
    const config::Step& step = scenario.suite.steps.back();
    longest += (step.deadline_seconds + step.grace_seconds) * step.attempts;
  }
  scenario.suite.info.id = "simulated";
  scenario.suite.info.digest = "d";
  scenario.suite.time_budget_seconds =
      draw.chance(0.1) ? draw.between(2, about_seconds(scenario)) : longest + 400;
}

}  // namespace

const char* name_of(Blow blow) { return kBlowNames.at(static_cast<std::size_t>(blow)); }

bool Scenario::is_calm() const {
  const bool no_faults = std::all_of(segments.begin(), segments.end(),
                                     [](const auto& faults) { return faults.empty(); });
  return no_faults && bad_deeds == 0 && !failing_survey && suite.time_budget_seconds > 300;
}

bool Scenario::is_busy(int host) const {
  Draw draw = Draw::about(seed, fmt::format("busy|{}", host));
  return bad_deeds > 0 && draw.chance(0.2);
}

const config::Step& Scenario::step(const std::string& id) const {
  for (const config::Step& step : suite.steps) {
    if (step.id == id) return step;
  }
  throw std::logic_error("no step " + id);
}

Scenario draw_scenario(std::uint64_t seed, const Sizes& sizes) {
  Draw draw = Draw::about(seed, "scenario");
  Scenario scenario;
  scenario.seed = seed;
  draw_shape(draw, scenario, sizes);
  draw_suite(draw, scenario);
  const double mood = draw.unit();
  const bool benches_only = mood >= 0.2 && mood < 0.35;
  const bool several = mood >= 0.6;
  if (benches_only) scenario.bad_deeds = 0.15;
  if (several) scenario.bad_deeds = draw.chance(0.5) ? 0 : draw.between(0.02, 0.4);
  scenario.moody = several && draw.chance(0.3);
  scenario.failing_survey = several && draw.chance(0.05);
  const int first = mood < 0.35 ? 0 : several ? 1 + draw.below(4) : 1;
  scenario.segments.push_back(draw_faults(draw, scenario, first));
  const int resumes = first == 0 ? 0 : draw.below(3);
  for (int i = 0; i < resumes; ++i) {
    const bool disturbed = i + 1 < resumes ? draw.chance(0.6) : draw.chance(0.2);
    scenario.segments.push_back(draw_faults(draw, scenario, disturbed ? 1 + draw.below(2) : 0));
  }
  return scenario;
}

Deed deed_of(const Scenario& scenario, const std::string& step, const std::string& subject,
             int member, int number, int segment, bool speaks) {
  Draw draw = Draw::about(scenario.seed, fmt::format("{}|{}|{}|{}|{}", step, subject, member,
                                                     number, scenario.moody ? segment : 0));
  if (!draw.chance(scenario.bad_deeds)) return Deed::kHonest;
  const config::Step& placed = scenario.step(step);
  const bool in_rank = placed.backend == "mpi";
  for (;;) {
    const DeedFacts& facts = draw.pick(all_deeds());
    if (in_rank && !facts.in_rank) continue;
    const bool about_number = facts.deed == Deed::kSlow || facts.deed == Deed::kNoisy ||
                              facts.deed == Deed::kZeroWork || facts.deed == Deed::kNoCheck ||
                              facts.deed == Deed::kEmptyCheck;
    // Who gives no number cannot spoil it.
    return about_number && !speaks ? Deed::kHonest : facts.deed;
  }
}

Part part_of(const Scenario& scenario, const std::string& step, const std::string& subject,
             int member, int number) {
  Draw draw = Draw::about(scenario.seed, fmt::format("part|{}|{}|{}", step, subject, number));
  const config::Step& placed = scenario.step(step);
  Part part;
  part.group = placed.placement == Placement::kWorld || placed.placement == Placement::kGroups;
  part.speaks = member == 0;
  part.token = member == 0 && config::is_process_group(placed);
  part.seconds = draw.between(0.3, 8);
  part.value = kExpected * draw.between(0.97, 1.03);
  return part;
}

std::string to_text(const Scenario& scenario) {
  std::string out = fmt::format(
      "{} hosts x {} ranks, {} devices, {} disk, {}, quantum {:.3f} s, bad deeds {:.2f}{}{}, "
      "budget {:.0f} s\n",
      scenario.hosts, scenario.ranks_per_host, scenario.devices,
      scenario.shared_disk ? "one shared" : "a local",
      scenario.launcher_kills ? "launcher ends all with the first" : "survivors go on",
      scenario.quantum, scenario.bad_deeds, scenario.moody ? ", moody" : "",
      scenario.failing_survey ? ", surveys fail" : "", scenario.suite.time_budget_seconds);
  for (const config::Step& step : scenario.suite.steps) {
    out += fmt::format("  step {}: {}-{} placement {}, deadline {:.1f} s, {} attempts{}\n", step.id,
                       step.bench, step.backend, static_cast<int>(step.placement),
                       step.deadline_seconds, step.attempts,
                       step.failure_stops_run ? ", its failure stops the run" : "");
  }
  for (std::size_t i = 0; i < scenario.segments.size(); ++i) {
    for (const Fault& fault : scenario.segments[i]) {
      out += fmt::format("  segment {}: {} rank {} at {:.2f} s, amount {:.2f}, call {}{}\n", i + 1,
                         name_of(fault.blow), fault.rank, fault.at, fault.amount, fault.call,
                         fault.power ? ", power" : "");
    }
  }
  return out;
}

}  // namespace rackproof::sim
