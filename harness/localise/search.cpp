#include "harness/localise/search.hpp"

#include <algorithm>
#include <cmath>

#include "harness/localise/rounds.hpp"
#include "harness/stats/peers.hpp"
#include "harness/stats/robust.hpp"

namespace rackproof::localise {
namespace {

/// With so few values a member's effect is made of, they fit themselves.
constexpr std::size_t kLeastForEnds = 4;
/// A candidate with a larger share of like links than this moves their median by itself.
constexpr double kLarge = 0.1;
/// Degrees of freedom of a spread from n values by their median size: n over twice 1.36, the
/// variance of its logarithm times n (stats::PeerTest).
constexpr double kValuesForFreedom = 2.72;
/// An octile of the standard normal distribution.
constexpr double kOctile = 1.1503494;
/// Variance of the skewness by octiles of n normal values, times n (as of peers), and of the
/// skewness of like links from fabric to fabric: most are symmetrical or mildly skewed.
constexpr double kVarianceOfSkewness = 3.48;
constexpr double kUsualVariance = 0.1;
constexpr int kSettlingSweeps = 4;

double skewness_of(std::vector<double> values) {
  if (values.size() < 2 * Network::kLeastAlike) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  const double middle = values[n / 2];
  const double bad = std::max(middle - values[n / 8], 1e-6);
  const double good = std::max(values[n - 1 - n / 8] - middle, 1e-6);
  const double g = std::log(bad / good) / kOctile;
  // Of what few values show, most is chance.
  const double chance = kVarianceOfSkewness / static_cast<double>(n);
  return std::max(0.0, g * kUsualVariance / (kUsualVariance + chance));
}

}  // namespace

double milder_middle(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Search::Search(const Network& network, const Fit& fit)
    : network_(network),
      explained_(network.links().size(), 0),
      left_(network.links().size(), 0),
      spread_(network.kinds(), stats::kSpreadFloor),
      skewness_(network.kinds(), 0),
      freedom_(network.kinds(), 1),
      effect_(network.candidates().size(), 0),
      is_accused_(network.candidates().size(), false) {
  know_ends(fit);
  explain();
}

void Search::know_ends(const Fit& fit) {
  of_end_ = fit.of_end;
  shrink_ = 0;
  // How much of what the fit says of members is theirs and not the error of measuring it
  // (shrinkage by the ratio of variances; James and Stein, 1961).
  const std::size_t members = std::max<std::size_t>(network_.members().size(), 1);
  const double values =
      2 * static_cast<double>(network_.links().size()) / static_cast<double>(members);
  if (values >= kLeastForEnds && of_end_.size() >= Network::kLeastAlike) {
    const double deviation = stats::median_absolute_deviation(of_end_) / stats::kNormalQuartile;
    const double own = deviation * deviation;
    const double error = kErrorOfMedian * fit.spread / std::sqrt(values);
    if (own > error * error) shrink_ = 1 - error * error / own;
  }
}

std::vector<double> Search::others_of(const Candidate& candidate, std::size_t kind) const {
  std::vector<double> others;
  auto own = candidate.links.begin();
  for (const std::uint32_t l : network_.links_of_kind(kind)) {
    own = std::lower_bound(own, candidate.links.end(), l);
    if (own == candidate.links.end() || *own != l) others.push_back(left_[l]);
  }
  return others;
}

double Search::outside(const Candidate& candidate, std::size_t kind, std::size_t inside) const {
  const auto& alike = network_.links_of_kind(kind);
  if (static_cast<double>(inside) < kLarge * static_cast<double>(alike.size())) return 0;
  std::vector<double> others = others_of(candidate, kind);
  return others.empty() ? 0 : stats::median(std::move(others));
}

std::vector<double> Search::values(std::size_t place) const {
  const Candidate& candidate = network_.candidates()[place];
  std::vector<std::size_t> inside(network_.kinds(), 0);
  for (const std::uint32_t l : candidate.evidence) ++inside[network_.links()[l].kind];
  std::vector<double> centre(network_.kinds(), 0);
  for (std::size_t kind = 0; kind < centre.size(); ++kind) {
    if (inside[kind] > 0) centre[kind] = outside(candidate, kind, inside[kind]);
  }
  const auto holds = [&](std::uint32_t member) {
    return std::binary_search(candidate.members.begin(), candidate.members.end(), member);
  };
  std::vector<double> found;
  found.reserve(candidate.evidence.size());
  for (const std::uint32_t l : candidate.evidence) {
    const Link& link = network_.links()[l];
    double value = left_[l] - centre[link.kind];
    if (shrink_ > 0 && !candidate.members.empty()) {
      if (holds(link.low)) value += end_of(link, link.low);
      if (holds(link.high)) value += end_of(link, link.high);
    }
    // What it is accused of is not taken out.
    found.push_back(value + (is_accused_[place] ? effect_[place] : 0));
  }
  return found;
}

double Search::spread_within(std::size_t place, std::size_t kind, const std::vector<double>& own,
                             double effect) const {
  const Candidate& candidate = network_.candidates()[place];
  std::vector<double> inside;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (network_.links()[candidate.evidence[i]].kind == kind) inside.push_back(own[i] - effect);
  }
  const auto& alike = network_.links_of_kind(kind);
  if (static_cast<double>(inside.size()) < kLarge * static_cast<double>(alike.size())) {
    return spread_[kind];
  }
  std::vector<double> all = others_of(candidate, kind);
  const double centre = all.empty() ? 0 : stats::median(all);
  for (double& one : all) one -= centre;
  all.insert(all.end(), inside.begin(), inside.end());
  return std::min(localise::spread_of(all), spread_[kind]);
}

double Search::spread_of(std::size_t place, const std::vector<double>& own, double effect) const {
  const Candidate& candidate = network_.candidates()[place];
  std::vector<double> within(network_.kinds(), 0);
  double squares = 0;
  for (const std::uint32_t l : candidate.evidence) {
    double& one = within[network_.links()[l].kind];
    if (one <= 0) one = spread_within(place, network_.links()[l].kind, own, effect);
    squares += one * one;
  }
  return std::sqrt(squares / static_cast<double>(candidate.evidence.size()));
}

double Search::freedom_of(const Candidate& candidate) const {
  // Of a sum of variances, each known with its own freedom (Satterthwaite, 1946).
  std::vector<double> share(network_.kinds(), 0);
  for (const std::uint32_t l : candidate.evidence) {
    const std::uint32_t kind = network_.links()[l].kind;
    share[kind] += spread_[kind] * spread_[kind];
  }
  double sum = 0;
  double squares = 0;
  for (std::size_t kind = 0; kind < share.size(); ++kind) {
    sum += share[kind];
    squares += share[kind] * share[kind] / freedom_[kind];
  }
  return sum * sum / squares;
}

Search::Shown Search::shown(std::size_t place) const {
  const Candidate& candidate = network_.candidates()[place];
  const std::vector<double> all = values(place);
  Shown shown;
  shown.effect = milder_middle(all);
  for (const double one : all) {
    shown.reduction += std::abs(one) - std::abs(one - shown.effect);
  }
  std::size_t others = 0;
  std::vector<bool> counted(network_.kinds(), false);
  for (const std::uint32_t l : candidate.evidence) {
    const std::uint32_t kind = network_.links()[l].kind;
    if (counted[kind]) continue;
    counted[kind] = true;
    others += network_.links_of_kind(kind).size();
  }
  others -= all.size();
  const double variance = 1 / static_cast<double>(all.size()) +
                          1 / static_cast<double>(std::max<std::size_t>(others, 1));
  shown.error = kErrorOfMedian * spread_of(place, all, shown.effect) * std::sqrt(variance);
  return shown;
}

void Search::accuse(const std::vector<std::size_t>& candidates) {
  for (const std::size_t c : candidates) {
    effect_[c] = shown(c).effect;
    is_accused_[c] = true;
    accused_.push_back(c);
    // Each sees what those before it explain.
    for (const std::uint32_t l : network_.candidates()[c].evidence) left_[l] -= effect_[c];
  }
  settle();
}

void Search::acquit(std::size_t candidate) {
  is_accused_[candidate] = false;
  effect_[candidate] = 0;
  std::erase(accused_, candidate);
  settle();
}

void Search::settle() {
  explain();
  know_ends(fit(network_, explained_));
  look();
  for (int sweep = 0; sweep < kSettlingSweeps; ++sweep) {
    for (const std::size_t c : accused_) {
      const double effect = milder_middle(values(c));
      for (const std::uint32_t l : network_.candidates()[c].evidence)
        left_[l] += effect_[c] - effect;
      effect_[c] = effect;
    }
    explain();
  }
}

void Search::explain() {
  std::fill(explained_.begin(), explained_.end(), 0);
  for (const std::size_t c : accused_) {
    const Candidate& candidate = network_.candidates()[c];
    for (const std::uint32_t l : candidate.evidence) explained_[l] += effect_[c];
  }
  look();
}

void Search::look() {
  for (std::size_t kind = 0; kind < network_.kinds(); ++kind) {
    const auto& alike = network_.links_of_kind(kind);
    std::vector<double> values;
    for (const std::uint32_t l : alike) {
      const Link& link = network_.links()[l];
      values.push_back(link.log - explained_[l] - end_of(link, link.low) - end_of(link, link.high));
    }
    const double level = stats::median(values);
    for (std::size_t i = 0; i < alike.size(); ++i) {
      values[i] -= level;
      left_[alike[i]] = values[i];
    }
    skewness_[kind] = skewness_of(values);
    freedom_[kind] = std::max(1.0, static_cast<double>(values.size()) / kValuesForFreedom);
    spread_[kind] = localise::spread_of(values);
  }
}

}  // namespace rackproof::localise
