#include "harness/judge/peers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "harness/judge/peer_findings.hpp"
#include "harness/judge/reasons.hpp"
#include "harness/judge/suspects.hpp"
#include "harness/stats/history.hpp"
#include "harness/stats/multiplicity.hpp"
#include "harness/stats/peers.hpp"
#include "harness/stats/robust.hpp"

namespace rackproof::judge {
namespace {

/// Every comparison of the run, and the sets that fell into two groups.
class Comparisons {
 public:
  Comparisons(const Context& context, const Docket& docket)
      : docket_(docket),
        least_(std::max<std::size_t>(
            stats::kLeastPeers,
            static_cast<std::size_t>(std::max(context.report().suite.policy.peer_minimum, 0)))),
        sets_(docket.like_cells()) {
    compare_with_peers();
    compare_with_history();
  }

  const std::vector<Comparison>& all() const { return all_; }
  const std::vector<TwoKinds>& split() const { return split_; }

  /// Several parts that fail together and lie apart from all others are a group as well, though too
  /// small a share to split the set. `failed` are comparisons with peers.
  void add_small_groups(const std::vector<std::size_t>& failed, double effect) {
    std::map<std::size_t, std::vector<std::size_t>> by_set;
    for (const std::size_t one : failed) by_set[all_[one].set].push_back(one);
    for (const auto& [set, members] : by_set) {
      if (members.size() < 2 || standings_[set].split) continue;
      const stats::Standings& among = standings_[set];
      TwoKinds kinds{compared_[set], std::vector<bool>(among.each.size(), false), 0, 0, 0, 0};
      for (const std::size_t one : members) {
        const LikeCells& cells = *compared_[set];
        const auto place = std::lower_bound(cells.begin(), cells.end(), all_[one].cell);
        kinds.slower[static_cast<std::size_t>(place - cells.begin())] = true;
      }
      double nearest = std::numeric_limits<double>::infinity();
      double worst = -std::numeric_limits<double>::infinity();
      std::vector<double> slower;
      std::vector<double> faster;
      for (std::size_t k = 0; k < among.each.size(); ++k) {
        const double deficit = among.each[k].deficit;
        (kinds.slower[k] ? slower : faster).push_back(value_of((*compared_[set])[k]));
        if (kinds.slower[k]) nearest = std::min(nearest, deficit);
        if (!kinds.slower[k]) worst = std::max(worst, deficit);
      }
      kinds.gap = nearest - worst;
      if (kinds.gap < effect) continue;
      kinds.slower_centre = stats::median(std::move(slower));
      kinds.faster_centre = stats::median(std::move(faster));
      split_.push_back(std::move(kinds));
    }
  }

 private:
  double value_of(std::size_t cell) const { return docket_.heard(cell).observed; }

  bool more_is_better(std::size_t cell) const { return docket_.heard(cell).more_is_better; }

  const std::vector<double>& history_of(std::size_t cell) const {
    return docket_.heard(cell).history->values;
  }

  double ratio_to_history(std::size_t cell) const {
    return value_of(cell) / stats::median(history_of(cell));
  }

  void compare_with_peers() {
    std::vector<stats::LikeSet> values;
    for (const LikeCells& cells : sets_) {
      if (cells.size() < least_) continue;
      values.push_back({{}, more_is_better(cells.front()), 1});
      for (const std::size_t cell : cells) values.back().values.push_back(value_of(cell));
      compared_.push_back(&cells);
    }
    standings_ = stats::stand_among_peers(values);
    for (std::size_t i = 0; i < compared_.size(); ++i) {
      const stats::Standings& among = standings_[i];
      for (std::size_t k = 0; k < compared_[i]->size(); ++k) {
        const stats::Standing& one = among.each[k];
        const bool with_minor = among.by_group && one.in_minor;
        all_.push_back({(*compared_[i])[k], false, one,
                        with_minor ? among.minor_centre : among.centre, among.each.size(), i});
      }
      const double apart = std::abs(among.minor_centre - among.major_centre);
      if (!among.split || apart < kKindsApart * std::abs(among.major_centre)) continue;
      split_.push_back(two_kinds(*compared_[i], among, values[i].more_is_better));
    }
  }

  /// The slower group is the one to look at, also where it is the larger one.
  static TwoKinds two_kinds(const LikeCells& cells, const stats::Standings& among,
                            bool more_is_better) {
    const bool minor_is_slower = (among.minor_centre < among.major_centre) == more_is_better;
    TwoKinds kinds{
        &cells, {}, among.minor_centre, among.major_centre, among.gap, among.split->distance};
    if (!minor_is_slower) std::swap(kinds.slower_centre, kinds.faster_centre);
    for (const stats::Standing& one : among.each) {
      kinds.slower.push_back(one.in_minor == minor_is_slower);
    }
    return kinds;
  }

