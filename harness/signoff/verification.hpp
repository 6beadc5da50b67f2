#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/config/installed.hpp"
#include "harness/signoff/screen.hpp"
#include "reports/model/report.hpp"

namespace rackproof::signoff {

/// The report that is verified.
struct Exhibit {
  std::string file;
  std::string text;
  std::optional<model::Report> report;  ///< nothing: the text is none
};

/// By whom signatures count.
struct SignerRules {
  std::string signers;        ///< OpenSSH's file of allowed signers; empty: nobody is known
  std::string at;             ///< the time at which keys must have been valid; empty: now
  bool unsigned_too = false;  ///< a report that nobody signed is none the worse
  std::vector<std::string> roles = {};  ///< each of these must have signed
};

/// Whether the report has the form of its schema, and verdicts that follow from its evidence; which
/// steps were left out. It must be there.
void verify_report(const Exhibit& exhibit, const config::Paths& paths, Screen& screen);

/// Whether the time for which its suite accepts a machine is over: now, or `at` (as
/// SignerRules::at). Says nothing of a report that is not accepted, or has no such time.
void verify_validity(const model::Report& report, const std::string& at, Screen& screen);

/// Whether suite, tables and programs of the report are those that are installed here.
void verify_installed(const model::Report& report, const config::Paths& paths, Screen& screen);

/// Whether anybody signed it.
bool has_signatures(const std::string& file);

/// What each signature beside the report is worth. Throws UsageError for a file of signers that
/// cannot be read.
void verify_signatures(const SignerRules& rules, const Exhibit& exhibit, Screen& screen);

/// Whether the reports that it amends, one after the other, are those of then, by their digests:
/// those kept beside it in the folder amends, or at `named`, a report or a run directory (empty:
/// none). It must be there.
void verify_amended(const Exhibit& exhibit, const std::string& named, Screen& screen);

/// Whether journals and recordings are those of then, and give this report.
void verify_journals(const Exhibit& exhibit, Screen& screen);

}  // namespace rackproof::signoff
