#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/document/document.hpp"
#include "reports/model/platform_table.hpp"

namespace rackproof::config {

/// Where something was written.
struct Place {
  std::string file;
  int line = 0;       ///< 1-based
  std::string field;  ///< "baselines[2].expected"
};

/// A platform table with the files that it was read from: the model types carry no places, and
/// whoever complains about a table has to say where.
struct PlacedTable {
  model::PlatformTable table;
  std::vector<std::shared_ptr<const document::Document>> files;  ///< as table.chain: this one first

  /// The place of `path` ("recognise", "facts.peak.x", "expect[0].fact" as a list of steps) in this
  /// table's own file; that of its nearest parent which is there.
  Place own(const std::vector<std::string>& path) const;
  /// The place of a part of a baseline of the table, its own or an inherited one.
  Place baseline(const model::Baseline& baseline, const std::vector<std::string>& path) const;
  /// Names of the facts that this table's own file states, in its order.
  std::vector<std::string> own_facts() const;
  /// The units in which this table's own file gives its facts, by name.
  std::map<std::string, std::string> own_fact_units() const;
  /// How many of table.waivers this table's own file gives; they come first.
  std::size_t own_waivers() const;
  /// The place of a part of the waiver with this number in table.waivers.
  Place waiver(std::size_t number, const std::vector<std::string>& path) const;
  /// How many of table.demands this table's own file gives; they come first.
  std::size_t own_demands() const;
  /// The place of a part of the demand with this number among its own.
  Place demand(std::size_t number, const std::vector<std::string>& path) const;
  /// The place of a part of a fact, in the file nearest to this table that states it.
  Place fact(const std::string& name, const std::vector<std::string>& path) const;
};

/// load_platform (platform.hpp), with the files.
PlacedTable load_placed_platform(const std::string& path, const std::string& search_directory);

}  // namespace rackproof::config
