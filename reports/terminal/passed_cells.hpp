#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::terminal {

/// Passed cells of one step, metric and parameter set: different sizes are not one population.
/// Those that were only verified are in groups of their own.
struct PassedGroup {
  /// The limit that is the easiest to reach on one side, as people read it.
  struct Limit {
    std::optional<double> value;
    std::string text;
  };

  std::string step;
  std::string metric;
  contract::Parameters parameters;
  std::string unit;
  bool more = true;       ///< is better
  bool verified = false;  ///< no limit says how good they should be
  std::size_t cells = 0;
  std::vector<double> values;  ///< of the cells that have one
  Limit low;
  Limit high;
};

/// What the summary says of the cells that passed, gathered one by one: they need not all be in
/// memory.
class PassedCells {
 public:
  /// Takes a cell that passed or was verified; any other is no concern of this.
  void add(const model::Cell& cell);
  /// As if the cells of `later` had been added to these.
  void append(PassedCells later);

  /// In the order of their first cells.
  const std::vector<PassedGroup>& groups() const { return groups_; }

 private:
  /// What tells groups apart, without a copy: there are as many as cells.
  struct Key {
    const std::string& step;
    const std::string& metric;
    const contract::Parameters& parameters;
    const std::string& unit;
    bool more;
    bool verified;
  };

  /// The group of the key, a new one where there is none.
  PassedGroup& group_of(const Key& key);

  std::vector<PassedGroup> groups_;
  std::unordered_multimap<std::size_t, std::size_t> places_;  ///< by hash of the texts
};

}  // namespace rackproof::terminal
