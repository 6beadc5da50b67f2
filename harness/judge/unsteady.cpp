#include "harness/judge/unsteady.hpp"

#include <fmt/format.h>

#include <map>
#include <string>

#include "harness/evidence/reasons.hpp"
#include "reports/model/finding_id.hpp"
#include "reports/model/reason_id.hpp"

namespace rackproof::judge {

using model::Outcome;

std::vector<model::Finding> find_unsteady(const model::JudgePolicy& policy,
                                          cells::JudgedCells& judged, const cells::CellAt& at,
                                          cells::Amendments& amendments) {
  std::map<std::string, cells::JudgedCells::Tally> steps = judged.scattered();
  const bool ignored = policy.disturbed == model::Disturbed::kIgnore;
  for (const cells::Contradicted& one : judged.neighbours().contradicted()) {
    if (ignored) break;
    cells::CellSummary& summary = judged.summary(one.cell);
    if (!model::is_right(summary.outcome) && summary.outcome != Outcome::kUnjudged) continue;
    summary.outcome = Outcome::kUntested;
    summary.trusted = false;
    amendments[one.cell] = {Outcome::kUntested, model::reason_id::kDisturbed, one.why};
    const model::Cell& cell = at(one.cell);
    cells::JudgedCells::Tally& tally = steps[cell.step];
    if (tally.cells++ > 0) continue;
    tally.subject = model::label(cell.subject);
    tally.why = fmt::format("{}: {}", evidence::quantity_of(cell), one.why);
  }
  std::vector<model::Finding> findings;
  for (const auto& [step, tally] : steps) {
    model::Finding finding;
    finding.id = model::finding_id::kUnsteady;
    finding.severity = model::Severity::kWarning;
    finding.subject = tally.subject;
    finding.step = step;
    finding.text = tally.cells == 1 ? tally.why
                                    : fmt::format("{} cells, the first {}", tally.cells, tally.why);
    finding.evidence = {{"cells", static_cast<std::int64_t>(tally.cells)}};
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::string unsteadiness(const model::Report& report) {
  std::int64_t cells = 0;
  for (const model::Finding& finding : report.findings) {
    if (finding.id != model::finding_id::kUnsteady) continue;
    const auto found = finding.evidence.find("cells");
    const auto* said =
        found == finding.evidence.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
    cells += said == nullptr ? 1 : *said;
  }
  if (cells == 0) return "";
  return cells == 1 ? "one number scatters or contradicts others"
                    : fmt::format("{} numbers scatter or contradict each other", cells);
}

}  // namespace rackproof::judge
