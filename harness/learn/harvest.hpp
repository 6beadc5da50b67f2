#pragma once

#include <compare>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::learn {

/// What makes cells of different runs and subjects alike.
struct Kind {
  std::string metric;
  contract::Parameters parameters;
  std::string backend;
  std::size_t hosts = 1;  ///< of the subject
  std::string unit;
  contract::Better better = contract::Better::kMore;
  contract::Statistic statistic = contract::Statistic::kMedian;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy takes the 0 inside a default <=> for a null.
  auto operator<=>(const Kind&) const = default;
};

/// "stream.triad type=double (cuda, 1 host)".
std::string label(const Kind& kind);

/// One trusted number of one cell of one run.
struct Value {
  double value = 0;
  double edge = 0;      ///< the bad end of its interval; the value itself without one
  std::string subject;  ///< label
  std::string host;     ///< the first of the subject
};

/// A report that amends another repeats the numbers that it keeps: each counts once.
class SeenNumbers {
 public:
  /// False for a number of an attempt that was given before.
  bool is_new(const model::Cell& cell);

 private:
  std::set<std::pair<std::string, std::string>> seen_;  ///< attempt, cell
};

/// The numbers of all cells that passed, or that nobody judged, by kind.
std::map<Kind, std::vector<Value>> harvest(const std::vector<model::Report>& reports);

}  // namespace rackproof::learn
