#include "harness/peers/comparisons.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "harness/peers/peers.hpp"
#include "harness/stats/history.hpp"
#include "harness/stats/margin.hpp"
#include "harness/stats/peer_sets.hpp"
#include "harness/stats/robust.hpp"

namespace rackproof::peers {
namespace {

bool lie_apart(const stats::Standings& among) {
  const double apart = std::abs(among.minor_centre - among.major_centre);
  return among.split && apart >= kKindsApart * std::abs(among.major_centre);
}

// The slower group is the one to look at, also where it is the larger one.
TwoKinds two_kinds(const cells::LikeCells& cells, const stats::Standings& among,
                   bool more_is_better) {
  const bool minor_is_slower = (among.minor_centre < among.major_centre) == more_is_better;
  TwoKinds kinds{&cells,    {},        among.minor_centre,   among.major_centre,
                 among.gap, among.gap, among.split->distance};
  if (!minor_is_slower) std::swap(kinds.slower_centre, kinds.faster_centre);
  for (const stats::Standing& one : among.each) {
    kinds.slower.push_back(one.in_minor == minor_is_slower);
  }
  return kinds;
}

}  // namespace

Comparisons::Comparisons(const evidence::Context& context, const cells::JudgedCells& judged)
    : judged_(judged),
      least_(std::max<std::size_t>(
          stats::kLeastPeers,
          static_cast<std::size_t>(std::max(context.report().suite.policy.peer_minimum, 0)))),
      sets_(judged.like_cells()) {}

void Comparisons::compare_whole(const model::ForEach& for_each) {
  for (std::size_t set = 0; set < sets_.size(); ++set) {
    if (sets_[set].size() < least_) continue;
    whole_.push_back({sets_[set], std::vector<bool>(sets_[set].size(), true), true});
    places_.push_back(set);
  }
  whole_standings_ = stand(whole_, for_each);
}

void Comparisons::compare(const cells::Kinds& kinds) {
  compare_with_peers(kinds);
  compare_with_history();
}

double Comparisons::ratio_to_history(std::size_t cell) const {
  return value_of(cell) / stats::median(history_of(cell));
}

// Several parts that fail together and lie apart from all others are a group as well, though too
// small a share to split the set. `failed` are comparisons with peers.
void Comparisons::add_small_groups(const std::vector<std::size_t>& failed, double effect) {
  std::map<std::size_t, std::vector<std::size_t>> by_set;
  for (const std::size_t one : failed) by_set[all_[one].set].push_back(one);
  for (const auto& [set, members] : by_set) {
    if (members.size() < 2 || standings_[set].split) continue;
    const stats::Standings& among = standings_[set];
    TwoKinds kinds{
        &compared_[set].cells, std::vector<bool>(among.each.size(), false), 0, 0, 0, 0, 0};
    for (const std::size_t one : members) {
      const cells::LikeCells& cells = compared_[set].cells;
      const auto place = std::lower_bound(cells.begin(), cells.end(), all_[one].cell);
      kinds.slower[static_cast<std::size_t>(place - cells.begin())] = true;
    }
    double nearest = std::numeric_limits<double>::infinity();
    double worst = -std::numeric_limits<double>::infinity();
    std::vector<double> slower;
    std::vector<double> faster;
    for (std::size_t k = 0; k < among.each.size(); ++k) {
      const double deficit = among.each[k].deficit;
      (kinds.slower[k] ? slower : faster).push_back(value_of(compared_[set].cells[k]));
      if (kinds.slower[k]) nearest = std::min(nearest, deficit);
      if (!kinds.slower[k]) worst = std::max(worst, deficit);
    }
    kinds.gap = kinds.most = nearest - worst;
    if (kinds.gap < effect) continue;
    kinds.slower_centre = stats::median(std::move(slower));
    kinds.faster_centre = stats::median(std::move(faster));
    split_.push_back(std::move(kinds));
  }
}

void Comparisons::refute(const std::map<std::size_t, double>& deficits, double effect) {
  for (TwoKinds& kinds : split_) {
    std::size_t slower = 0;
    std::vector<double> later;
    for (std::size_t k = 0; k < kinds.cells->size(); ++k) {
      if (!kinds.slower[k]) continue;
      ++slower;
      const auto again = deficits.find((*kinds.cells)[k]);
      if (again != deficits.end()) later.push_back(again->second);
    }
    kinds.refuted = !stats::is_still_a_group(slower, later, effect);
  }
  // What parts share, as a switch, shows in more than one metric, and perhaps only while both run.
  std::vector<std::set<std::string>> members;
  for (const TwoKinds& kinds : split_) {
    members.emplace_back();
    for (std::size_t k = 0; k < kinds.cells->size(); ++k) {
      if (kinds.slower[k])
        members.back().insert(model::label(judged_.subject_of((*kinds.cells)[k])));
    }
  }
  for (std::size_t i = 0; i < split_.size(); ++i) {
    for (std::size_t other = 0; other < split_.size() && split_[i].refuted; ++other) {
      const auto both = std::count_if(members[i].begin(), members[i].end(), [&](const auto& label) {
        return members[other].contains(label);
      });
      if (other != i && both >= 2) split_[i].refuted = false;
    }
  }
}

std::vector<stats::Standings> Comparisons::stand(const std::deque<Compared>& sets,
                                                 const model::ForEach& for_each) const {
  stats::PeerTest test(sets.size());
  for_each(sets.size(), [&](std::size_t i) {
    stats::LikeSet like{{}, more_is_better(sets[i].cells.front()), 1};
    like.values.reserve(sets[i].cells.size());
    for (const std::size_t cell : sets[i].cells) like.values.push_back(value_of(cell));
    test.take(i, like);
  });
  test.pool();
  std::vector<stats::Standings> standings(sets.size());
  for_each(sets.size(), [&](std::size_t i) { standings[i] = test.standings(i); });
  return standings;
}

void Comparisons::compare_with_peers(const cells::Kinds& kinds) {
  for (const std::size_t set : places_) {
    clusters_.push_back(kinds.of(set));
    apart_.push_back(kinds.apart(set));
  }
  for (std::size_t i = 0; i < whole_.size(); ++i) look_for_groups(i, whole_standings_[i]);
  if (kinds.any()) {
    compare_by_kind();
  } else {
    compared_ = std::move(whole_);
    standings_ = std::move(whole_standings_);
  }
  std::size_t tested = 0;
  for (const Compared& set : compared_) tested += set.cells.size();
  all_.reserve(tested);
  for (std::size_t i = 0; i < compared_.size(); ++i) {
    const Compared& set = compared_[i];
    const stats::Standings& among = standings_[i];
    for (std::size_t k = 0; k < set.cells.size(); ++k) {
      if (!set.tested[k]) continue;
      const stats::Standing& one = among.each[k];
      const bool with_minor = among.by_group && one.in_minor;
      all_.push_back({set.cells[k], false, one, with_minor ? among.minor_centre : among.centre,
                      among.each.size(), i});
    }
  }
}

// Each kind by itself, and what is of none with all (stats::peer_sets).
void Comparisons::compare_by_kind() {
  for (std::size_t i = 0; i < whole_.size(); ++i) {
    if (clusters_[i] == nullptr) {
      compared_.push_back(whole_[i]);
      continue;
    }
    for (const stats::PeerSet& some : stats::peer_sets(*clusters_[i])) {
      if (some.members.size() < stats::kLeastPeers) continue;
      compared_.push_back({{}, some.tested, some.whole});
      for (const std::size_t k : some.members) {
        compared_.back().cells.push_back(whole_[i].cells[k]);
      }
    }
  }
  standings_ = stand(compared_, model::one_by_one);
  for (std::size_t i = 0; i < compared_.size(); ++i) {
    if (!compared_[i].whole) add_split(compared_[i].cells, standings_[i]);
  }
}

void Comparisons::add_split(const cells::LikeCells& cells, const stats::Standings& among) {
  if (lie_apart(among)) {
    split_.push_back(two_kinds(cells, among, more_is_better(cells.front())));
  }
}

// By one metric alone, and by the kinds that all metrics told. What both say is said once.
void Comparisons::look_for_groups(std::size_t set, const stats::Standings& among) {
  const cells::LikeCells& cells = whole_[set].cells;
  const stats::KindsApart* apart = apart_[set];
  if (apart == nullptr || apart->most < kKindsApart) {
    add_split(cells, among);
    return;
  }
  TwoKinds kinds{
      &cells, apart->slower, apart->slower_centre, apart->faster_centre, apart->gap, apart->most,
      0};
  if (lie_apart(among)) {
    TwoKinds alone = two_kinds(cells, among, more_is_better(cells.front()));
    std::size_t differ = 0;
    for (std::size_t k = 0; k < cells.size(); ++k) {
      differ += alone.slower[k] != kinds.slower[k] ? 1 : 0;
    }
    if (10 * differ > cells.size()) {
      split_.push_back(std::move(alone));
    } else {
      kinds.most = std::max(kinds.most, alone.gap);
    }
  }
  split_.push_back(std::move(kinds));
}

void Comparisons::compare_with_history() {
  std::vector<stats::LikeSet> ratios;
  std::vector<cells::LikeCells> compared;
  std::vector<stats::OwnHistory> alone;
  std::vector<std::size_t> lonely;
  for (const cells::LikeCells& cells : sets_) {
    cells::LikeCells known;
    std::copy_if(cells.begin(), cells.end(), std::back_inserter(known), [this](std::size_t cell) {
      return judged_.summary(cell).history != nullptr && std::isfinite(ratio_to_history(cell));
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

}  // namespace rackproof::peers
