#include "harness/peers/peers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "harness/cells/kinds.hpp"
#include "harness/evidence/reasons.hpp"
#include "harness/peers/comparisons.hpp"
#include "harness/peers/peer_findings.hpp"
#include "harness/peers/suspects.hpp"
#include "harness/stats/multiplicity.hpp"
#include "reports/model/reason_id.hpp"

namespace rackproof::peers {
namespace {

/// A comparison that a procedure rejects.
struct Standout {
  std::size_t comparison = 0;
  double adjusted = 1;
  bool bad = false;
};

/// By cell, and peers before history.
using Standouts = std::map<std::pair<std::size_t, bool>, Standout>;

Standouts standouts_of(const std::vector<PeerComparison>& all, double discovery_rate) {
  std::vector<double> worse;
  std::vector<double> better;
  for (const PeerComparison& one : all) {
    worse.push_back(one.standing.p);
    // That a part is faster than it was says nothing against it.
    if (!one.with_history) better.push_back(one.standing.p_better);
  }
  Standouts found;
  const auto add = [&](const stats::Rejection& rejection, bool bad) {
    const PeerComparison& one = all[rejection.index];
    found[{one.cell, one.with_history}] = {rejection.index, rejection.adjusted, bad};
  };
  // The comparisons with peers come first, so that their places are those in `better` too.
  for (const auto& one : stats::benjamini_hochberg(better, discovery_rate)) add(one, false);
  for (const auto& one : stats::benjamini_hochberg(worse, discovery_rate)) add(one, true);
  return found;
}

/// The comparisons with peers that Holm's procedure rejects and whose deficit counts.
std::vector<std::size_t> far_out(const std::vector<PeerComparison>& all,
                                 const model::JudgePolicy& policy) {
  std::vector<double> worse;
  for (const PeerComparison& one : all) worse.push_back(one.standing.p);
  std::vector<std::size_t> found;
  for (const stats::Rejection& rejection : stats::holm(worse, policy.family_alpha)) {
    const PeerComparison& one = all[rejection.index];
    if (one.with_history || one.standing.deficit < policy.peer_effect) continue;
    found.push_back(rejection.index);
  }
  return found;
}

void fail(std::size_t cell, const model::Finding& finding, const Tested& tested,
          cells::JudgedCells& judged, cells::Amendments& amendments) {
  cells::CellSummary& summary = judged.summary(cell);
  if (summary.outcome == model::Outcome::kFail) return;
  summary.outcome = model::Outcome::kFail;
  amendments[cell] = {
      model::Outcome::kFail,
      tested.suspect.with_history ? model::reason_id::kHistoryDrop : model::reason_id::kPeerOutlier,
      finding.text, true, tested.suspect.deficit};
}

/// One finding for each part and step, that of its worst cell, in the order of the first ones.
class ConfirmedFindings {
 public:
  void add(model::Finding finding, double deficit) {
    const auto [place, fresh] =
        places_.try_emplace({finding.id, finding.step, finding.subject}, all_.size());
    if (fresh) all_.push_back({model::Finding(), 0, -std::numeric_limits<double>::infinity()});
    Entry& entry = all_[place->second];
    ++entry.cells;
    if (deficit <= entry.deficit) return;
    entry.finding = std::move(finding);
    entry.deficit = deficit;
  }

  std::vector<model::Finding> take() {
    std::vector<model::Finding> findings;
    for (Entry& entry : all_) {
      entry.finding.evidence["cells"] = entry.cells;
      if (entry.cells > 1) {
        entry.finding.text += fmt::format("; {} more of its results {} like this", entry.cells - 1,
                                          entry.cells == 2 ? "is" : "are");
      }
      findings.push_back(std::move(entry.finding));
    }
    return findings;
  }

 private:
  struct Entry {
    model::Finding finding;
    std::int64_t cells = 0;
    double deficit = 0;
  };
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> places_;
  std::vector<Entry> all_;
};

/// Fails what its later values confirm, by Holm's procedure over all suspects among peers, and over
/// all against their history. Takes those out of `standouts`, whose findings would say less.
std::vector<model::Finding> fail_confirmed(const Confirmations& said, evidence::Courses& courses,
                                           cells::JudgedCells& judged, const cells::CellAt& at,
                                           Standouts& standouts, cells::Amendments& amendments) {
  const model::JudgePolicy& policy = courses.context().report().suite.policy;
  std::map<std::pair<std::size_t, bool>, std::pair<const Tested*, double>> failed;
  for (const bool with_history : {false, true}) {
    std::vector<double> p;
    std::vector<const Tested*> tested;
    for (const Tested& one : said.tested) {
      if (one.suspect.with_history != with_history) continue;
      p.push_back(one.p);
      tested.push_back(&one);
    }
    // Half for peers and half for history, of which each run has far fewer.
    for (const stats::Rejection& rejection : stats::holm(p, policy.family_alpha / 2)) {
      const Tested* one = tested[rejection.index];
      failed[{one->suspect.cell, with_history}] = {one, rejection.adjusted};
    }
  }
  ConfirmedFindings confirmed;
  for (const auto& [key, one] : failed) {
    const auto& [place, with_history] = key;
    const model::Cell& cell = at(place);
    model::Finding finding =
        finding_of(*one.first, cell, cells::judge_cell(courses, cell), one.second, policy);
    fail(place, finding, *one.first, judged, amendments);
    confirmed.add(std::move(finding), one.first->deficit);
    standouts.erase(key);
  }
  std::vector<model::Finding> findings = confirmed.take();
  for (auto& finding : findings_of_unconfirmed(courses, at, said.unconfirmed)) {
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

std::vector<model::Finding> compare_peers(const evidence::Context& context,
                                          cells::JudgedCells& judged, const cells::CellAt& at,
                                          cells::Amendments& amendments,
                                          const model::ForEach& for_each) {
  const model::JudgePolicy& policy = context.report().suite.policy;
  std::optional<cells::Kinds> told;
  Comparisons comparisons(context, judged);
  // Neither needs the other.
  for_each(2, [&](std::size_t which) {
    if (which == 0) {
      told.emplace(context, judged);
    } else {
      comparisons.compare_whole(for_each);
    }
  });
  const cells::Kinds& kinds = *told;
  comparisons.compare(kinds);
  evidence::Courses courses(context);
  Standouts standouts = standouts_of(comparisons.all(), policy.discovery_rate);
  std::vector<model::Finding> findings;
  if (policy.peer_outlier_fails) {
    const Confirmations said = test_suspects(context, judged, at, kinds);
    std::map<std::size_t, double> again;
    for (const Tested& one : said.tested) {
      if (one.suspect.with_history) continue;
      double& deficit = again.try_emplace(one.suspect.cell, one.deficit).first->second;
      deficit = std::max(deficit, one.deficit);
    }
    comparisons.refute(again, policy.peer_effect);
    findings = fail_confirmed(said, courses, judged, at, standouts, amendments);
  } else {
    // Where they fail, the run is rejected anyhow.
    comparisons.add_small_groups(far_out(comparisons.all(), policy), policy.peer_effect);
  }
  for (const auto& [key, standout] : standouts) {
    const model::Cell& cell = at(key.first);
    findings.push_back(finding_of(comparisons.all()[standout.comparison], cell,
                                  cells::judge_cell(courses, cell), standout.adjusted,
                                  standout.bad));
  }
  for (auto& finding : findings_of_kinds(courses, judged, at, comparisons.split())) {
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace rackproof::peers
