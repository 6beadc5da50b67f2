#include "harness/peers/suspects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "harness/recognise/match.hpp"
#include "harness/stats/margin.hpp"
#include "harness/stats/modes.hpp"
#include "harness/stats/peer_sets.hpp"
#include "harness/stats/peers.hpp"
#include "harness/stats/robust.hpp"
#include "reports/model/glob.hpp"

namespace rackproof::peers {
namespace {

/// Like cells that are compared with each other: all of a set, one kind, or one of two groups.
struct Peers {
  cells::LikeCells cells;
  std::vector<bool> tested;    ///< of each cell; the others are compared with, and are no suspects
  std::vector<double> values;  ///< as they are compared
  std::vector<double> divisors;  ///< of the observed ones
  bool more_is_better = true;
  bool with_history = false;
  std::size_t earlier = 0;  ///< values that a divisor is the median of
};

/// Peers with suspects among them.
struct Suspicion {
  Peers peers;
  std::vector<double> references;     ///< of each value
  std::vector<std::size_t> suspects;  ///< places in it
  std::vector<std::size_t> controls;  ///< places in it, the nearest to the median first
};

Peers part_of(const Peers& peers, const std::vector<std::size_t>& places) {
  Peers part{{}, {}, {}, {}, peers.more_is_better, peers.with_history, peers.earlier};
  for (const std::size_t place : places) {
    part.cells.push_back(peers.cells[place]);
    part.tested.push_back(peers.tested[place]);
    part.values.push_back(peers.values[place]);
    part.divisors.push_back(peers.divisors[place]);
  }
  return part;
}

/// Where ascending values fall into two groups; 0: nowhere.
std::size_t find_split(const std::vector<double>& sorted, double effect, bool excused) {
  const double gap = effect * stats::median(sorted);
  auto split = stats::split_in_two(sorted);
  if (!split) split = stats::split_at_gap(sorted, gap);
  if (split) return split->below;
  if (!excused) return 0;
  const auto parts = stats::best_two_parts(sorted, 2);
  return parts && sorted[parts->below] - sorted[parts->below - 1] >= gap ? parts->below : 0;
}

std::vector<Peers> divide(const Peers& peers, double effect, bool excused) {
  std::vector<std::size_t> order(peers.values.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return peers.values[a] < peers.values[b]; });
  std::vector<double> sorted;
  for (const std::size_t place : order) sorted.push_back(peers.values[place]);
  const std::size_t below = find_split(sorted, effect, excused);
  if (below == 0) return {peers};
  std::vector<std::size_t> lower(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(below));
  std::vector<std::size_t> upper(order.begin() + static_cast<std::ptrdiff_t>(below), order.end());
  std::sort(lower.begin(), lower.end());
  std::sort(upper.begin(), upper.end());
  return {part_of(peers, lower), part_of(peers, upper)};
}

/// All suspects of a cells judged.
class Suspicions {
 public:
  /// Those of one step, or of all when it is empty.
  Suspicions(const evidence::Context& context, const cells::JudgedCells& judged,
             const cells::CellAt& at, const cells::Kinds& kinds, const std::string& step)
      : context_(context),
        judged_(judged),
        at_(at),
        policy_(context.report().suite.policy),
        effect_(std::min(policy_.peer_effect, policy_.peer_margin)) {
    const std::vector<cells::LikeCells> sets = judged.like_cells();
    const auto is_asked = [&](const cells::LikeCells& cells) {
      return step.empty() || at(cells.front()).step == step;
    };
    for (std::size_t set = 0; set < sets.size(); ++set) {
      if (is_asked(sets[set])) compare_with_peers(sets[set], kinds.of(set));
    }
    for (const cells::LikeCells& cells : sets) {
      if (is_asked(cells)) compare_with_history(cells);
    }
  }

  const std::vector<Suspicion>& all() const { return all_; }

  Suspect suspect(const Suspicion& suspicion, std::size_t place) const {
    const Peers& peers = suspicion.peers;
    Suspect suspect;
    suspect.cell = peers.cells[place];
    suspect.with_history = peers.with_history;
    suspect.reference = suspicion.references[place] * peers.divisors[place];
    suspect.deficit =
        stats::shortfall(peers.values[place], suspicion.references[place], peers.more_is_better);
    suspect.n = peers.with_history ? history_of(suspect.cell).size() : peers.cells.size() - 1;
    return suspect;
  }

 private:
  const std::vector<double>& history_of(std::size_t cell) const {
    return judged_.summary(cell).history->values;
  }

