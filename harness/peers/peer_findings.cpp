#include "harness/peers/peer_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "harness/evidence/reasons.hpp"
#include "reports/model/finding_id.hpp"
#include "reports/model/quantity.hpp"

namespace rackproof::peers {
namespace {

/// Scores are cut here: a report cannot say infinity.
constexpr double kLargestScoreSaid = 1e9;

/// "8.1 % lower"; of a value that is 0 or around it, nothing.
std::string distance_text(double share, bool lower) {
  return fmt::format("{:.2g} % {}", std::abs(share) * 100, lower ? "lower" : "higher");
}

double said(double score) { return std::clamp(score, -kLargestScoreSaid, kLargestScoreSaid); }

/// "a, b, c and 5 more"
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kMostNamed = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNamed); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kMostNamed) text += fmt::format(" and {} more", names.size() - kMostNamed);
  return text;
}

/// All of them, for who goes to pull boards; cut where a line would become a book.
std::string all_of(const std::vector<std::string>& names) {
  constexpr std::size_t kMostListed = 1000;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMostListed); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kMostListed) text += fmt::format(" and {} more", names.size() - kMostListed);
  return text;
}

/// Sets of one step with the same slower group.
struct Alike {
  const TwoKinds* shown = nullptr;
  std::size_t metrics = 0;
  bool keeps_back = false;
  std::string excuse;
};

model::Finding finding_of(const Alike& alike, const model::Cell& cell,
                          const std::vector<std::string>& slower, const std::string& unit) {
  const TwoKinds& kinds = *alike.shown;
  const std::size_t others = kinds.cells->size() - slower.size();
  const double share = kinds.slower_centre / kinds.faster_centre - 1;
  model::Finding finding;
  finding.id = model::finding_id::kBimodalPeers;
  finding.severity = alike.keeps_back ? model::Severity::kError : model::Severity::kWarning;
  finding.subject = some_of(slower);
  finding.step = cell.step;
  finding.text = fmt::format(
      "{}{}: {} of {} like subjects form a group of their own, median {}, {} than the {} of the "
      "other {}: {}{}{}",
      evidence::quantity_of(cell),
      alike.metrics > 1 ? fmt::format(" and {} more", alike.metrics - 1) : "", slower.size(),
      kinds.cells->size(), model::quantity(kinds.slower_centre, unit),
      distance_text(share, share < 0), model::quantity(kinds.faster_centre, unit), others,
      some_of(slower), kinds.refuted ? "; measured again, they do not" : "",
      alike.excuse.empty() ? "" : "; both are said to be right: " + alike.excuse);
  finding.evidence = {{"metric", cell.metric},
                      {"n", static_cast<std::int64_t>(kinds.cells->size())},
                      {"slower", static_cast<std::int64_t>(slower.size())},
                      {"members", all_of(slower)},
                      {"median", kinds.faster_centre},
                      {"slower_median", kinds.slower_centre},
                      {"gap", said(kinds.gap)},
                      {"distance", said(kinds.distance)},
                      {"metrics", static_cast<std::int64_t>(alike.metrics)}};
  return finding;
}

}  // namespace

