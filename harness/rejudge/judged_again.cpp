#include "harness/rejudge/judged_again.hpp"

#include <utility>

#include "harness/assemble/assemble.hpp"
#include "harness/judge/judge.hpp"
#include "reports/json/report_json.hpp"

namespace rackproof::rejudge {
namespace {

void count_verified_as_passed(model::Counts& counts) {
  counts.pass += std::exchange(counts.verified, 0);
}

}  // namespace

model::Report judged_again(model::Report report) {
  judge::judge(report);
  if (!model::tells_claims(report.schema_version)) {
    for (model::Cell& cell : report.cells) {
      if (cell.verdict.outcome == model::Outcome::kVerified) {
        cell.verdict.outcome = model::Outcome::kPass;
      }
    }
    if (report.acceptance == model::Acceptance::kVerified) {
      report.acceptance = model::Acceptance::kAccepted;
    }
    report.judged_claims.clear();
    count_verified_as_passed(report.counts);
    count_verified_as_passed(report.required_counts);
  }
  assemble::explain(report);
  return report;
}

}  // namespace rackproof::rejudge
