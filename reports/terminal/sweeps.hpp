#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "reports/terminal/layout.hpp"

namespace rackproof::terminal {

/// An operation of a step at several message sizes, as users of nccl-tests know it.
struct Sweep {
  /// One metric at one size, over all subjects.
  struct Number {
    std::optional<double> worst;
    std::string unit;
    bool more = true;  ///< is better
  };
  struct Size {
    std::size_t cells = 0;
    std::map<std::string, Number> numbers;         ///< by the metric's last word: "busbw"
    std::map<std::string, std::string> limits;     ///< by the same; the easiest one
    std::map<model::Outcome, std::size_t> others;  ///< cells that neither passed nor were verified
    bool limited = false;                          ///< some cell passed a limit
  };

  std::string step;
  std::string operation;             ///< "all_reduce"
  std::string parameters;            ///< all but the size: "dtype=float ranks=72"
  std::vector<std::string> metrics;  ///< last words in the order of their first cells
  std::map<std::int64_t, Size> sizes;
};

/// The sweeps of a report: what has a parameter `bytes` of at least three values. `passed` holds
/// its cells that passed, the others are in the report.
class Sweeps {
 public:
  Sweeps(const model::Report& report, const PassedCells& passed);

  /// In the order of their first cells, those that passed first.
  const std::vector<Sweep>& all() const { return all_; }
  /// Whether the group is in one of them.
  bool hold(const PassedGroup& group) const;

 private:
  using Key = std::tuple<std::string, std::string, std::string>;

  /// The size that metric and parameters are of; null where they have none.
  Sweep::Size* size_of(const std::string& step, const std::string& metric,
                       const contract::Parameters& parameters);
  void add(const PassedGroup& group);
  void add(const model::Cell& cell);

  std::vector<Sweep> all_;
  std::map<Key, std::size_t> places_;
};

/// A table for each sweep: a row for each size, the worst number of each metric, the limit.
void add_sweeps(Page& page, const Sweeps& sweeps);

}  // namespace rackproof::terminal
