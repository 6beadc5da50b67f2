#include "harness/localise/confirm.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "harness/stats/margin.hpp"
#include "harness/stats/multiplicity.hpp"

namespace rackproof::localise {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

class Partners {
 public:
  Partners(const Network& network, const Fit& fit, const Accusations& accusations)
      : network_(network), fit_(fit), barred_(network.members().size(), false) {
    for (const Accused& accused : accusations.accused) {
      for (const std::uint32_t m : accused.members) barred_[m] = true;
    }
    order_.resize(network.members().size());
    std::iota(order_.begin(), order_.end(), 0U);
    std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return fit.of_member[a] > fit.of_member[b];
    });
    // Of the upper half, the nearest to the middle first: the best one may be a lucky one.
    order_.resize(order_.size() / 2);
    std::reverse(order_.begin(), order_.end());
  }

  /// What a pair should give; nothing where no link like it was measured.
  std::optional<double> expected(const Pair& pair) const {
    const auto kind = network_.kind_between(pair.first, pair.second);
    if (!kind) return std::nullopt;
    return network_.value_of(fit_.level[*kind]);
  }

  /// Two for the ends of what is measured again.
  std::optional<Pair> two_for(std::uint32_t one, std::uint32_t other) const {
    for (const std::uint32_t first : order_) {
      if (!suits(first, one)) continue;
      for (const std::uint32_t second : order_) {
        if (second != first && suits(second, other) && suits(second, first)) {
          return Pair{first, second};
        }
      }
      return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  bool suits(std::uint32_t member, std::uint32_t beside) const {
    const std::string& host = network_.members()[member][Factor::kHost];
    const bool elsewhere =
        member != beside && (host.empty() || host != network_.members()[beside][Factor::kHost]);
    return !barred_[member] && elsewhere && network_.kind_between(member, beside);
  }

  const Network& network_;
  const Fit& fit_;
  std::vector<bool> barred_;
  std::vector<std::uint32_t> order_;
};

/// Of a part the two members whose own levels are the lowest; the same one where it has no other.
Pair ends_of(const Accused& accused, const Fit& fit) {
  if (accused.link) return {accused.members.front(), accused.members.back()};
  std::vector<std::uint32_t> members = accused.members;
  std::stable_sort(members.begin(), members.end(), [&](std::uint32_t a, std::uint32_t b) {
    return fit.of_member[a] < fit.of_member[b];
  });
  return {members.front(), members.size() > 1 ? members[1] : members.front()};
}

/// The deficit of later values against what is expected, and its chance.
stats::Confirmation test(const std::vector<std::vector<double>>& values,
                         const std::vector<double>& expected, const Retest& retest,
                         const Taken& taken, bool more_is_better, double margin) {
  // All in units of what each should give, so that pairs of other kinds can be taken together.
  stats::Retest set;
  set.more_is_better = more_is_better;
  set.suspects.resize(1);
  set.suspects[0].before = 1;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (const double value : values[i]) set.suspects[0].again.push_back(value / expected[i]);
  }
  stats::Retaken control{1, {}};
  for (const double value : taken.control) {
    control.again.push_back(value / retest.expected_control);
  }
  set.controls.push_back(std::move(control));
  // That the level itself has an error is small beside these: it is the median of all its links.
  set.peers = 0;
  return stats::confirm(set, 0, 1, margin).value_or(stats::Confirmation{});
}

bool is_enough(const Retest& retest, const Taken& taken) {
  constexpr std::size_t kLeast = 2;
  const auto enough = [](const std::vector<double>& values) { return values.size() >= kLeast; };
  return taken.pairs.size() == retest.pairs.size() && enough(taken.control) &&
         std::all_of(taken.pairs.begin(), taken.pairs.end(), enough) &&
         (!retest.link || enough(taken.link));
}

}  // namespace

std::vector<Retest> retests_of(const Network& network, const Fit& fit,
                               const Accusations& accusations) {
  const Partners partners(network, fit, accusations);
  std::vector<Retest> retests;
  for (std::size_t i = 0; i < accusations.accused.size(); ++i) {
    const Accused& accused = accusations.accused[i];
    if (accused.members.empty()) continue;
    const Pair ends = ends_of(accused, fit);
    const auto others = partners.two_for(ends.first, ends.second);
    if (!others) continue;
    Retest retest;
    retest.accused = i;
    retest.pairs = {{ends.first, others->first}, {ends.second, others->second}};
    retest.control = *others;
    if (accused.link) retest.link = ends;
    std::vector<Pair> all = retest.pairs;
    if (retest.link) all.push_back(*retest.link);
    for (const Pair& pair : all) retest.expected.push_back(*partners.expected(pair));
    retest.expected_control = *partners.expected(retest.control);
    retests.push_back(std::move(retest));
  }
  return retests;
}

std::vector<Confirmed> confirm(const std::vector<Retest>& retests, const std::vector<Taken>& taken,
                               bool more_is_better, double margin, double family_alpha) {
  if (retests.size() != taken.size()) {
    throw std::invalid_argument("later values of other retests than these");
  }
  std::vector<Confirmed> all;
  std::vector<double> p;
  std::vector<bool> ends_slow;
  for (std::size_t i = 0; i < retests.size(); ++i) {
    const Retest& retest = retests[i];
    Confirmed one;
    one.accused = retest.accused;
    all.push_back(one);
    p.push_back(1);
    ends_slow.push_back(false);
    if (!is_enough(retest, taken[i])) continue;
    all.back().fate = Fate::kCleared;
    std::vector<double> expected = retest.expected;
    const auto by = [&](const std::vector<std::vector<double>>& values,
                        const std::vector<double>& of) {
      return test(values, of, retest, taken[i], more_is_better, margin);
    };
    const stats::Confirmation both = by(taken[i].pairs, expected);
    std::vector<double> deficits;
    for (std::size_t k = 0; k < retest.pairs.size(); ++k) {
      deficits.push_back(by({taken[i].pairs[k]}, {expected[k]}).deficit);
    }
    stats::Confirmation decisive = both;
    if (retest.link) {
      decisive = by({taken[i].link}, {expected.back()});
      ends_slow.back() = std::any_of(deficits.begin(), deficits.end(),
                                     [&](double d) { return d >= decisive.deficit / 2; });
    } else if (*std::min_element(deficits.begin(), deficits.end()) < both.deficit / 2) {
      continue;  // one of its pairs alone: that is not the part
    }
    all.back().deficit = decisive.deficit;
    p.back() = decisive.p;
  }
  if (p.empty()) return all;
  for (const auto& rejection : stats::holm(p, family_alpha)) {
    Confirmed& one = all[rejection.index];
    one.p = rejection.adjusted;
    one.fate = ends_slow[rejection.index] ? Fate::kAnEnd : Fate::kConfirmed;
  }
  return all;
}

}  // namespace rackproof::localise
