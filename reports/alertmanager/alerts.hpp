#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::alertmanager {

/// How soon somebody must look, in the words that rules for Prometheus mostly have.
enum class Urgency { kWarning, kCritical };

constexpr const char* word(Urgency urgency) {
  return urgency == Urgency::kCritical ? "critical" : "warning";
}

/// Names are Prometheus' ([a-zA-Z_][a-zA-Z0-9_]*); values may be any text, and empty.
using Labels = std::map<std::string, std::string>;

/// Something that somebody is to be told.
struct Alert {
  Labels labels = {};  ///< what tells it from others of the run: alertname, where it is
  Urgency urgency = Urgency::kWarning;
  std::string summary = {};                   ///< the sentence
  std::vector<std::string> description = {};  ///< more of them
  std::string action = {};                    ///< what to do; empty: not known
};

/// The alerts of a run as alertmanager.hpp has them, the verdict first, then parts, the worst
/// first, then findings. Pure.
std::vector<Alert> alerts_of(const model::Report& report);

}  // namespace rackproof::alertmanager
