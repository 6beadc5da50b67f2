#include "harness/localise/confirm.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <stdexcept>

#include "harness/stats/multiplicity.hpp"
#include "harness/stats/peer_tail.hpp"
#include "harness/stats/peers.hpp"
#include "harness/stats/robust.hpp"

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

  /// Two for the ends of what is measured again. Of a kind all of whose links go over the accused
  /// nobody knows what it should give: only those of its evidence count.
  std::optional<Pair> two_for(const Pair& ends, const std::set<std::uint32_t>& kinds) const {
    for (const std::uint32_t first : order_) {
      if (!suits(first, ends.first, kinds)) continue;
      for (const std::uint32_t second : order_) {
        if (second != first && suits(second, ends.second, kinds) && suits(second, first, kinds)) {
          return Pair{first, second};
        }
      }
      return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  bool suits(std::uint32_t member, std::uint32_t beside,
             const std::set<std::uint32_t>& kinds) const {
    const std::string& host = network_.members()[member][Factor::kHost];
    const bool elsewhere =
        member != beside && (host.empty() || host != network_.members()[beside][Factor::kHost]);
    if (barred_[member] || !elsewhere) return false;
    const auto kind = network_.kind_between(member, beside);
    return kind && kinds.contains(*kind);
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

struct Shown {
  double deficit = 0;
  double p = 1;
};

/// Sum of the squares about their mean, of logarithms, and the degrees of freedom of that.
struct Within {
  double squares = 0;
  double freedom = 0;

  /// Gives the mean.
  double add(const std::vector<double>& logs) {
    const double centre = stats::mean(logs);
    for (const double one : logs) squares += (one - centre) * (one - centre);
    freedom += static_cast<double>(logs.size()) - 1;
    return centre;
  }
};

std::vector<double> logs_of(const std::vector<double>& values, double expected) {
  std::vector<double> logs;
  for (const double value : values) logs.push_back(std::log(value / expected));
  return logs;
}

/// The deficit of later values against what is expected, less how the control changed, and the
/// chance of it where the margin is all there is: Student's t, with the spread within the pairs.
/// That the levels of the first values have errors is small beside these.
Shown test(const std::vector<std::vector<double>>& values, const std::vector<double>& expected,
           const Retest& retest, const Taken& taken, bool more_is_better, double margin) {
  Within within;
  const double change = within.add(logs_of(taken.control, retest.expected_control));
  double level = 0;
  double n = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto size = static_cast<double>(values[i].size());
    level += size * within.add(logs_of(values[i], expected[i]));
    n += size;
  }
  level = level / n - change;
  const double variance =
      std::max(within.squares / within.freedom, stats::kSpreadFloor * stats::kSpreadFloor);
  const double error =
      std::sqrt(variance * (1 / n + 1 / static_cast<double>(taken.control.size())));
  const double behind = more_is_better ? -level : level;
  const double allowed = std::abs(std::log1p(more_is_better ? -margin : margin));
  return {more_is_better ? -std::expm1(level) : std::expm1(level),
          stats::student_tail((behind - allowed) / error, within.freedom)};
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
    std::set<std::uint32_t> kinds;
    for (const std::uint32_t l : accused.links) kinds.insert(network.links()[l].kind);
    if (accused.link) {
      for (const Link& link : network.links()) kinds.insert(link.kind);
    }
    const auto others = partners.two_for(ends, kinds);
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
    const Shown both = by(taken[i].pairs, expected);
    std::vector<double> deficits;
    for (std::size_t k = 0; k < retest.pairs.size(); ++k) {
      deficits.push_back(by({taken[i].pairs[k]}, {expected[k]}).deficit);
    }
    Shown decisive = both;
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
