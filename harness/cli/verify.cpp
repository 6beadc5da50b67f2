#include <fmt/format.h>

#include "harness/archive/report_file.hpp"
#include "harness/cli/summary.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/rejudge/before_claims.hpp"
#include "harness/signoff/verification.hpp"
#include "harness/support/digest.hpp"
#include "harness/support/files.hpp"
#include "reports/json/report_json.hpp"
#include "reports/model/words.hpp"

namespace rackproof::cli {
namespace {

using signoff::Screen;
using signoff::State;

// Gives why it is no report that can be judged.
std::string read_exhibit(signoff::Exhibit& exhibit) {
  try {
    exhibit.report = model::report_from_json(exhibit.text);
    archive::require_policy(*exhibit.report, exhibit.file);
    return "";
  } catch (const model::BadReport& bad) {
    return exhibit.file + ": " + bad.what();
  } catch (const UsageError& error) {
    exhibit.report.reset();
    return error.what();
  }
}

}  // namespace

int verify_verb(const VerifyOptions& options, const Program& program) {
  signoff::Exhibit exhibit;
  exhibit.file = archive::report_file(options.report);
  exhibit.text = support::read_file(exhibit.file);
  Screen screen;
  screen.report = exhibit.file;
  screen.sha256 = support::sha256_hex(exhibit.text);
  if (const std::string why = read_exhibit(exhibit); !why.empty()) {
    if (!signoff::has_signatures(exhibit.file)) throw UsageError(why);
    screen.add(State::kFails, "report", why);
  }
  if (exhibit.report) {
    const model::Report& report = *exhibit.report;
    screen.what = fmt::format("run {}, suite {}, {}", report.run.id, report.suite.id,
                              contract::word(report.acceptance));
    screen.acceptance = contract::word(report.acceptance);
    screen.verdict = verdict_line(report);
    screen.verdict.pop_back();  // its newline
    signoff::verify_report(exhibit, program.paths, screen);
    signoff::verify_validity(report, options.at, screen);
  }
  signoff::verify_signatures({options.signers, options.at, options.unsigned_too, options.roles},
                             exhibit, screen);
  signoff::verify_journals(exhibit, screen);
  if (exhibit.report) signoff::verify_amended(exhibit, options.amends, screen);
  if (exhibit.report) signoff::verify_installed(*exhibit.report, program.paths, screen);
  print(options.json ? to_json(screen) : to_text(screen));
  if (!screen.holds()) return kIntegrity;
  return options.exit_code ? rejudge::verdict_code(*exhibit.report) : 0;
}

}  // namespace rackproof::cli