  void compare_with_history() {
    std::vector<stats::LikeSet> ratios;
    std::vector<LikeCells> compared;
    std::vector<stats::OwnHistory> alone;
    std::vector<std::size_t> lonely;
    for (const LikeCells& cells : sets_) {
      LikeCells known;
      std::copy_if(cells.begin(), cells.end(), std::back_inserter(known), [this](std::size_t cell) {
        return docket_.heard(cell).history != nullptr && std::isfinite(ratio_to_history(cell));
      });
      if (known.size() < least_) {
        for (const std::size_t cell : known) {
          alone.push_back({history_of(cell), value_of(cell), more_is_better(cell)});
          lonely.push_back(cell);
        }
        continue;
      }
      stats::LikeSet set{{}, more_is_better(known.front()), 1};
      for (const std::size_t cell : known) {
        set.values.push_back(ratio_to_history(cell));
        set.own_variance =
            std::min(set.own_variance, stats::own_variance_of_ratio(history_of(cell).size()));
      }
      ratios.push_back(std::move(set));
      compared.push_back(std::move(known));
    }
    const auto add = [&](std::size_t cell, const stats::Standing& standing) {
      const std::vector<double>& values = history_of(cell);
      all_.push_back({cell, true, standing, stats::median(values), values.size(), 0});
    };
    const auto among = stats::stand_among_peers(ratios);
    for (std::size_t i = 0; i < among.size(); ++i) {
      for (std::size_t k = 0; k < compared[i].size(); ++k) add(compared[i][k], among[i].each[k]);
    }
    const auto against_own = stats::stand_in_history(alone);
    for (std::size_t i = 0; i < alone.size(); ++i) add(lonely[i], against_own[i]);
  }

  const Docket& docket_;
  std::size_t least_;
  std::vector<LikeCells> sets_;
  std::vector<const LikeCells*> compared_;
  std::vector<stats::Standings> standings_;
  std::vector<Comparison> all_;
  std::vector<TwoKinds> split_;
};

/// A comparison that a procedure rejects.
struct Standout {
  std::size_t comparison = 0;
  double adjusted = 1;
  bool bad = false;
};

/// By cell, and peers before history.
using Standouts = std::map<std::pair<std::size_t, bool>, Standout>;

Standouts standouts_of(const std::vector<Comparison>& all, double discovery_rate) {
  std::vector<double> worse;
  std::vector<double> better;
  for (const Comparison& one : all) {
    worse.push_back(one.standing.p);
    // That a part is faster than it was says nothing against it.
    if (!one.with_history) better.push_back(one.standing.p_better);
  }
  Standouts found;
  const auto add = [&](const stats::Rejection& rejection, bool bad) {
    const Comparison& one = all[rejection.index];
    found[{one.cell, one.with_history}] = {rejection.index, rejection.adjusted, bad};
  };
  // The comparisons with peers come first, so that their places are those in `better` too.
  for (const auto& one : stats::benjamini_hochberg(better, discovery_rate)) add(one, false);
  for (const auto& one : stats::benjamini_hochberg(worse, discovery_rate)) add(one, true);
  return found;
}

/// The comparisons with peers that Holm's procedure rejects and whose deficit counts.
std::vector<std::size_t> far_out(const std::vector<Comparison>& all,
                                 const model::JudgePolicy& policy) {
  std::vector<double> worse;
  for (const Comparison& one : all) worse.push_back(one.standing.p);
  std::vector<std::size_t> found;
  for (const stats::Rejection& rejection : stats::holm(worse, policy.family_alpha)) {
    const Comparison& one = all[rejection.index];
    if (one.with_history || one.standing.deficit < policy.peer_effect) continue;
    found.push_back(rejection.index);
  }
  return found;
}

void fail(std::size_t cell, const model::Finding& finding, bool with_history, Docket& docket,
          Amendments& amendments) {
  Heard& heard = docket.heard(cell);
  heard.optional_baseline = false;
  if (heard.outcome == model::Outcome::kFail) return;
  heard.outcome = model::Outcome::kFail;
  amendments[cell] = {model::Outcome::kFail,
                      with_history ? reason_id::kHistoryDrop : reason_id::kPeerOutlier,
                      finding.text};
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
std::vector<model::Finding> fail_confirmed(const Context& context, Courses& courses, Docket& docket,
                                           const CellAt& at, Standouts& standouts,
                                           Amendments& amendments) {
  const model::JudgePolicy& policy = context.report().suite.policy;
  const Confirmations said = test_suspects(context, docket, at);
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
        finding_of(*one.first, cell, judge_cell(courses, cell), one.second, policy);
    fail(place, finding, with_history, docket, amendments);
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

std::vector<model::Finding> compare_peers(const Context& context, Docket& docket, const CellAt& at,
                                          Amendments& amendments) {
  const model::JudgePolicy& policy = context.report().suite.policy;
  Comparisons comparisons(context, docket);
  Courses courses(context);
  Standouts standouts = standouts_of(comparisons.all(), policy.discovery_rate);
  std::vector<model::Finding> findings;
  if (policy.peer_outlier_fails) {
    findings = fail_confirmed(context, courses, docket, at, standouts, amendments);
  } else {
    // Where they fail, the run is rejected anyhow.
    comparisons.add_small_groups(far_out(comparisons.all(), policy), policy.peer_effect);
  }
  for (const auto& [key, standout] : standouts) {
    const model::Cell& cell = at(key.first);
    findings.push_back(finding_of(comparisons.all()[standout.comparison], cell,
                                  judge_cell(courses, cell), standout.adjusted, standout.bad));
  }
  for (auto& finding : findings_of_kinds(courses, docket, at, comparisons.split())) {
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace rackproof::judge