model::Finding finding_of(const PeerComparison& comparison, const model::Cell& cell,
                          const cells::Judgement& judgement, double adjusted, bool bad) {
  const model::Measurement& measurement = *judgement.clean.back();
  const stats::Standing& standing = comparison.standing;
  const double value = *judgement.verdict.observed;
  const bool lower = (standing.deficit > 0) == (measurement.better == contract::Better::kMore);
  model::Finding finding;
  finding.id =
      comparison.with_history ? model::finding_id::kHistoryDrop : model::finding_id::kPeerOutlier;
  finding.severity = bad ? model::Severity::kWarning : model::Severity::kInfo;
  finding.subject = model::label(cell.subject);
  finding.step = cell.step;
  finding.text = fmt::format(
      "{}: {} is {} than {}, {} than the median {} of {} {} (z {:.1f}, adjusted p {:.1g})",
      evidence::quantity_of(cell), model::quantity(value, measurement.unit),
      bad ? "worse" : "better", comparison.with_history ? "in its earlier runs" : "its peers",
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

model::Finding finding_of(const Tested& tested, const model::Cell& cell,
                          const cells::Judgement& judgement, double adjusted,
                          const model::JudgePolicy& policy) {
  const model::Measurement& measurement = *judgement.clean.back();
  const Suspect& suspect = tested.suspect;
  const double value = *judgement.verdict.observed;
  const bool more = measurement.better == contract::Better::kMore;
  const double margin = suspect.with_history ? kHistoryEffect : policy.peer_margin;
  model::Finding finding;
  finding.id =
      suspect.with_history ? model::finding_id::kHistoryDrop : model::finding_id::kPeerOutlier;
  finding.severity = model::Severity::kError;
  finding.subject = model::label(cell.subject);
  finding.step = cell.step;
  finding.text = fmt::format(
      "{}: {} is {} than the median {} of its {} {}; {} later measurements{} confirm it: {}, more "
      "than the {:.2g} % that are allowed (adjusted p {:.1g})",
      evidence::quantity_of(cell), model::quantity(value, measurement.unit),
      distance_text(suspect.deficit, (suspect.deficit > 0) == more),
      model::quantity(suspect.reference, measurement.unit), suspect.n,
      suspect.with_history ? "earlier values" : "peers", tested.times,
      tested.controls == 0 ? std::string()
                           : fmt::format(", beside {} of the better half,", tested.controls),
      distance_text(tested.deficit, (tested.deficit > 0) == more), margin * 100, adjusted);
  finding.evidence = {{"metric", cell.metric},
                      {"cell", cell.id},
                      {"value", value},
                      {"median", suspect.reference},
                      {"deficit", said(suspect.deficit)},
                      {"confirmed_deficit", said(tested.deficit)},
                      {"margin", margin},
                      {"p", tested.p},
                      {"adjusted_p", adjusted},
                      {"n", static_cast<std::int64_t>(suspect.n)},
                      {"times", static_cast<std::int64_t>(tested.times)}};
  return finding;
}

std::vector<model::Finding> findings_of_unconfirmed(evidence::Courses& courses,
                                                    const cells::CellAt& at,
                                                    const std::vector<Suspect>& suspects) {
  std::map<std::string, std::vector<const Suspect*>> by_step;
  std::map<std::string, const Suspect*> worst;
  for (const Suspect& suspect : suspects) {
    const std::string& step = at(suspect.cell).step;
    by_step[step].push_back(&suspect);
    const Suspect*& known = worst[step];
    if (known == nullptr || suspect.deficit > known->deficit) known = &suspect;
  }
  std::vector<model::Finding> findings;
  for (const auto& [step, all] : by_step) {
    const Suspect& suspect = *worst[step];
    const model::Cell& cell = at(suspect.cell);
    const cells::Judgement judgement = cells::judge_cell(courses, cell);
    const model::Measurement& measurement = *judgement.clean.back();
    const bool more = measurement.better == contract::Better::kMore;
    model::Finding finding;
    finding.id = model::finding_id::kPeerUnconfirmed;
    finding.severity = model::Severity::kError;
    finding.subject = model::label(cell.subject);
    finding.step = step;
    finding.text = fmt::format(
        "{}: {} is {} than the median {} of its {} peers{}, and was not measured again to confirm "
        "it",
        evidence::quantity_of(cell), model::quantity(*judgement.verdict.observed, measurement.unit),
        distance_text(suspect.deficit, (suspect.deficit > 0) == more),
        model::quantity(suspect.reference, measurement.unit), suspect.n,
        all.size() == 1 ? "" : fmt::format(" ({} more results are like this)", all.size() - 1));
    finding.evidence = {{"metric", cell.metric},
                        {"cell", cell.id},
                        {"deficit", said(suspect.deficit)},
                        {"cells", static_cast<std::int64_t>(all.size())}};
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::vector<model::Finding> findings_of_kinds(evidence::Courses& courses,
                                              const cells::JudgedCells& judged,
                                              const cells::CellAt& at,
                                              const std::vector<TwoKinds>& split) {
  const double effect = courses.context().report().suite.policy.peer_effect;
  // By step and the labels of the slower group; in the order of their first set.
  std::map<std::pair<std::string, std::vector<std::string>>, std::size_t> seen;
  std::vector<std::pair<Alike, std::vector<std::string>>> all;
  for (const TwoKinds& kinds : split) {
    const cells::LikeCells& cells = *kinds.cells;
    std::vector<std::string> slower;
    for (std::size_t k = 0; k < cells.size(); ++k) {
      if (kinds.slower[k]) slower.push_back(model::label(judged.subject_of(cells[k])));
    }
    std::sort(slower.begin(), slower.end());
    const model::Cell& cell = at(cells.front());
    const std::string excuse = excuse_of(courses.context(), cell);
    const bool keeps_back = kinds.most >= effect && !kinds.refuted && excuse.empty();
    const auto [place, fresh] = seen.try_emplace({cell.step, slower}, all.size());
    if (fresh) all.emplace_back(Alike{&kinds, 0, keeps_back, excuse}, std::move(slower));
    Alike& alike = all[place->second].first;
    ++alike.metrics;
    // Shown is one that keeps the run back, where there is one.
    if (keeps_back && !alike.keeps_back) alike = {&kinds, alike.metrics, true, ""};
  }
  std::vector<model::Finding> findings;
  for (const auto& [alike, slower] : all) {
    const model::Cell& cell = at(alike.shown->cells->front());
    const cells::Judgement judgement = cells::judge_cell(courses, cell);
    findings.push_back(finding_of(alike, cell, slower, judgement.clean.back()->unit));
  }
  return findings;
}

}  // namespace rackproof::peers
