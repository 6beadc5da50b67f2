#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "contract/better.hpp"
#include "contract/statistic.hpp"
#include "reports/model/scalar.hpp"
#include "reports/model/subject.hpp"

namespace rackproof::model {

/// What was compared to prove a number.
struct CheckResult {
  std::string name;
  bool passed = false;
  std::string detail;
  std::int64_t compared = 0;
  std::int64_t wrong = 0;
  std::string first_wrong_where = {};  ///< empty when nothing was wrong
  std::string first_wrong_got = {};
  std::string first_wrong_want = {};
  std::optional<std::int64_t> first_wrong_rank = {};  ///< of a group: the rank that holds it
  /// Of a group: the rank whose data it should be; none where it is made of that of all.
  std::optional<std::int64_t> first_wrong_from = {};
  std::string digest =
      {};  ///< hex; of the answer, to be compared with that of others; may be empty

  bool operator==(const CheckResult&) const = default;
};

/// What a bench said about one cell, in a base unit, with the check that proves it.
struct Measurement {
  std::string metric;
  std::string unit;
  contract::Better better = contract::Better::kMore;
  contract::Statistic statistic = contract::Statistic::kMedian;  ///< which statistic `value` is
  double value = 0;
  std::vector<double> samples;
  contract::Parameters parameters;
  /// What held while it was measured, as far as the bench knows (algorithm, transport): part of
  /// what the number means, no part of which cell it is.
  contract::Parameters conditions = {};
  Subject subject;
  CheckResult check;
  std::string attempt;  ///< nonce of the process that said it

  bool operator==(const Measurement&) const = default;
};

}  // namespace rackproof::model
