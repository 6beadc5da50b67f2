#pragma once

#include <optional>
#include <string>

#include "harness/cli/verbs.hpp"
#include "harness/signoff/screen.hpp"
#include "reports/model/report.hpp"

namespace rackproof::cli {

/// The report that is verified.
struct Exhibit {
  std::string file;
  std::string text;
  std::optional<model::Report> report;  ///< nothing: the text is none
};

/// Whether anybody signed it.
bool has_signatures(const std::string& file);

/// What each signature beside the report is worth. Throws UsageError for a file of signers that
/// cannot be read.
void verify_signatures(const VerifyOptions& options, const Exhibit& exhibit,
                       signoff::Screen& screen);

/// Whether journals and recordings are those of then, and give this report.
void verify_journals(const Exhibit& exhibit, signoff::Screen& screen);

}  // namespace rackproof::cli
