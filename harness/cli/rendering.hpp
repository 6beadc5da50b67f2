#pragma once

#include <string>
#include <vector>

#include "harness/warden/store.hpp"
#include "reports/model/report.hpp"

namespace rackproof::cli {

/// A form that a report can be given for people or other programs.
struct Rendering {
  std::string name;  ///< "junit"
  std::string file;  ///< beside the report: "report.junit.xml"
  /// The folder is the report's, for what stays beside it.
  std::string (*render)(const model::Report& report, const std::string& folder);
};

/// All of them, by name.
const std::vector<Rendering>& renderings();
/// "csv, junit, ...": their names, for messages.
std::string rendering_names();
/// Throws UsageError for a name that is none.
const Rendering& rendering_of(const std::string& name);

/// Writes a report's renderings beside it and gives the lines that say where they are. One that
/// cannot be written is said there too: the report itself is on disk already.
std::string write_renderings(warden::Store& store, const model::Report& report,
                             const std::vector<std::string>& names);

/// A file of that text, whole or not there. Throws warden::StoreError.
void write_out(const std::string& file, const std::string& text);

}  // namespace rackproof::cli
