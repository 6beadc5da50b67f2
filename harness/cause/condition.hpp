#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::cause {

using Facts = std::map<std::string, model::Fact>;

/// What the conditions of a rule are held against: one host or device, in the time of one attempt.
struct Scene {
  const model::Attempt* attempt = nullptr;  ///< null: nothing that was recorded
  std::string device;                       ///< whose series count; empty: those of the node
  const Facts* facts = nullptr;             ///< null: none
  const std::vector<const model::Finding*>* findings = nullptr;  ///< null: none
  const std::vector<const model::Event*>* events = nullptr;      ///< of the attempt; null: none
};

/// A condition that holds, in words.
struct Evidence {
  double strength = 0;  ///< how far beyond the limit, to be compared under one condition only
  std::string value;
  std::string limit;
  std::string subject;  ///< what of the host: an interface, a memory controller; may be empty
  std::string finding;
};

/// Of several series, facts or findings that it fits, the one where it holds most clearly.
std::optional<Evidence> find_evidence(const model::CauseCondition& condition, const Scene& scene);

/// A statistic of a series by its name, a share of the reason `bit` too; nothing when it has none.
std::optional<double> statistic_of(const model::SeriesSummary& series, const std::string& name,
                                   const std::string& bit);

/// True when a series counts in the scene: the device's own, or one of no GPU.
bool counts(const model::SeriesSummary& series, const Scene& scene);

}  // namespace rackproof::cause
