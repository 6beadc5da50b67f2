#pragma once

#include <string>
#include <vector>

#include "reports/model/finding_id.hpp"
#include "reports/model/scalar.hpp"

namespace rackproof::model {

/// kIsolate: the subject is to be taken out of service, and no run with it is accepted.
enum class Severity { kInfo, kWarning, kError, kIsolate };

/// Something noticed that is no cell. `id` is one of finding_id.
struct Finding {
  std::string id;
  Severity severity = Severity::kInfo;
  std::string subject;  ///< label of what it is about
  std::string text;     ///< the sentence with the facts
  std::string step;     ///< empty when it belongs to no step
  contract::Parameters evidence;

  bool operator==(const Finding&) const = default;
};

/// A finding that somebody has looked at and accepts for a time. What is empty fits every one.
struct Suppression {
  std::string id;       ///< glob over the id of the finding
  std::string subject;  ///< glob over its subject
  std::string fact;     ///< glob over the fact that its evidence names
  std::string reason;
  std::string until;  ///< the last day, YYYY-MM-DD

  bool operator==(const Suppression&) const = default;
};

/// Makes a finding that is suppressed on `day` (YYYY-MM-DD, or a time that begins so) one of
/// severity info that says until when and why. One whose suppressions are all over says that. True
/// when it is suppressed.
bool suppress(Finding& finding, const std::vector<Suppression>& suppressions,
              const std::string& day);

}  // namespace rackproof::model
