#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/ledger/overview.hpp"

namespace rackproof::ledger {

/// A run in a strip.
struct Mark {
  double began_seconds = 0;
  std::optional<model::Outcome> look;  ///< nothing: a thin line
  std::string link = {};               ///< address of its report, markup already; empty: none
  std::string title = {};              ///< foreign text, where there is a link
};

/// The days on which something ran, as the columns that all strips of a page share; the last
/// kColumns of them.
class Days {
 public:
  static constexpr std::size_t kColumns = 90;

  explicit Days(const std::vector<RunRef>& runs);
  bool has(double began_seconds) const;
  std::size_t columns() const { return column_of_.size(); }
  bool is_all() const { return all_; }  ///< whether no day was left out
  /// The first and the last day over the strips.
  std::string axis() const;
  /// A drawing without words: each run is as high as it is grave, those of one day side by side.
  /// Marks come newest first.
  std::string strip(const std::vector<Mark>& marks) const;

 private:
  std::map<std::int64_t, std::size_t> column_of_;
  bool all_ = true;
};

}  // namespace rackproof::ledger