  Peers peers_of(const cells::LikeCells& cells) const {
    Peers peers;
    peers.more_is_better = judged_.summary(cells.front()).more_is_better;
    for (const std::size_t cell : cells) {
      const double value = judged_.summary(cell).observed;
      if (!(value > 0)) continue;
      peers.cells.push_back(cell);
      peers.tested.push_back(true);
      peers.values.push_back(value);
      peers.divisors.push_back(1);
    }
    return peers;
  }

  bool has_suspects(const Peers& peers) const {
    const std::vector<double> references = stats::medians_of_others(peers.values);
    for (std::size_t i = 0; i < references.size(); ++i) {
      const double deficit = stats::shortfall(peers.values[i], references[i], peers.more_is_better);
      if (deficit > effect_) return true;
    }
    return false;
  }

  void compare_with_peers(const cells::LikeCells& cells, const stats::Clusters* clusters) {
    const auto least = std::max<std::size_t>(
        stats::kLeastPeers, static_cast<std::size_t>(std::max(policy_.peer_minimum, 0)));
    const Peers peers = peers_of(cells);
    // Of kinds one may hide a suspect that is like the others.
    if (peers.cells.size() < least || (clusters == nullptr && !has_suspects(peers))) return;
    const bool excused = !excuse_of(context_, at_(cells.front())).empty();
    if (clusters == nullptr) {
      compare_groups(peers, excused);
      return;
    }
    for (const stats::PeerSet& set : stats::peer_sets(*clusters)) {
      cells::LikeCells members;
      for (const std::size_t place : set.members) members.push_back(cells[place]);
      Peers some = peers_of(members);
      // What has no number above zero is no peer.
      for (std::size_t i = 0, place = 0; i < some.cells.size(); ++i, ++place) {
        while (members[place] != some.cells[i]) ++place;
        some.tested[i] = set.tested[place];
      }
      compare_groups(some, excused);
    }
  }

  void compare_groups(const Peers& peers, bool excused) {
    if (peers.cells.empty()) return;
    for (const Peers& group : divide(peers, policy_.peer_effect, excused)) {
      if (group.cells.size() < 2) continue;
      suspect_in(group, stats::medians_of_others(group.values), effect_);
    }
  }

  void compare_with_history(const cells::LikeCells& cells) {
    cells::LikeCells known;
    std::copy_if(cells.begin(), cells.end(), std::back_inserter(known),
                 [this](std::size_t cell) { return judged_.summary(cell).history != nullptr; });
    std::erase_if(known, [this](std::size_t cell) {
      const double ratio = judged_.summary(cell).observed / stats::median(history_of(cell));
      return !(std::isfinite(ratio) && ratio > 0);
    });
    if (known.empty()) return;
    Peers peers = peers_of(known);
    peers.with_history = true;
    for (std::size_t i = 0; i < peers.cells.size(); ++i) {
      const std::vector<double>& values = history_of(peers.cells[i]);
      peers.divisors[i] = stats::median(values);
      peers.values[i] /= peers.divisors[i];
      peers.earlier = std::max(peers.earlier, values.size());
    }
    if (peers.cells.size() >= stats::kLeastPeers) {
      suspect_in(peers, stats::medians_of_others(peers.values), kHistorySuspect);
    } else {
      suspect_in(peers, std::vector<double>(peers.cells.size(), 1), kHistorySuspect);
    }
  }

  void suspect_in(const Peers& peers, std::vector<double> references, double effect) {
    Suspicion suspicion{peers, std::move(references), {}, {}};
    for (std::size_t place = 0; place < peers.cells.size(); ++place) {
      const cells::CellSummary& summary = judged_.summary(peers.cells[place]);
      const double deficit =
          stats::shortfall(peers.values[place], suspicion.references[place], peers.more_is_better);
      if (summary.outcome == model::Outcome::kFail) continue;
      if (deficit > effect && peers.tested[place]) suspicion.suspects.push_back(place);
      if (deficit <= 0) suspicion.controls.push_back(place);
    }
    if (suspicion.suspects.empty()) return;
    std::stable_sort(suspicion.controls.begin(), suspicion.controls.end(),
                     [&](std::size_t a, std::size_t b) {
                       return (peers.values[a] < peers.values[b]) == peers.more_is_better &&
                              peers.values[a] != peers.values[b];
                     });
    all_.push_back(std::move(suspicion));
  }

