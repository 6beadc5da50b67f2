#include "harness/plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "harness/plan/instances.hpp"
#include "harness/plan/links.hpp"
#include "reports/model/fact_name.hpp"
#include "reports/model/glob.hpp"

namespace rackproof::plan {
namespace {

using config::Placement;
using config::Step;

std::string program(const Step& step) { return step.bench + "-" + step.backend; }

int numa_domains_of(const std::string& host, const Site& site) {
  for (const auto& node : site.nodes) {
    if (node.host != host) continue;
    return static_cast<int>(model::number_of(node, model::fact_name::kNumaCount).value_or(1));
  }
  return 1;
}

// Every combination of the values, in key order; "$ranks" replaced.
std::vector<contract::Parameters> combinations(const config::Expectation& expectation, int ranks) {
  std::vector<contract::Parameters> out = {{}};
  for (const auto& [name, values] : expectation.each) {
    std::vector<contract::Parameters> longer;
    for (const auto& base : out) {
      for (const auto& value : values) {
        contract::Parameters next = base;
        const auto* text = std::get_if<std::string>(&value);
        next[name] = text != nullptr && *text == "$ranks"
                         ? contract::Scalar(static_cast<std::int64_t>(ranks))
                         : value;
        longer.push_back(std::move(next));
      }
    }
    out = std::move(longer);
  }
  return out;
}

std::vector<contract::Parameters> parameter_sets(const config::Expectation& expectation,
                                                 const Instance& instance, const Site& site) {
  const bool group = instance.subject.kind == contract::SubjectKind::kGroup;
  const std::size_t ranks = group ? instance.ranks.size() : site.ranks.size();
  std::vector<contract::Parameters> out = combinations(expectation, static_cast<int>(ranks));
  if (expectation.for_each != "numa") return out;
  // A machine with one domain has nothing to add to its whole-node cell.
  const int domains = numa_domains_of(instance.subject.host, site);
  std::vector<contract::Parameters> each;
  for (int domain = 0; domains > 1 && domain < domains; ++domain) {
    for (contract::Parameters parameters : out) {
      parameters["domain"] = fmt::format("numa{}", domain);
      each.push_back(std::move(parameters));
    }
  }
  return each;
}

// Every device of a node, or the node itself where there is none.
std::vector<model::Subject> devices_of(const Instance& instance, const Site& site) {
  std::vector<model::Subject> devices;
  for (const End& end : ends_of(instance, site)) {
    model::Subject device;
    device.kind = contract::SubjectKind::kDevice;
    device.host = end.host;
    device.device = end.device;
    devices.push_back(std::move(device));
  }
  if (devices.empty()) devices.push_back(instance.subject);
  return devices;
}

// What the cells of an expectation are about: the instance itself, or each of its links. Where
// nothing can be linked the instance stands for what is owed: silence would pass.
std::vector<model::Subject> subjects_of(const Step& step, const config::Expectation& expectation,
                                        const Instance& instance, const Site& site) {
  if (expectation.for_each == "device") return devices_of(instance, site);
  const bool both_ways = expectation.for_each == "path";
  if (expectation.for_each != "link" && !both_ways) return {instance.subject};
  const std::vector<End> ends = ends_of(instance, site);
  const bool group = instance.subject.kind == contract::SubjectKind::kGroup;
  if (ends.empty() || (group && ends.size() == 1)) return {instance.subject};
  return links_among(ends, group ? step.rounds : 0, both_ways);
}

void add_cells(const Step& step, const Instance& instance, const Site& site,
               const std::string& waived, std::vector<model::Cell>& cells) {
  for (const auto& expectation : step.expect) {
    for (const auto& parameters : parameter_sets(expectation, instance, site)) {
      for (auto& subject : subjects_of(step, expectation, instance, site)) {
        model::Cell cell;
        cell.step = step.id;
        cell.subject = std::move(subject);
        cell.metric = expectation.metric;
        cell.parameters = parameters;
        cell.required = expectation.required;
        cell.waived = expectation.waived.empty() ? waived : expectation.waived;
        cell.id = cell_id(cell.step, cell.subject, cell.metric, cell.parameters);
        cells.push_back(std::move(cell));
      }
    }
  }
}

// What a host owes that no device of it can give. Where some of its GPUs can be measured and others
// cannot, one cell about the node stands for those.
void add_owed(const Step& step, const Instance& host, const Site& site,
              std::vector<model::Cell>& cells) {
  const bool waived = step.no_gpu_waives && is_known_to_have_none(host.subject.host, site);
  if (ends_of(host, site).empty()) {
    add_cells(step, host, site, waived ? "no device here" : "", cells);
    return;
  }
  for (const auto& expectation : step.expect) {
    for (auto& parameters : parameter_sets(expectation, host, site)) {
      model::Cell cell;
      cell.step = step.id;
      cell.subject = host.subject;
      cell.metric = expectation.metric;
      cell.parameters = std::move(parameters);
      cell.required = expectation.required;
      cell.waived = expectation.waived;
      cell.id = cell_id(cell.step, cell.subject, cell.metric, cell.parameters);
      const bool known = std::any_of(cells.begin(), cells.end(),
                                     [&](const model::Cell& one) { return one.id == cell.id; });
      if (!known) cells.push_back(std::move(cell));
    }
  }
}

bool matches_any(const Step& step, const std::vector<std::string>& globs) {
  return std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) {
    return model::glob_match(glob, step.id) || model::glob_match(glob, program(step)) ||
           model::glob_match(glob, step.bench);
  });
}

// A group of one has nobody to speak to.
std::string why_alone(const Step& step, const Instance& instance) {
  const bool group = step.placement == Placement::kWorld || step.placement == Placement::kGroups;
  if (!group || instance.ranks.size() > 1) return "";
  return fmt::format("one {0}: at least 2 {0}s are needed",
                     wants_devices(step) ? "device" : "rank");
}

