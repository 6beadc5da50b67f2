#include "harness/localise/accuse.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "harness/localise/search.hpp"
#include "harness/stats/multiplicity.hpp"
#include "harness/stats/peer_tail.hpp"
#include "harness/stats/robust.hpp"

namespace rackproof::localise {
namespace {

constexpr double kShareOfLinks = 0.1;
/// Fewer parts of a factor do not tell how parts of it vary.
constexpr std::size_t kLeastToVary = 8;
/// Whatever goes over more of all links is accused alone, so that all others are seen without it.
constexpr double kFar = 0.01;
/// 20 to 1.
const double kUndecided = std::log(20.0);
/// Beyond so many standard deviations a value tells nothing more (Huber, 1964).
constexpr double kHuber = 1.5;

double huber(double distance) {
  const double size = std::abs(distance);
  return size < kHuber ? size * size / 2 : kHuber * (size - kHuber / 2);
}

double share(double log) { return 1 - std::exp(log); }

class Court {
 public:
  Court(const Network& network, const Fit& fit, const Rule& rule)
      : network_(network), rule_(rule), search_(network, fit) {
    for (std::size_t c = 0; c < network.candidates().size(); ++c) {
      // One link is no part's: it is tested itself, and then says which parts it may be.
      (network.candidates()[c].evidence.size() < 2 ? result_.untested : tested_).push_back(c);
    }
  }

  Accusations take() {
    // Each pass accuses somebody whom none accused before, so it ends by itself.
    for (auto some = next(); !some.empty(); some = next()) search_.accuse(some);
    acquit();
    // What is certain and small explains its share, so that no part of it is blamed, and is not
    // told.
    for (const std::size_t c : search_.accused()) {
      const Search::Shown shown = search_.shown(c);
      if (counts(shown.effect, shown.error)) result_.accused.push_back(told(c));
    }
    for (const Accused& accused : result_.accused) {
      blamed_.insert(accused.links.begin(), accused.links.end());
    }
    const std::size_t links = accuse_links();
    result_.compared = tested_.size() + links;
    return std::move(result_);
  }

 private:
  struct Trial {
    Search::Shown shown;
    double p = 1;
  };

  /// Of every tested candidate, in their order.
  std::vector<Trial> trials() const {
    std::vector<Trial> all(tested_.size());
    std::map<Factor, std::vector<std::size_t>> by_factor;
    for (std::size_t i = 0; i < tested_.size(); ++i) {
      all[i].shown = search_.shown(tested_[i]);
      by_factor[network_.candidates()[tested_[i]].parts.front().factor].push_back(i);
    }
    for (const auto& [factor, places] : by_factor) {
      std::vector<double> effects;
      for (const std::size_t i : places) {
        if (!search_.is_accused(tested_[i])) effects.push_back(all[i].shown.effect);
      }
      const double varies =
          effects.size() < kLeastToVary
              ? 0
              : stats::median_absolute_deviation(effects) / stats::kNormalQuartile;
      for (const std::size_t i : places) {
        const Candidate& candidate = network_.candidates()[tested_[i]];
        const double unit = std::max(all[i].shown.error, varies);
        all[i].p = stats::student_tail(-all[i].shown.effect / unit, search_.freedom_of(candidate));
      }
    }
    return all;
  }

  bool counts(double effect, double error) const {
    return effect <= std::log1p(-rule_.effect) + kWithin * error && effect < 0;
  }

  /// Whom Holm's procedure rejects, with the adjusted chance.
  std::map<std::size_t, double> rejected(const std::vector<Trial>& all) const {
    std::vector<double> p;
    for (const Trial& trial : all) p.push_back(std::clamp(trial.p, 0.0, 1.0));
    std::map<std::size_t, double> found;
    if (p.empty()) return found;
    for (const auto& one : stats::holm(p, rule_.family_alpha * (1 - kShareOfLinks))) {
      found[one.index] = one.adjusted;
    }
    return found;
  }

  /// Those that explain most, as far as they have no member in common.
  std::vector<std::size_t> next() {
    const std::vector<Trial> all = trials();
    std::vector<std::pair<double, std::size_t>> eligible;
    for (const auto& [i, adjusted] : rejected(all)) {
      const std::size_t c = tested_[i];
      if (ever_.contains(c)) continue;
      eligible.emplace_back(-all[i].shown.reduction, c);
    }
    std::sort(eligible.begin(), eligible.end());
    std::vector<std::size_t> some;
    std::vector<bool> taken(network_.members().size(), false);
    for (const auto& [reduction, c] : eligible) {
      const Candidate& candidate = network_.candidates()[c];
      const bool far = static_cast<double>(candidate.links.size()) >
                       kFar * static_cast<double>(network_.links().size());
      const bool free = std::none_of(candidate.members.begin(), candidate.members.end(),
                                     [&](std::uint32_t m) { return taken[m]; });
      if (!free || (far && !some.empty())) continue;
      some.push_back(c);
      ever_.insert(c);
      for (const std::uint32_t m : candidate.members) taken[m] = true;
      if (far) break;
    }
    return some;
  }