  const evidence::Context& context_;
  const cells::JudgedCells& judged_;
  const cells::CellAt& at_;
  const model::JudgePolicy& policy_;
  double effect_;  ///< what the margin fails is always looked at
  std::vector<Suspicion> all_;
};

stats::Retest retest_of(const cells::JudgedCells& judged, const Suspicion& suspicion) {
  const Peers& peers = suspicion.peers;
  const auto retaken = [&](const std::vector<std::size_t>& places) {
    std::vector<stats::Retaken> parts;
    for (const std::size_t place : places) {
      stats::Retaken part{peers.values[place], judged.again(peers.cells[place])};
      for (double& value : part.again) value /= peers.divisors[place];
      parts.push_back(std::move(part));
    }
    return parts;
  };
  const bool among_peers = !peers.with_history || peers.cells.size() >= stats::kLeastPeers;
  return {peers.more_is_better, among_peers ? peers.cells.size() - 1 : 0, peers.earlier,
          retaken(suspicion.controls), retaken(suspicion.suspects)};
}

}  // namespace

std::string excuse_of(const evidence::Context& context, const model::Cell& cell) {
  const model::PlatformTable* table = context.platform_of(cell.subject).table;
  if (table != nullptr) {
    for (const model::Waiver& groups : table->groups) {
      if (model::glob_match(groups.metric, cell.metric) &&
          recognise::parameters_match(groups.parameters, cell.parameters)) {
        return fmt::format("{} (table {})", groups.reason, table->id);
      }
    }
  }
  return context.report().suite.policy.accept_groups;
}

bool may_have_suspects(const cells::JudgedCells& judged, const model::JudgePolicy& policy) {
  const double effect = std::min(policy.peer_effect, policy.peer_margin);
  for (const cells::LikeCells& cells : judged.like_cells()) {
    std::optional<double> best;
    std::optional<double> worst;
    for (const std::size_t cell : cells) {
      const cells::CellSummary& summary = judged.summary(cell);
      if (summary.history != nullptr) return true;
      if (!(summary.observed > 0)) continue;
      const bool more = summary.more_is_better;
      if (!best || (summary.observed > *best) == more) best = summary.observed;
      if (!worst || (summary.observed < *worst) == more) worst = summary.observed;
    }
    if (best &&
        stats::shortfall(*worst, *best, judged.summary(cells.front()).more_is_better) > effect)
      return true;
  }
  return false;
}

std::vector<SuspectedSet> suspects_of(const evidence::Context& context,
                                      const cells::JudgedCells& judged, const cells::CellAt& at,
                                      const std::string& step) {
  std::vector<SuspectedSet> found;
  const Suspicions suspicions(context, judged, at, cells::Kinds(context, judged, step), step);
  for (const Suspicion& suspicion : suspicions.all()) {
    SuspectedSet set;
    for (const std::size_t place : suspicion.suspects) {
      set.suspects.push_back(suspicions.suspect(suspicion, place));
    }
    for (const std::size_t place : suspicion.controls) {
      set.controls.push_back(suspicion.peers.cells[place]);
    }
    found.push_back(std::move(set));
  }
  return found;
}

Confirmations test_suspects(const evidence::Context& context, const cells::JudgedCells& judged,
                            const cells::CellAt& at, const cells::Kinds& kinds) {
  const model::JudgePolicy& policy = context.report().suite.policy;
  Confirmations summary;
  const Suspicions suspicions(context, judged, at, kinds, "");
  for (const Suspicion& suspicion : suspicions.all()) {
    const stats::Retest retest = retest_of(judged, suspicion);
    const bool with_history = suspicion.peers.with_history;
    const double margin = with_history ? kHistoryEffect : policy.peer_margin;
    const auto controls = static_cast<std::size_t>(
        std::count_if(retest.controls.begin(), retest.controls.end(),
                      [](const stats::Retaken& one) { return one.again.size() > 1; }));
    for (std::size_t i = 0; i < suspicion.suspects.size(); ++i) {
      const Suspect suspect = suspicions.suspect(suspicion, suspicion.suspects[i]);
      const auto again =
          stats::confirm(retest, i, suspicion.references[suspicion.suspects[i]], margin);
      if (again && (controls > 0 || with_history)) {
        summary.tested.push_back(
            {suspect, again->deficit, again->p, retest.suspects[i].again.size(), controls});
      } else if (!with_history && suspect.deficit > margin) {
        summary.unconfirmed.push_back(suspect);
      }
    }
  }
  return summary;
}

}  // namespace rackproof::peers
