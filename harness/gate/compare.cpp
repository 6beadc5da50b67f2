#include "harness/gate/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "reports/model/fact_name.hpp"
#include "reports/model/glob.hpp"

namespace rackproof::gate {
namespace {

using config::ComparisonRule;
using contract::Scalar;
using model::DeviceFacts;
using model::Fact;
using model::NodeInventory;
using Facts = std::map<std::string, Fact>;

constexpr std::size_t kLongestShown = 80;
// How many devices NVML counts changes with every new partition of a GPU; lost_gpus() counts GPUs.
constexpr const char* kCount = model::fact_name::kGpuNvmlCount;

std::string shown(const Scalar& value) {
  const std::string text = model::to_text(value);
  return text.size() <= kLongestShown ? text : text.substr(0, kLongestShown) + "...";
}

std::optional<double> number_of(const Scalar& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

bool agree(const Scalar& a, const Scalar& b, double tolerance) {
  if (a == b) return true;
  const auto x = number_of(a);
  const auto y = number_of(b);
  return x && y && std::abs(*x - *y) <= tolerance * std::abs(*x);
}

std::string address_of(const DeviceFacts& device) {
  const auto found = device.facts.find(model::fact_name::kGpuPciAddress);
  if (found == device.facts.end() || !found->second.value) return "";
  return model::to_text(*found->second.value);
}

std::string name_of(const DeviceFacts& device) {
  const auto found = device.facts.find(model::fact_name::kGpuName);
  return found == device.facts.end() || !found->second.value ? ""
                                                             : model::to_text(*found->second.value);
}

bool is_part(const DeviceFacts& device) { return device.uuid.starts_with("MIG-"); }

/// A rule applied to one pair of sets of facts.
class Pair {
 public:
  Pair(const ComparisonRule& rule, Against against, std::string part, std::vector<Finding>& out)
      : rule_(rule), against_(against), part_(std::move(part)), out_(out) {}

  /// `then` are the facts of each that this one may be like.
  void hold(const std::vector<const Facts*>& then, const Facts& now) {
    std::set<std::string> names;
    for (const Facts* facts : then) {
      for (const auto& [name, fact] : *facts) {
        if (fact.value && model::glob_match(rule_.fact, name)) names.insert(name);
      }
    }
    names.erase(kCount);
    for (const std::string& name : names) hold_one(name, then, now);
  }

 private:
  void hold_one(const std::string& name, const std::vector<const Facts*>& then, const Facts& now) {
    const auto have = now.find(name);
    const bool known = have != now.end() && have->second.value;
    std::string was;
    for (const Facts* facts : then) {
      const auto wanted = facts->find(name);
      if (wanted == facts->end() || !wanted->second.value) continue;
      if (known && agree(*wanted->second.value, *have->second.value, rule_.tolerance)) return;
      was = shown(*wanted->second.value);
    }
    if (was.empty()) return;
    if (!known) {
      const std::string why = have == now.end() || have->second.unreadable.empty()
                                  ? "it is not there"
                                  : have->second.unreadable;
      return say(GateReason::kNotReadable, name,
                 fmt::format("{} cannot be read ({}); {} {}", name, why, past(), was));
    }
    const bool grave = rule_.severity >= model::Severity::kError;
    const auto bad =
        against_ == Against::kBefore ? GateReason::kUnlikeBefore : GateReason::kUnlikeGolden;
    std::string text =
        fmt::format("{} is {}, {} {}", name, shown(*have->second.value), past(), was);
    if (grave && !rule_.remedy.empty()) text += "; " + rule_.remedy;
    say(grave ? bad : GateReason::kChanged, name, std::move(text));
  }

  const char* past() const {
    return against_ == Against::kBefore ? "at the last good look it was"
                                        : "in the golden inventory it is";
  }

  void say(GateReason reason, const std::string& fact, std::string text) {
    out_.push_back({reason, part_, std::move(text), fact});
  }

  const ComparisonRule& rule_;
  Against against_;
  std::string part_;
  std::vector<Finding>& out_;
};

/// What a device is to be like: itself, then whatever sat in its place; of another node, all of its
/// name.
std::vector<const Facts*> likes(const DeviceFacts& device, const NodeInventory& then,
                                Against against) {
  std::vector<const Facts*> out;
  if (against == Against::kGolden) {
    for (const DeviceFacts& one : then.devices) {
      if (name_of(one) == name_of(device)) out.push_back(&one.facts);
    }
    return out;
  }
  for (const DeviceFacts& one : then.devices) {
    if (one.uuid == device.uuid) return {&one.facts};
  }
  if (is_part(device)) return {};
  for (const DeviceFacts& one : then.devices) {
    if (!is_part(one) && !address_of(one).empty() && address_of(one) == address_of(device)) {
      return {&one.facts};
    }
  }
  return {};
}

/// The GPUs of a node by where they sit, or by their UUID where nobody tells.
std::map<std::string, std::string> places(const NodeInventory& node) {
  std::map<std::string, std::string> out;
  for (const DeviceFacts& device : node.devices) {
    const std::string address = address_of(device);
    out.try_emplace(address.empty() ? device.uuid : address, device.uuid);
  }
  return out;
}

}  // namespace

std::vector<Finding> differences(const NodeInventory& then, const NodeInventory& now,
                                 const config::ComparisonRules& rules, Against against) {
  std::vector<Finding> findings;
  for (const ComparisonRule& rule : rules) {
    if (rule.must != ComparisonRule::Must::kAgree || rule.severity == model::Severity::kInfo) {
      continue;
    }
    if (rule.of == ComparisonRule::Of::kNode) {
      Pair(rule, against, "", findings).hold({&then.facts}, now.facts);
      continue;
    }
    for (const DeviceFacts& device : now.devices) {
      Pair(rule, against, device.uuid, findings).hold(likes(device, then, against), device.facts);
    }
  }
  return findings;
}

std::vector<Finding> lost_gpus(const NodeInventory& then, const NodeInventory& now) {
  const auto before = places(then);
  const auto after = places(now);
  std::set<std::string> uuids;
  for (const auto& [place, uuid] : after) uuids.insert(uuid);
  std::vector<Finding> findings;
  for (const auto& [place, uuid] : before) {
    const auto found = after.find(place);
    if (found == after.end()) {
      // One that sits elsewhere now is not gone.
      if (uuids.contains(uuid)) continue;
      findings.push_back(
          {GateReason::kGpuMissing, uuid,
           fmt::format("{} was there at the last good look ({}), and is not", uuid, place)});
    } else if (found->second != uuid && !uuid.starts_with("MIG-") &&
               !found->second.starts_with("MIG-")) {
      findings.push_back({GateReason::kGpuReplaced, found->second,
                          fmt::format("{} is at {} in place of {}", found->second, place, uuid)});
    }
  }
  // As many as before, on other places: the bus was numbered anew, or a part was replaced.
  if (after.size() >= before.size()) {
    for (Finding& finding : findings) {
      if (finding.reason == GateReason::kGpuMissing) finding.reason = GateReason::kGpuReplaced;
    }
  }
  return findings;
}

std::size_t gpu_count(const NodeInventory& node) { return places(node).size(); }

std::vector<Finding> fewer_gpus(const NodeInventory& golden, const NodeInventory& now) {
  const std::size_t wanted = gpu_count(golden);
  const std::size_t have = gpu_count(now);
  if (have >= wanted) return {};
  return {{GateReason::kGpuMissing, "",
           fmt::format("there are {} GPUs, in the golden inventory {}", have, wanted)}};
}

}  // namespace rackproof::gate
