#include "harness/judge/peer_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "reports/model/quantity.hpp"

namespace rackproof::judge {
namespace {

/// Scores are cut here: a report cannot say infinity.
constexpr double kLargestScore = 1e9;

std::string quantity_of(const model::Cell& cell) {
  return fmt::format("{}{}{}", cell.metric, cell.parameters.empty() ? "" : " ",
                     model::to_text(cell.parameters));
}

/// "8.1 % lower"; of a value that is 0 or around it, nothing.
std::string distance_text(double share, bool lower) {
  return fmt::format("{:.2g} % {}", std::abs(share) * 100, lower ? "lower" : "higher");
}

double said(double score) { return std::clamp(score, -kLargestScore, kLargestScore); }

/// "a, b, c and 5 more"
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kNamed = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kNamed); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kNamed) text += fmt::format(" and {} more", names.size() - kNamed);
  return text;
}

model::Finding finding_of(const TwoKinds& kinds, const model::Cell& cell,
                          const std::vector<std::string>& minor, const std::string& unit,
                          std::size_t metrics) {
  const stats::Standings& standings = *kinds.standings;
  const double share = standings.minor_centre / standings.centre - 1;
  model::Finding finding;
  finding.id = "bimodal-peers";
  finding.severity = model::Severity::kWarning;
  finding.subject = some_of(minor);
  finding.step = cell.step;
  finding.text = fmt::format(
      "{}{}: {} of {} like subjects form a group of their own, median {}, {} than the others' {}: "
      "{}",
      quantity_of(cell), metrics > 1 ? fmt::format(" and {} more", metrics - 1) : "", minor.size(),
      standings.each.size(), model::quantity(standings.minor_centre, unit),
      distance_text(share, share < 0), model::quantity(standings.centre, unit), some_of(minor));
  finding.evidence = {{"metric", cell.metric},
                      {"n", static_cast<std::int64_t>(standings.each.size())},
                      {"smaller", static_cast<std::int64_t>(minor.size())},
                      {"median", standings.centre},
                      {"smaller_median", standings.minor_centre},
                      {"distance", said(standings.split->distance)},
                      {"metrics", static_cast<std::int64_t>(metrics)}};
  return finding;
}

}  // namespace

model::Finding finding_of(const Comparison& comparison, const model::Cell& cell,
                          const Judgement& judgement, double adjusted, bool bad) {
  const model::Measurement& measurement = *judgement.clean.back();
  const stats::Standing& standing = comparison.standing;
  const double value = *judgement.verdict.observed;
  const bool lower = (standing.deficit > 0) == (measurement.better == model::Better::kMore);
  model::Finding finding;
  finding.id = comparison.with_history ? "history-drop" : "peer-outlier";
  finding.severity = bad ? model::Severity::kWarning : model::Severity::kInfo;
  finding.subject = model::label(cell.subject);
  finding.step = cell.step;
  finding.text = fmt::format(
      "{}: {} is {} than {}, {} than the median {} of {} {} (z {:.1f}, adjusted p {:.1g})",
      quantity_of(cell), model::quantity(value, measurement.unit), bad ? "worse" : "better",
      comparison.with_history ? "in its earlier runs" : "its peers",
      distance_text(standing.deficit, lower), model::quantity(comparison.centre, measurement.unit),
      comparison.n, comparison.with_history ? "earlier values" : "like subjects",
      std::abs(said(standing.z)), adjusted);
  finding.evidence = {{"metric", cell.metric},
                      {"cell", cell.id},
                      {"value", value},
                      {"median", comparison.centre},
                      {"deficit", said(standing.deficit)},
                      {"z", said(lower ? -std::abs(standing.z) : std::abs(standing.z))},
                      {"p", bad ? standing.p : standing.p_better},
                      {"adjusted_p", adjusted},
                      {"n", static_cast<std::int64_t>(comparison.n)}};
  return finding;
}

std::vector<model::Finding> findings_of_kinds(Courses& courses, const Docket& docket,
                                              const CellAt& at,
                                              const std::vector<TwoKinds>& split) {
  struct Seen {
    std::size_t first = 0;
    std::size_t metrics = 0;
  };
  // By step and the labels of the smaller group.
  std::map<std::pair<std::string, std::vector<std::string>>, Seen> seen;
  for (std::size_t i = 0; i < split.size(); ++i) {
    const LikeCells& cells = *split[i].cells;
    std::vector<std::string> minor;
    for (std::size_t k = 0; k < cells.size(); ++k) {
      if (!split[i].standings->each[k].in_minor) continue;
      minor.push_back(model::label(docket.subject_of(cells[k])));
    }
    std::sort(minor.begin(), minor.end());
    const auto key = std::pair(at(cells.front()).step, std::move(minor));
    const auto [place, fresh] = seen.try_emplace(key, Seen{i, 0});
    ++place->second.metrics;
  }
  std::map<std::size_t, model::Finding> by_set;
  for (const auto& [key, one] : seen) {
    const model::Cell& cell = at(split[one.first].cells->front());
    by_set.emplace(one.first,
                   finding_of(split[one.first], cell, key.second,
                              judge_cell(courses, cell).clean.back()->unit, one.metrics));
  }
  std::vector<model::Finding> findings;
  for (auto& [set, finding] : by_set) findings.push_back(std::move(finding));
  return findings;
}

}  // namespace rackproof::judge
