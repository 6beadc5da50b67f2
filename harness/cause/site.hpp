#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "harness/cause/condition.hpp"
#include "reports/model/report.hpp"

namespace rackproof::cause {

/// What a rule says of one site.
struct Hit {
  double strength = 0;
  std::string subject;
  std::string text;
  const model::Finding* finding = nullptr;  ///< what it rests on; null: on something else
};

/// A host, or a device of one, while a step was tried there.
struct Site {
  /// One list for each rule of the table: of one that begins with findings, as many as there are.
  std::vector<std::vector<Hit>> hits;
  bool recorded = false;  ///< some of its series have samples
};

/// Looks at each host and device once for each step, however many cells it has. Keeps pointers into
/// the report, whose attempts, nodes, findings, events and cause table must not change meanwhile.
class Sites {
 public:
  explicit Sites(const model::Report& report);

  const std::vector<const model::Attempt*>& attempts(const std::string& step,
                                                     const std::string& host) const;
  /// With an empty `device`, the node.
  const Site& at(const std::string& step, const std::string& host, const std::string& device);

 private:
  using Attempts = std::vector<const model::Attempt*>;
  using Findings = std::vector<const model::Finding*>;
  using Events = std::vector<const model::Event*>;

  Site look(const std::string& step, const std::string& host, const std::string& device) const;
  std::vector<Hit> hits_of(const model::CauseRule& rule, const Attempts& attempts, Scene scene,
                           const std::string& label) const;
  std::optional<Hit> apply(const model::CauseRule& rule, const Attempts& attempts, Scene scene,
                           const std::string& label) const;

  const model::CauseTable& table_;
  std::map<std::pair<std::string, std::string>, Attempts> attempts_;   ///< by step and host
  std::map<std::pair<std::string, std::string>, const Facts*> facts_;  ///< by host and device
  std::map<std::string, Findings> findings_;                           ///< by label of subject
  /// By attempt and device; those of nothing that is a GPU of the host, with an empty device.
  std::map<std::pair<std::string, std::string>, Events> events_;
  std::map<std::tuple<std::string, std::string, std::string>, Site> sites_;
};

}  // namespace rackproof::cause
