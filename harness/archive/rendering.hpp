#pragma once

#include <string>
#include <vector>

#include "harness/archive/report_file.hpp"
#include "harness/support/store.hpp"
#include "reports/model/report.hpp"
#include "reports/openmetrics/openmetrics.hpp"

namespace rackproof::archive {

/// The form for a browser.
inline constexpr const char* kPageFormat = "html";

/// A form that a report can be given for people or other programs.
struct Rendering {
  std::string name;  ///< "junit"
  std::string file;  ///< beside the report: "report.junit.xml"
  /// The folder is the report's, for what stays beside it.
  std::string (*render)(const model::Report& report, const std::string& folder);
  /// Of a form that leaves details of large reports out: with as many as are asked for.
  std::string (*in_detail)(const model::Report& report, openmetrics::Details details) = nullptr;
};

/// All of them, by name.
const std::vector<Rendering>& renderings();
/// "csv, junit, ...": their names, for messages.
std::string rendering_names();
/// Throws UsageError for a name that is none.
const Rendering& rendering_of(const std::string& name);

/// What write_report() wrote.
struct WrittenReport {
  std::string file;  ///< the report
  std::string said;  ///< where it and its renderings are: lines for people
};

/// Writes the report (write_json), then its renderings beside it.
/// A rendering that cannot be written is said there too. One that cannot be made becomes a finding
/// report-part-failed of the report, which then is not accepted, and is written again with the
/// other renderings. Throws support::StoreError when the report itself cannot be
/// written.
WrittenReport write_report(support::Store& store, model::Report& report,
                           const std::vector<Rendering>& wanted,
                           Compress compress = Compress::kAuto);
/// The same, by the names of the renderings.
WrittenReport write_report(support::Store& store, model::Report& report,
                           const std::vector<std::string>& names,
                           Compress compress = Compress::kAuto);

}  // namespace rackproof::archive