// Of what its ranks or members do together nothing is left where some of them are left out.
bool has_lost_its_others(const PlacedStep& placed, const Site& site) {
  if (site.left_out.empty()) return false;
  if (placed.in_rank) return true;
  return placed.step.placement == Placement::kWorld && placed.instances.size() == 1 &&
         placed.instances.front().ranks.size() == 1;
}

// The hosts of these names, and the others as left out.
Site kept_to(const std::vector<std::string>& hosts, const Site& site) {
  const std::set<std::string> kept(hosts.begin(), hosts.end());
  Site out;
  out.left_out = site.left_out;
  for (const RankPlace& place : site.ranks) {
    (kept.contains(place.host) ? out.ranks : out.left_out).push_back(place);
  }
  for (const model::NodeInventory& node : site.nodes) {
    if (kept.contains(node.host)) out.nodes.push_back(node);
  }
  out.in_rank_benches = site.in_rank_benches;
  out.mpi = site.mpi;
  out.everyone = site.everyone;
  return out;
}

std::vector<std::string> hosts_of(const Site& site) {
  std::set<std::string> hosts;
  for (const RankPlace& place : site.ranks) hosts.insert(place.host);
  return {hosts.begin(), hosts.end()};
}

// Whether nobody else can be there: every rank came, and what each host has is known.
bool is_whole(const Step& step, const Site& site) {
  if (!site.everyone || !wants_devices(step)) return site.everyone;
  return std::all_of(site.ranks.begin(), site.ranks.end(), [&](const RankPlace& place) {
    return std::any_of(site.nodes.begin(), site.nodes.end(), [&](const model::NodeInventory& node) {
      return node.host == place.host && (!node.devices.empty() || !node.facts.empty());
    });
  });
}

// Of a group of one: nobody else is there, or they are not known of.
model::StepReason why_others_are_missing(const Site& site, bool whole) {
  if (whole) return model::StepReason::kOther;
  return site.everyone ? model::StepReason::kInventoryFailed : model::StepReason::kRankLost;
}

void place(PlacedStep placed, const Site& site, model::StepInfo& info, Plan& plan) {
  const Step& step = placed.step;
  const bool whole = is_whole(step, site);
  std::vector<Instance> started;
  model::Reason<model::StepReason> reason;
  if (wants_devices(step)) reason = {model::StepReason::kOther, "no host has a device"};
  for (Instance& instance : placed.instances) {
    const std::string alone = why_alone(step, instance);
    // Who is alone because others did not come owes what it would have measured with them.
    add_cells(step, instance, site, whole ? alone : "", plan.cells);
    if (alone.empty()) started.push_back(std::move(instance));
    reason = {};
    if (!alone.empty()) reason = {why_others_are_missing(site, whole), alone};
  }
  if (wants_devices(step)) {
    for (const Instance& host : hosts_without_gpu(site)) {
      add_owed(step, host, site, plan.cells);
    }
  }
  placed.instances = std::move(started);
  if (placed.instances.empty()) {
    info.state = model::StepState::kSkipped;
    info.reason = reason;
  } else {
    plan.steps.push_back(std::move(placed));
  }
}

}  // namespace

std::string word(config::Placement placement) {
  switch (placement) {
    case Placement::kDevice:
      return "device";
    case Placement::kNode:
      return "node";
    case Placement::kWorld:
      return "world";
    case Placement::kGroups:
      return "groups";
  }
  return "";
}

std::string cell_id(const std::string& step, const model::Subject& subject,
                    const std::string& metric, const contract::Parameters& parameters) {
  return fmt::format("{}:{}:{}[{}]", step, model::label(subject), metric,
                     model::to_text(parameters));
}

std::vector<End> members_of(const Instance& group, const Site& site) {
  return ends_of(group, site);
}

bool selected(const config::Step& step, const Selection& selection) {
  if (selection.left_out.contains(step.id)) return false;
  if (!selection.filters.empty() && !matches_any(step, selection.filters)) return false;
  return !matches_any(step, selection.excludes);
}

std::vector<std::string> names(const config::Suite& suite) {
  std::vector<std::string> out;
  for (const Step& step : suite.steps) {
    for (const std::string& name : {step.id, program(step)}) {
      if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
    }
  }
  return out;
}

Plan make_plan(const config::Suite& suite, const Site& site, const Selection& selection) {
  Plan plan;
  for (const Step& step : suite.steps) {
    model::StepInfo info{step.id,
                         step.title,
                         step.bench,
                         step.backend,
                         word(step.placement),
                         step.attempts,
                         step.unavailable_waives,
                         model::StepState::kNotReached,
                         {}};
    info.repeat = step.repeat;
    PlacedStep placed{step, {}, false, false};
    const auto& in_rank = site.in_rank_benches;
    placed.in_rank = std::find(in_rank.begin(), in_rank.end(), program(step)) != in_rank.end();
    placed.group = !placed.in_rank && config::is_process_group(step);
    const auto some = selection.only_on.find(step.id);
    const bool on_some = !placed.in_rank && some != selection.only_on.end();
    const Site part = on_some ? kept_to(some->second, site) : Site{};
    const Site& own = on_some ? part : site;
    placed.instances = instances_of(step, own);
    if (!selected(step, selection) || has_lost_its_others(placed, own)) {
      info.state = model::StepState::kLeftOut;
    } else {
      if (own.left_out.size() > site.left_out.size()) info.only_hosts = hosts_of(own);
      place(std::move(placed), own, info, plan);
    }
    plan.infos.push_back(std::move(info));
  }
  return plan;
}

}  // namespace rackproof::plan
