#include "harness/cli/judged_again.hpp"

#include <utility>

#include "harness/assemble/assemble.hpp"
#include "harness/judge/judge.hpp"

namespace rackproof::cli {
namespace {

void count_verified_as_passed(model::Counts& counts) {
  counts.pass += std::exchange(counts.verified, 0);
}

}  // namespace

model::Report judged_again(model::Report report) {
  judge::judge(report);
  if (report.schema_version != model::kSchemaVersion) {
    for (model::Cell& cell : report.cells) {
      if (cell.verdict.outcome == model::Outcome::kVerified) {
        cell.verdict.outcome = model::Outcome::kPass;
      }
    }
    count_verified_as_passed(report.counts);
    count_verified_as_passed(report.required_counts);
  }
  assemble::explain(report);
  return report;
}

}  // namespace rackproof::cli
