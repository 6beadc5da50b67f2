#include "harness/uniformity/since.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "reports/model/fact_name.hpp"
#include "reports/model/glob.hpp"
#include "reports/model/scalar.hpp"

namespace rackproof::uniformity {
namespace {

using config::ComparisonRule;
using Facts = std::map<std::string, model::Fact>;

std::optional<double> plain_number(const contract::Scalar& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

bool agree(const contract::Scalar& a, const contract::Scalar& b, double tolerance) {
  if (a == b) return true;
  const auto x = plain_number(a);
  const auto y = plain_number(b);
  return x && y && std::abs(*x - *y) <= tolerance * std::abs(*x);
}

std::optional<contract::Scalar> value_in(const Facts& facts, const std::string& name) {
  const auto found = facts.find(name);
  return found == facts.end() ? std::nullopt : found->second.value;
}

std::string text_of(const std::optional<contract::Scalar>& value) {
  return value ? model::to_text(*value) : "";
}

/// Compares one host with itself.
class Host {
 public:
  Host(const config::ComparisonRules& rules, std::set<std::string> repaired,
       std::vector<Change>& out)
      : rules_(rules), repaired_(std::move(repaired)), out_(out) {}

  void compare(const model::NodeInventory& then, const model::NodeInventory& now) {
    compare_facts(then.host, "", ComparisonRule::Of::kNode, then.facts, now.facts);
    compare_devices(then, now);
  }

 private:
  void compare_facts(const std::string& host, const std::string& part, ComparisonRule::Of of,
                     const Facts& then, const Facts& now) {
    std::map<std::string, double> tolerance;  // by fact, the first rule counts
    for (const ComparisonRule& rule : rules_) {
      if (rule.of != of) continue;
      for (const Facts* facts : {&then, &now}) {
        for (const auto& [name, fact] : *facts) {
          if (model::glob_match(rule.fact, name)) tolerance.try_emplace(name, rule.tolerance);
        }
      }
    }
    for (const auto& [name, allowed] : tolerance) {
      const auto was = value_in(then, name);
      const auto is = value_in(now, name);
      if (was == is || (was && is && agree(*was, *is, allowed))) continue;
      out_.push_back({host, part, name, text_of(was), text_of(is)});
    }
  }

  void compare_devices(const model::NodeInventory& then, const model::NodeInventory& now) {
    std::map<std::string, const model::DeviceFacts*> before;
    std::set<std::string> fresh;
    for (const auto& device : then.devices) before[device.uuid] = &device;
    for (const auto& device : now.devices) {
      const auto known = before.find(device.uuid);
      if (known == before.end()) {
        fresh.insert(device.uuid);
        continue;
      }
      if (!repaired_.contains(device.uuid)) {
        compare_facts(then.host, device.uuid, ComparisonRule::Of::kDevice, known->second->facts,
                      device.facts);
      }
      before.erase(known);
    }
    // One that was repaired may be another one now.
    for (const auto& [uuid, device] : before) {
      if (repaired_.contains(uuid) && !fresh.empty()) {
        fresh.erase(fresh.begin());
      } else {
        out_.push_back({then.host, uuid, model::fact_name::kGpuUuid, uuid, ""});
      }
    }
    for (const std::string& uuid : fresh)
      out_.push_back({then.host, uuid, model::fact_name::kGpuUuid, "", uuid});
  }

  const config::ComparisonRules& rules_;
  std::set<std::string> repaired_;
  std::vector<Change>& out_;
};

// The devices of a host that were repaired; an empty name: the whole host.
std::set<std::string> repaired_of(const std::string& host,
                                  const std::vector<model::Repair>& repairs) {
  std::set<std::string> devices;
  for (const model::Repair& repair : repairs) {
    if (repair.host == host) devices.insert(repair.device);
  }
  return devices;
}

}  // namespace

std::vector<Change> changes_since(const std::vector<model::NodeInventory>& then,
                                  const std::vector<model::NodeInventory>& now,
                                  const config::ComparisonRules& rules,
                                  const std::vector<model::Repair>& repairs) {
  std::map<std::string, const model::NodeInventory*> before;
  std::map<std::string, const model::NodeInventory*> after;
  for (const auto& node : then) before[node.host] = &node;
  for (const auto& node : now) after[node.host] = &node;
  std::vector<Change> changes;
  for (const auto& [host, node] : before) {
    const auto found = after.find(host);
    if (found == after.end()) {
      changes.push_back({host, "", model::fact_name::kHostName, host, ""});
      continue;
    }
    const std::set<std::string> repaired = repaired_of(host, repairs);
    if (!repaired.contains("")) Host(rules, repaired, changes).compare(*node, *found->second);
  }
  for (const auto& [host, node] : after) {
    if (!before.contains(host))
      changes.push_back({host, "", model::fact_name::kHostName, "", host});
  }
  return changes;
}

std::string to_text(const std::vector<Change>& changes) {
  std::string text;
  for (const Change& change : changes) {
    text += fmt::format("{}{}{}{}: {} was {}, is {}", text.empty() ? "" : "\n  ", change.host,
                        change.part.empty() ? "" : "/", change.part, change.fact,
                        change.was.empty() ? "not there" : change.was,
                        change.is.empty() ? "not there" : change.is);
  }
  return text;
}

}  // namespace rackproof::uniformity
