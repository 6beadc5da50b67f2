#include "harness/plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/model/glob.hpp"

namespace rackproof::plan {
namespace {

using config::Placement;
using config::Step;

std::vector<Instance> node_instances(const Site& site) {
  std::vector<Instance> out;
  for (const RankPlace& place : site.ranks) {
    if (place.local_rank != 0) continue;
    Instance instance;
    instance.subject.host = place.host;
    instance.ranks = {place.rank};
    out.push_back(std::move(instance));
  }
  return out;
}

std::vector<Instance> device_instances(const Site& site) {
  std::map<std::string, std::vector<int>> ranks_of;
  for (const RankPlace& place : site.ranks) ranks_of[place.host].push_back(place.rank);
  std::vector<Instance> out;
  for (const auto& node : site.nodes) {
    const auto& ranks = ranks_of[node.host];
    if (ranks.empty()) continue;
    for (const auto& device : node.devices) {
      Instance instance;
      instance.subject.kind = model::SubjectKind::kDevice;
      instance.subject.host = node.host;
      instance.subject.device = device.uuid;
      instance.ranks = {ranks[static_cast<std::size_t>(device.index) % ranks.size()]};
      out.push_back(std::move(instance));
    }
  }
  return out;
}

std::vector<Instance> world_instances(const Site& site) {
  Instance instance;
  instance.subject.kind = model::SubjectKind::kGroup;
  instance.subject.group = "world";
  std::set<std::string> hosts;
  for (const RankPlace& place : site.ranks) {
    hosts.insert(place.host);
    instance.ranks.push_back(place.rank);
  }
  instance.subject.members.assign(hosts.begin(), hosts.end());
  return {instance};
}

std::vector<Instance> instances_of(const Step& step, const Site& site) {
  switch (step.placement) {
    case Placement::kNode:
      return node_instances(site);
    case Placement::kDevice:
      return device_instances(site);
    case Placement::kWorld:
      return world_instances(site);
  }
  return {};
}

std::string program(const Step& step) { return step.bench + "-" + step.backend; }

int numa_domains_of(const std::string& host, const Site& site) {
  for (const auto& node : site.nodes) {
    if (node.host != host) continue;
    return static_cast<int>(model::number_of(node, "numa.count").value_or(1));
  }
  return 1;
}

// Every combination of the values, in key order; "$ranks" replaced.
std::vector<model::Parameters> combinations(const config::Expectation& expectation, int ranks) {
  std::vector<model::Parameters> out = {{}};
  for (const auto& [name, values] : expectation.each) {
    std::vector<model::Parameters> longer;
    for (const auto& base : out) {
      for (const auto& value : values) {
        model::Parameters next = base;
        const auto* text = std::get_if<std::string>(&value);
        next[name] = text != nullptr && *text == "$ranks"
                         ? model::Scalar(static_cast<std::int64_t>(ranks))
                         : value;
        longer.push_back(std::move(next));
      }
    }
    out = std::move(longer);
  }
  return out;
}

std::vector<model::Parameters> parameter_sets(const config::Expectation& expectation,
                                              const Instance& instance, const Site& site) {
  std::vector<model::Parameters> out =
      combinations(expectation, static_cast<int>(site.ranks.size()));
  if (expectation.for_each != "numa") return out;
  // A machine with one domain has nothing to add to its whole-node cell.
  const int domains = numa_domains_of(instance.subject.host, site);
  std::vector<model::Parameters> each;
  for (int domain = 0; domains > 1 && domain < domains; ++domain) {
    for (model::Parameters parameters : out) {
      parameters["domain"] = fmt::format("numa{}", domain);
      each.push_back(std::move(parameters));
    }
  }
  return each;
}

void add_cells(const Step& step, const std::vector<Instance>& instances, const Site& site,
               const std::string& waived, std::vector<model::Cell>& cells) {
  for (const Instance& instance : instances) {
    for (const auto& expectation : step.expect) {
      for (auto& parameters : parameter_sets(expectation, instance, site)) {
        model::Cell cell;
        cell.step = step.id;
        cell.subject = instance.subject;
        cell.metric = expectation.metric;
        cell.parameters = std::move(parameters);
        cell.required = expectation.required;
        cell.waived = expectation.waived.empty() ? waived : expectation.waived;
        cell.id = cell_id(cell.step, cell.subject, cell.metric, cell.parameters);
        cells.push_back(std::move(cell));
      }
    }
  }
}

// Hosts that a device step finds no device on.
std::vector<Instance> bare_hosts(const Site& site) {
  std::vector<Instance> out;
  for (Instance& instance : node_instances(site)) {
    const auto node = std::find_if(site.nodes.begin(), site.nodes.end(),
                                   [&](const auto& n) { return n.host == instance.subject.host; });
    if (node == site.nodes.end() || node->devices.empty()) out.push_back(std::move(instance));
  }
  return out;
}

bool matches_any(const Step& step, const std::vector<std::string>& globs) {
  return std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) {
    return model::glob_match(glob, step.id) || model::glob_match(glob, program(step)) ||
           model::glob_match(glob, step.bench);
  });
}

void place(PlacedStep placed, const Site& site, model::StepInfo& info, Plan& plan) {
  const Step& step = placed.step;
  std::string waived;
  if (step.placement == Placement::kWorld && site.ranks.size() < 2) {
    waived = "one rank: there is nobody to communicate with";
    info.state = "skipped";
    info.reason = waived;
  }
  add_cells(step, placed.instances, site, waived, plan.cells);
  if (step.placement == Placement::kDevice) {
    add_cells(step, bare_hosts(site), site, step.unavailable_waives ? "no device here" : "",
              plan.cells);
    if (placed.instances.empty()) {
      info.state = "skipped";
      info.reason = "no host has a device";
    }
  }
  if (info.state != "skipped") plan.steps.push_back(std::move(placed));
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
  }
  return "";
}

std::string cell_id(const std::string& step, const model::Subject& subject,
                    const std::string& metric, const model::Parameters& parameters) {
  return fmt::format("{}:{}:{}[{}]", step, model::label(subject), metric,
                     model::to_text(parameters));
}

bool selected(const config::Step& step, const Selection& selection) {
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
                         "not-reached",
                         ""};
    PlacedStep placed{step, instances_of(step, site), false};
    const auto& in_rank = site.in_rank_benches;
    placed.in_rank = std::find(in_rank.begin(), in_rank.end(), program(step)) != in_rank.end();
    if (!selected(step, selection)) {
      info.state = "skipped";
      info.reason = "left out by the selection";
    } else {
      place(std::move(placed), site, info, plan);
    }
    plan.infos.push_back(std::move(info));
  }
  return plan;
}

}  // namespace rackproof::plan
