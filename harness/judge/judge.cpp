#include "harness/judge/judge.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "harness/judge/acceptance.hpp"
#include "harness/judge/cell.hpp"
#include "harness/judge/expectations.hpp"
#include "harness/judge/flaky.hpp"
#include "harness/judge/peers.hpp"
#include "harness/judge/votes.hpp"

namespace rackproof::judge {
namespace {

/// Cells that one thread looks at together: most neighbours are of one step and subject.
constexpr std::size_t kCellsAtOnce = 1024;

void require_share(double value, const char* field) {
  if (!(value > 0 && value < 1)) {
    throw std::invalid_argument(std::string("suite.policy.") + field +
                                " must lie between 0 and 1, but is " + std::to_string(value));
  }
}

void require_policy(const model::JudgePolicy& policy) {
  require_share(policy.confidence, "confidence");
  require_share(policy.family_alpha, "family_alpha");
  require_share(policy.discovery_rate, "discovery_rate");
}

}  // namespace

void judge(model::Report& report, const model::ForEach& for_each) {
  require_policy(report.suite.policy);
  std::vector<model::Finding> own;
  std::vector<Judgement> judgements;
  {
    const Context context(report);
    judgements.resize(report.cells.size());
    for_each((report.cells.size() + kCellsAtOnce - 1) / kCellsAtOnce, [&](std::size_t group) {
      Courses courses(context);
      const std::size_t end = std::min((group + 1) * kCellsAtOnce, report.cells.size());
      for (std::size_t i = group * kCellsAtOnce; i < end; ++i) {
        judgements[i] = judge_cell(courses, report.cells[i]);
      }
    });
    own = find_unmet(report);
    for (model::Finding& finding : find_flaky(report)) own.push_back(std::move(finding));
    for (const auto compare : {count_votes, compare_peers}) {
      for (model::Finding& finding : compare(context, judgements)) {
        own.push_back(std::move(finding));
      }
    }
  }
  std::vector<bool> optional_baseline;
  for (std::size_t i = 0; i < judgements.size(); ++i) {
    report.cells[i].verdict = std::move(judgements[i].verdict);
    optional_baseline.push_back(judgements[i].optional_baseline);
  }
  std::erase_if(report.findings, [](const model::Finding& finding) {
    return std::find(kOwnFindings.begin(), kOwnFindings.end(), finding.id) != kOwnFindings.end();
  });
  std::move(own.begin(), own.end(), std::back_inserter(report.findings));
  conclude(report, optional_baseline);
}

bool straddles(const model::Report& report, const model::Cell& cell) {
  require_policy(report.suite.policy);
  const Context context(report);
  Courses courses(context);
  return is_split(judge_cell(courses, cell).verdict);
}

}  // namespace rackproof::judge