  void acquit() {
    for (bool changed = true; changed;) {
      changed = false;
      const std::vector<Trial> all = trials();
      const auto found = rejected(all);
      for (std::size_t i = 0; i < tested_.size() && !changed; ++i) {
        const std::size_t c = tested_[i];
        if (!search_.is_accused(c)) continue;
        const auto place = found.find(i);
        if (place != found.end()) {
          adjusted_[c] = place->second;
          continue;
        }
        search_.acquit(c);
        changed = true;
      }
    }
  }

  /// How much better the values suit it that the candidate is to blame than that nobody is: the
  /// logarithm of a ratio of likelihoods, of normal values with wild ones among them. `values`
  /// of the accused are as if it were not.
  double gain(const std::map<std::uint32_t, double>& values, const Candidate& candidate) const {
    std::vector<double> inside;
    for (const std::uint32_t l : candidate.evidence) {
      const auto value = values.find(l);
      inside.push_back(value == values.end() ? search_.left(l) : value->second);
    }
    const double effect = milder_middle(inside);
    double sum = 0;
    for (std::size_t i = 0; i < inside.size(); ++i) {
      const double spread = search_.spread(network_.links()[candidate.evidence[i]].kind);
      sum += huber(inside[i] / spread) - huber((inside[i] - effect) / spread);
    }
    return sum;
  }

  std::vector<std::vector<Part>> alternatives(std::size_t place, const std::vector<double>& own) {
    const Candidate& accused = network_.candidates()[place];
    std::map<std::uint32_t, double> values;
    for (std::size_t i = 0; i < own.size(); ++i) values[accused.evidence[i]] = own[i];
    std::set<std::uint32_t> others;
    for (const std::uint32_t m : accused.members) {
      others.insert(network_.candidates_of(m).begin(), network_.candidates_of(m).end());
    }
    std::vector<std::vector<Part>> found{accused.parts};
    const double best = gain(values, accused);
    for (const std::uint32_t c : others) {
      const Candidate& other = network_.candidates()[c];
      if (c == place || search_.is_accused(c) || other.evidence.size() < 2) continue;
      if (best - gain(values, other) < kUndecided) found.push_back(other.parts);
    }
    return found;
  }

  Accused told(std::size_t place) {
    const Candidate& candidate = network_.candidates()[place];
    const std::vector<double> own = search_.values(place);
    const Search::Shown shown = search_.shown(place);
    Accused accused;
    accused.alternatives = alternatives(place, own);
    accused.deficit = share(shown.effect);
    accused.error = shown.error * std::exp(shown.effect);
    accused.p = adjusted_[place];
    accused.seen = own.size();
    accused.slow = static_cast<std::size_t>(
        std::count_if(own.begin(), own.end(), [&](double v) { return v < shown.effect / 2; }));
    accused.links = candidate.evidence;
    accused.members = candidate.members;
    accused.link = candidate.members.empty();
    return accused;
  }

  /// Gives how many were compared.
  std::size_t accuse_links() {
    std::vector<double> p;
    std::vector<std::uint32_t> places;
    for (std::uint32_t l = 0; l < network_.links().size(); ++l) {
      const Link& link = network_.links()[l];
      if (!network_.comparable(link)) continue;
      const double distance = -search_.left(l) / search_.spread(link.kind);
      p.push_back(distance <= 0 ? 1
                                : stats::skewed_tail(distance, search_.skewness(link.kind),
                                                     search_.freedom(link.kind)));
      places.push_back(l);
    }
    if (p.empty()) return 0;
    for (const auto& one : stats::holm(p, rule_.family_alpha * kShareOfLinks)) {
      const std::uint32_t l = places[one.index];
      const double error = search_.spread(network_.links()[l].kind);
      if (blamed_.contains(l) || !counts(search_.left(l), error)) continue;
      result_.accused.push_back(told_link(l, error, one.adjusted));
    }
    return p.size();
  }

  Accused told_link(std::uint32_t place, double error, double adjusted) const {
    const Link& link = network_.links()[place];
    Accused accused;
    accused.alternatives = {{{Factor::kLink, name_of(link)}}};
    for (const std::uint32_t m : {link.low, link.high}) {
      for (const std::uint32_t c : network_.candidates_of(m)) {
        const Candidate& candidate = network_.candidates()[c];
        if (candidate.evidence.size() == 1) accused.alternatives.push_back(candidate.parts);
      }
    }
    accused.deficit = share(search_.left(place));
    accused.error = error * std::exp(search_.left(place));
    accused.p = adjusted;
    accused.slow = accused.seen = 1;
    accused.links = {place};
    accused.members = {link.low, link.high};
    accused.link = true;
    return accused;
  }

  std::string name_of(const Link& link) const {
    const auto finest = [this](std::uint32_t m) {
      const auto& part = network_.members()[m].part;
      return *std::find_if(part.rbegin(), part.rend(),
                           [](const std::string& name) { return !name.empty(); });
    };
    return finest(link.low) + " - " + finest(link.high);
  }

  const Network& network_;
  const Rule& rule_;
  Search search_;
  std::vector<std::size_t> tested_;  ///< candidates
  std::set<std::size_t> ever_;       ///< that were accused once
  std::map<std::size_t, double> adjusted_;
  std::set<std::uint32_t> blamed_;  ///< links of the parts that are told
  Accusations result_;
};

}  // namespace

Accusations accuse(const Network& network, const Fit& fit, const Rule& rule) {
  return Court(network, fit, rule).take();
}

}  // namespace rackproof::localise
