#include "harness/budget/choose.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

namespace rackproof::budget {
namespace {

// What takes no time is chosen at once, without a division by zero.
constexpr double kLeastSeconds = 1e-3;
constexpr std::size_t kFewForThree = 30;
constexpr std::size_t kFewForTwo = 80;
constexpr double kRounding = 1e-9;

/// A set of options that grows, with what is still missed of each kind of fault.
class Growing {
 public:
  Growing(const Faults& faults, const std::vector<Option>& options, double seconds)
      : options_(&options),
        again_(faults.again),
        missed_(faults.expected),
        in_(options.size(), false),
        left_(seconds) {
    std::size_t programs = 0;
    for (const Option& option : options) programs = std::max(programs, option.program + 1);
    best_.assign(programs, std::vector<double>(missed_.size(), 0));
  }

  bool has(std::size_t option) const { return in_[option]; }
  bool fits(std::size_t option) const {
    return !in_[option] && (*options_)[option].seconds <= left_ + kRounding;
  }
  double left() const { return left_; }
  double missed() const { return std::accumulate(missed_.begin(), missed_.end(), 0.0); }
  const std::vector<double>& missed_of_each() const { return missed_; }

  /// How many more faults it would find.
  double gain(std::size_t option) const {
    double found = 0;
    for (std::size_t i = 0; i < missed_.size(); ++i) found += missed_[i] * (1 - kept(option, i));
    return found;
  }

  void add(std::size_t option) {
    const Option& one = (*options_)[option];
    for (std::size_t i = 0; i < missed_.size(); ++i) {
      missed_[i] *= kept(option, i);
      double& best = best_[one.program][i];
      best = std::max(best, one.chances[i]);
    }
    in_[option] = true;
    left_ -= one.seconds;
  }

  Choice choice() const {
    Choice made;
    for (std::size_t i = 0; i < in_.size(); ++i) {
      if (!in_[i]) continue;
      made.options.push_back(i);
      made.seconds += (*options_)[i].seconds;
    }
    made.missed = missed();
    return made;
  }

 private:
  /// The share of what is still missed of a kind that this option would miss too. The best step of
  /// a program counts whole, whichever came first.
  double kept(std::size_t option, std::size_t kind) const {
    const Option& one = (*options_)[option];
    const double best = best_[one.program][kind];
    const double chance = one.chances[kind];
    if (chance <= best) return 1 - again_ * chance;
    return (1 - chance) * (1 - again_ * best) / (1 - best);
  }

  const std::vector<Option>* options_;
  double again_;
  std::vector<double> missed_;
  std::vector<std::vector<double>> best_;  ///< by program and kind: the best chance so far
  std::vector<bool> in_;
  double left_;
};

double seconds_of(const Option& option) { return std::max(option.seconds, kLeastSeconds); }

/// The option that fits and finds most in a second; nothing where none finds anything.
std::size_t best_that_fits(const Growing& growing, const std::vector<Option>& options) {
  std::size_t best = options.size();
  double most = 0;
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (!growing.fits(i)) continue;
    const double each_second = growing.gain(i) / seconds_of(options[i]);
    if (each_second <= most) continue;
    most = each_second;
    best = i;
  }
  return best;
}

/// What any choice within `seconds` beside this one can still find, at most.
double most_to_find(const Growing& growing, const std::vector<Option>& options, double seconds) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (!growing.has(i) && options[i].seconds <= seconds + kRounding) order.push_back(i);
  }
  const auto each_second = [&](std::size_t i) { return growing.gain(i) / seconds_of(options[i]); };
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return each_second(a) > each_second(b); });
  double found = 0;
  for (const std::size_t i : order) {
    const double part = std::min(1.0, seconds / seconds_of(options[i]));
    found += part * growing.gain(i);
    seconds -= seconds_of(options[i]);
    if (seconds <= 0) break;
  }
  return found;
}

bool is_better(const Choice& one, const Choice& other) {
  if (one.missed != other.missed) return one.missed < other.missed;
  return one.seconds < other.seconds;
}

/// The set that was begun, completed greedily.
Choice completed(Growing growing, const std::vector<Option>& options) {
  for (std::size_t next = best_that_fits(growing, options); next < options.size();
       next = best_that_fits(growing, options)) {
    growing.add(next);
  }
  return growing.choice();
}

/// Each way to begin with up to `most` options, from place `from` on.
void begin_with(const Growing& growing, const std::vector<Option>& options, std::size_t from,
                std::size_t most, const std::function<void(const Growing&)>& see) {
  see(growing);
  if (most == 0) return;
  for (std::size_t i = from; i < options.size(); ++i) {
    if (!growing.fits(i)) continue;
    Growing with = growing;
    with.add(i);
    begin_with(with, options, i + 1, most - 1, see);
  }
}

/// The least of the bounds along the greedy way, whose last one is that of its end.
double fewest_missed(Growing growing, const std::vector<Option>& options, double seconds) {
  double fewest = growing.missed() - most_to_find(growing, options, seconds);
  for (std::size_t next = best_that_fits(growing, options); next < options.size();
       next = best_that_fits(growing, options)) {
    growing.add(next);
    fewest = std::max(fewest, growing.missed() - most_to_find(growing, options, seconds));
  }
  return std::max(0.0, fewest);
}

}  // namespace

std::vector<double> missed_of_each(const Faults& faults, const std::vector<Option>& options,
                                   const std::vector<std::size_t>& chosen) {
  Growing growing(faults, options, std::numeric_limits<double>::infinity());
  for (const std::size_t option : chosen) growing.add(option);
  return growing.missed_of_each();
}

double missed(const Faults& faults, const std::vector<Option>& options,
              const std::vector<std::size_t>& chosen) {
  const std::vector<double> each = missed_of_each(faults, options, chosen);
  return std::accumulate(each.begin(), each.end(), 0.0);
}

Choice choose(const Faults& faults, const std::vector<Option>& options,
              const std::vector<std::size_t>& must, double seconds) {
  Growing begun(faults, options, seconds);
  for (const std::size_t option : must) {
    if (!begun.has(option)) begun.add(option);
  }
  const double left = std::max(0.0, begun.left());
  const std::size_t count = options.size();
  const std::size_t begin = count <= kFewForThree ? 3 : count <= kFewForTwo ? 2 : 1;
  Choice best = completed(begun, options);
  begin_with(begun, options, 0, begin, [&](const Growing& growing) {
    Choice made = completed(growing, options);
    if (is_better(made, best)) best = std::move(made);
  });
  // No bound lies above what somebody found; rounding may.
  best.fewest_missed = std::min(best.missed, fewest_missed(begun, options, left));
  return best;
}

}  // namespace rackproof::budget
