#include "harness/coverage/coverage.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "harness/coverage/expected_limits.hpp"
#include "harness/coverage/site.hpp"
#include "harness/evidence/claims.hpp"
#include "harness/evidence/context.hpp"

namespace rackproof::coverage {
namespace {

using model::Cell;
using model::Report;

/// Types that tensor cores have from a compute capability on; the bench ends with "unavailable" on
/// others, and the step waives them.
struct NewType {
  const char* dtype;
  double capability;
};
constexpr std::array kNewTypes = {NewType{"fp8_e4m3", 8.9}, NewType{"mxfp8", 10.0},
                                  NewType{"nvfp4", 10.0}};

bool lacks_type(const model::PlatformTable& table, const Cell& cell) {
  const auto dtype = cell.parameters.find("dtype");
  const std::string capability = capability_of(table);
  if (dtype == cell.parameters.end() || capability.empty()) return false;
  const std::string type = model::to_text(dtype->second);
  return std::any_of(kNewTypes.begin(), kNewTypes.end(), [&](const NewType& one) {
    return type == one.dtype && std::stod(capability) < one.capability;
  });
}

/// Those of published figures among them.
constexpr std::array kScales = {1, 2, 4, 8, 16, 18, 36, 64, 360};

/// The baseline that would judge the cell by a number if NCCL took this algorithm, or null.
const model::Baseline* limit_of(const evidence::Context& context, const Cell& cell,
                                const model::PlatformTable& table, const config::MetricKind& kind,
                                const char* algorithm) {
  const limits::Choice choice = limits_before(context, cell, table, kind, algorithm);
  if (choice.problem != nullptr || choice.limits.by_correctness) return nullptr;
  return choice.limits.baseline;
}

/// Of several hosts only what is among all of them: the rest is the same on each.
config::Suite for_hosts(config::Suite suite, int hosts) {
  if (hosts == 1) return suite;
  std::erase_if(suite.steps, [](const config::Step& step) {
    return step.placement != config::Placement::kWorld;
  });
  for (config::Step& step : suite.steps) {
    std::erase_if(step.expect,
                  [](const config::Expectation& one) { return !one.for_each.empty(); });
  }
  return suite;
}

/// Whether some figure of the table is about groups of so many hosts in particular.
bool is_of_interest(const model::PlatformTable& table, int hosts) {
  if (hosts <= 2) return true;
  return std::any_of(table.baselines.begin(), table.baselines.end(), [hosts](const auto& one) {
    if (one.kind == model::BaselineKind::kBound) return false;
    const auto is_point = [hosts](const auto& point) { return point.nodes == hosts; };
    return one.nodes_min == hosts || one.nodes_max == hosts ||
           std::any_of(one.points.begin(), one.points.end(), is_point);
  });
}

/// How far below what it expects a limit lies, as a share of a rate; of a time, of what it is the
/// inverse of.
double deficit_of(const model::Baseline& limit) {
  if (limit.tolerance_below) return *limit.tolerance_below;
  return 1 - 1 / (1 + limit.tolerance_above.value_or(0));
}

/// What each cell is held to; nothing where it is not.
using Deficits = std::vector<std::optional<double>>;

std::map<std::string, double> deficits_of(const std::vector<model::ClaimState>& states,
                                          const std::vector<model::Claim>& claims,
                                          const evidence::Claimants& claimants,
                                          const std::vector<evidence::Claimed>& claimed,
                                          const Deficits& deficits) {
  std::map<std::tuple<std::string, int, std::string>, double> places;
  for (const evidence::Claimants::One& one : claimants.all()) {
    if (!claimed[one.cell].held || !deficits[one.cell]) continue;
    const std::string subject = model::label(*claimed[one.cell].subject);
    const auto [place, fresh] =
        places.try_emplace({claims[one.claim].id, one.each, subject}, *deficits[one.cell]);
    if (!fresh) place->second = std::min(place->second, *deficits[one.cell]);
  }
  std::map<std::string, double> worst;
  for (const auto& [key, deficit] : places) {
    double& most = worst[std::get<0>(key)];
    most = std::max(most, deficit);
  }
  for (const model::ClaimState& state : states) {
    if (!state.is_held()) worst.erase(state.id);
  }
  return worst;
}

using KindOfCell = std::tuple<std::string, std::string, std::string>;

/// A kind of rate, as its cells say.
struct Rate {
  bool of_gpu = false;
  bool limited = true;
};

bool is_of_gpu(const model::StepInfo& step) {
  return step.backend == "cuda" || step.backend == "nccl";
}

void count_rates(const std::map<KindOfCell, Rate>& rates, Coverage& coverage) {
  for (const auto& [kind, rate] : rates) {
    Coverage::Rates& count = rate.of_gpu ? coverage.gpu : coverage.host;
    ++count.all;
    if (rate.limited) {
      ++count.limited;
      continue;
    }
    const auto& [step, metric, parameters] = kind;
    coverage.unlimited.push_back(step + " " + metric +
                                 (parameters.empty() ? "" : " " + parameters));
  }
}

}  // namespace

std::size_t Coverage::held() const {
  return static_cast<std::size_t>(
      std::count_if(claims.begin(), claims.end(), [](const auto& one) { return one.is_held(); }));
}

Coverage coverage_of(const model::PlatformTable& table, const config::Suite& suite, int hosts,
                     const config::MetricCatalogue& catalogue) {
  const Report report = unmeasured_run(table, suite, hosts);
  const evidence::Context context(report);
  const std::vector<model::Claim> claims = evidence::claims_of(report);
  evidence::Claimants claimants;
  std::vector<evidence::Claimed> claimed;
  Deficits deficits(report.cells.size());
  std::map<KindOfCell, Rate> rates;
  for (const Cell& cell : report.cells) {
    evidence::Claimed& one = claimed.emplace_back();
    one.subject = &cell.subject;
    one.owed = cell.waived.empty() && !lacks_type(table, cell);
    claimants.add(claims, cell, claimed.size() - 1);
    const model::StepInfo* step = context.step(cell.step);
    const auto* kind = step == nullptr ? nullptr : kind_of(catalogue, cell, step->backend);
    if (!one.owed || kind == nullptr) continue;
    const model::Baseline* limit = limit_of(context, cell, table, *kind, kRing);
    one.held = limit != nullptr && !table.generic && !limit->generic;
    if (one.held) deficits[claimed.size() - 1] = deficit_of(*limit);
    if (!cell.required || kind->better != contract::Better::kMore) continue;
    Rate& rate = rates[{cell.step, cell.metric, model::to_text(cell.parameters)}];
    rate.of_gpu = is_of_gpu(*step);
    rate.limited = rate.limited && one.held;
  }
  Coverage coverage;
  coverage.hosts = hosts;
  coverage.claims = evidence::claim_states(
      claims, claimants, [&claimed](std::size_t place) { return claimed[place]; }, {});
  coverage.deficits = deficits_of(coverage.claims, claims, claimants, claimed, deficits);
  count_rates(rates, coverage);
  return coverage;
}

std::set<Figure> measured(const model::PlatformTable& table,
                          const std::vector<config::Suite>& suites,
                          const config::MetricCatalogue& catalogue) {
  std::set<Figure> all;
  for (const config::Suite& suite : suites) {
    for (const int hosts : kScales) {
      if (!is_of_interest(table, hosts)) continue;
      const Report report = unmeasured_run(table, for_hosts(suite, hosts), hosts);
      const evidence::Context context(report);
      for (const Cell& cell : report.cells) {
        const model::StepInfo* step = context.step(cell.step);
        const auto* kind = step == nullptr ? nullptr : kind_of(catalogue, cell, step->backend);
        if (kind == nullptr) continue;
        for (const char* algorithm : {kRing, kTree}) {
          const auto* limit = limit_of(context, cell, report.platforms[0], *kind, algorithm);
          if (limit != nullptr) all.insert({limit->table, limit->id});
        }
      }
    }
  }
  return all;
}

std::set<Figure> figures(const model::PlatformTable& table) {
  std::set<Figure> all;
  for (const model::Baseline& one : table.baselines) {
    if (one.kind == model::BaselineKind::kCorrectness || one.kind == model::BaselineKind::kBound) {
      continue;
    }
    all.insert({one.table, one.id});
  }
  return all;
}

}  // namespace rackproof::coverage
