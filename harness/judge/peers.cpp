#include "harness/judge/peers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "harness/judge/observe.hpp"
#include "harness/judge/reasons.hpp"
#include "harness/stats/outlier.hpp"
#include "harness/stats/robust.hpp"
#include "reports/model/quantity.hpp"

namespace rackproof::judge {
namespace {

using model::Better;
using model::Measurement;
using model::SubjectKind;

/// Step, metric, parameters, platform, name of the device, unit; direction, statistic, kind and
/// size of the subject.
using Likeness = std::tuple<std::string, std::string, model::Parameters, std::string, std::string,
                            std::string, Better, model::Statistic, SubjectKind, std::size_t>;

/// Scores are cut here: a report cannot say infinity.
constexpr double kLargestScore = 1e9;

struct Member {
  std::size_t cell;
  double value;
};

/// Tells like from unlike subjects of one kind.
std::size_t size_of(const model::Subject& subject) {
  switch (subject.kind) {
    case SubjectKind::kNode:
    case SubjectKind::kDevice:
      return 1;
    case SubjectKind::kLink:
    case SubjectKind::kGroup:
      return hosts_of(subject).size();
  }
  return 1;
}

std::map<Likeness, std::vector<Member>> like_cells(const Context& context,
                                                   const std::vector<Judgement>& judgements) {
  std::map<Likeness, std::vector<Member>> sets;
  for (std::size_t i = 0; i < judgements.size(); ++i) {
    if (judgements[i].clean.empty()) continue;
    const model::Cell& cell = context.report().cells[i];
    const Platform platform = context.platform_of(cell.subject);
    if (platform.table == nullptr) continue;
    const Measurement& last = *judgements[i].clean.back();
    const auto observed =
        observe(judgements[i].clean, last.statistic, context.report().suite.policy.confidence);
    if (!observed) continue;
    sets[Likeness{cell.step, cell.metric, cell.parameters, platform.table->id,
                  context.device_name(cell.subject.host, cell.subject.device), last.unit,
                  last.better, last.statistic, cell.subject.kind, size_of(cell.subject)}]
        .push_back({i, observed->value});
  }
  const auto least = std::max<std::size_t>(
      stats::kLeastPeers,
      static_cast<std::size_t>(std::max(context.report().suite.policy.peer_minimum, 0)));
  std::erase_if(sets, [least](const auto& set) { return set.second.size() < least; });
  return sets;
}

model::Finding finding_of(const model::Cell& cell, const Measurement& measurement, double value,
                          const stats::Spread& among, double z, double threshold, std::size_t n,
                          bool bad) {
  model::Finding finding;
  finding.id = "peer-outlier";
  finding.severity = bad ? model::Severity::kWarning : model::Severity::kInfo;
  finding.subject = model::label(cell.subject);
  finding.step = cell.step;
  finding.text = fmt::format(
      "{}{}{}: {} is {} than its peers (median of {}: {}; modified z {:.1f}, threshold {:.1f})",
      cell.metric, cell.parameters.empty() ? "" : " ", model::to_text(cell.parameters),
      model::quantity(value, measurement.unit), bad ? "worse" : "better", n,
      model::quantity(among.median, measurement.unit), z, threshold);
  finding.evidence = {{"metric", cell.metric},
                      {"cell", cell.id},
                      {"value", value},
                      {"median", among.median},
                      {"z", z},
                      {"threshold", threshold},
                      {"n", static_cast<std::int64_t>(n)}};
  return finding;
}

void fail(Judgement& judgement, const model::Finding& finding, double value,
          model::Statistic statistic) {
  judgement.optional_baseline = false;
  model::Verdict& verdict = judgement.verdict;
  if (verdict.outcome == model::Outcome::kFail) return;
  verdict.outcome = model::Outcome::kFail;
  verdict.reason_id = reason_id::kPeerOutlier;
  verdict.reason = finding.text;
  if (verdict.observed) return;
  verdict.observed = value;
  verdict.statistic = statistic;
}

}  // namespace

std::vector<model::Finding> compare_peers(const Context& context,
                                          std::vector<Judgement>& judgements) {
  const model::JudgePolicy& policy = context.report().suite.policy;
  const std::map<Likeness, std::vector<Member>> sets = like_cells(context, judgements);
  std::size_t compared = 0;
  for (const auto& [likeness, members] : sets) compared += members.size();

  std::map<std::size_t, model::Finding> found;
  for (const auto& [likeness, members] : sets) {
    std::vector<double> values;
    for (const Member& member : members) values.push_back(member.value);
    const stats::Spread among = stats::spread(values);
    const std::size_t n = members.size();
    const double bad_side =
        stats::peer_threshold(policy.family_alpha, compared, n, stats::Sides::kOne);
    const double good_side =
        stats::peer_threshold(policy.family_alpha, compared, n, stats::Sides::kTwo);
    for (const Member& member : members) {
      const double z =
          std::clamp(stats::modified_z(member.value, among), -kLargestScore, kLargestScore);
      const model::Cell& cell = context.report().cells[member.cell];
      Judgement& judgement = judgements[member.cell];
      const Measurement& measurement = *judgement.clean.back();
      const bool bad = measurement.better == Better::kMore ? z < 0 : z > 0;
      const double threshold = bad ? bad_side : good_side;
      if (!(std::abs(z) > threshold)) continue;
      const model::Finding& finding = found[member.cell] =
          finding_of(cell, measurement, member.value, among, z, threshold, n, bad);
      if (bad && policy.peer_outlier_fails) {
        found[member.cell].severity = model::Severity::kError;
        fail(judgement, finding, member.value, measurement.statistic);
      }
    }
  }
  std::vector<model::Finding> findings;
  findings.reserve(found.size());
  for (auto& [cell, finding] : found) findings.push_back(std::move(finding));
  return findings;
}

}  // namespace rackproof::judge
