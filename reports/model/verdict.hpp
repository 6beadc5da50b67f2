#pragma once

#include <optional>
#include <string>

#include "reports/model/measurement.hpp"

namespace rackproof::model {

enum class Outcome {
  kPass,      ///< right, and as good as a limit asks for
  kVerified,  ///< right; no limit says how good it should be
  kFail,
  kUnjudged,
  kUntested,
  kWaived
};

/// Measured, and its answer is right: nothing that was judged speaks against it.
constexpr bool is_right(Outcome outcome) {
  return outcome == Outcome::kPass || outcome == Outcome::kVerified;
}

/// The judgement of one cell. `reason_id` is one of the catalogue's ids (catalogue.hpp), `reason`
/// the sentence with the facts of this cell. Numbers are in the base unit of the measurement.
struct Verdict {
  Outcome outcome = Outcome::kUntested;
  std::string reason_id;
  std::string reason;
  std::optional<double> observed;
  contract::Statistic statistic = contract::Statistic::kValue;  ///< which statistic `observed` is
  std::optional<double> limit_low;
  std::optional<double> limit_high;
  std::optional<double> ratio;  ///< observed / expected
  /// How much worse than its peers or its own history it is, as a share, where it fails by them.
  std::optional<double> deficit;
  std::optional<double> interval_low;
  std::optional<double> interval_high;
  std::optional<double> confidence;  ///< of the interval, for example 0.95
  std::string baseline;              ///< id of the baseline used, empty when none

  bool operator==(const Verdict&) const = default;
};

}  // namespace rackproof::model
