#include "tests/campaign/localisation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>

#include "contract/tournament.hpp"
#include "harness/localise/accuse.hpp"
#include "harness/localise/confirm.hpp"
#include "harness/localise/halving.hpp"
#include "harness/stats/robust.hpp"

namespace rackproof::campaign {
namespace {

using localise::Factor;
using localise::Part;

/// Later values have to show that there is a deficit at all.
constexpr double kMargin = 0;
constexpr int kAgain = 4;

class Trial {
 public:
  Trial(const Trials& trials, int number)
      : trials_(trials),
        members_(members_of(shape_of(trials.gpus))),
        seed_(trials.seed * 1'000'003 + static_cast<std::uint64_t>(number)),
        random_(seed_) {
    plant();
  }

  void run(Outcomes& outcomes) {
    outcomes.planted += static_cast<int>(planted_.size());
    if (trials_.method == Method::kHalving) {
      halve(outcomes);
    } else {
      play(outcomes);
    }
  }

 private:
  std::size_t draw(std::size_t below) { return random_() % below; }

  int rounds() const {
    const int all = static_cast<int>(members_.size()) - 1;
    return trials_.method == Method::kAll ? all : std::min(trials_.rounds, all);
  }

  Planted part_of(Factor factor) {
    return {{factor, members_[draw(members_.size())][factor]}, trials_.deficit, {0, 0}};
  }

  void plant() {
    switch (trials_.fault) {
      case Fault::kNone:
        return;
      case Fault::kHost:
        planted_ = {part_of(Factor::kHost)};
        return;
      case Fault::kGpu:
        planted_ = {part_of(Factor::kGpu)};
        return;
      case Fault::kNic:
        planted_ = {part_of(Factor::kNic)};
        return;
      case Fault::kRail:
        planted_ = {part_of(Factor::kRail)};
        return;
      case Fault::kLeaf:
        planted_ = {part_of(Factor::kLeaf)};
        return;
      case Fault::kLink:
        plant_link();
        return;
      case Fault::kTwo:
        planted_ = {part_of(Factor::kGpu), part_of(Factor::kHost)};
        while (planted_[0].part.name.starts_with(planted_[1].part.name)) {
          planted_[1] = part_of(Factor::kHost);
        }
    }
  }

  /// One that is played.
  void plant_link() {
    const contract::Tournament draws(static_cast<int>(members_.size()), rounds(), seed_);
    std::pair<std::size_t, std::size_t> link;
    do {
      const auto pairs = draws.pairs(static_cast<int>(draw(static_cast<std::size_t>(rounds()))));
      const auto [low, high] = pairs[draw(pairs.size())];
      link = {static_cast<std::size_t>(low), static_cast<std::size_t>(high)};
    } while (members_[link.first][Factor::kHost] == members_[link.second][Factor::kHost]);
    planted_ = {{{Factor::kLink, ""}, trials_.link_deficit, link}};
  }

  bool is(const localise::Accused& accused, const std::vector<Part>& parts,
          const Planted& planted) const {
    if (planted.part.factor == Factor::kLink) {
      return accused.link && accused.members.size() == 2 &&
             accused.members.front() == planted.link.first &&
             accused.members.back() == planted.link.second;
    }
    return std::find(parts.begin(), parts.end(), planted.part) != parts.end();
  }

  /// Which of those planted is accused, and whether it is told from all others.
  std::pair<int, bool> planted_of(const localise::Accused& accused) const {
    for (std::size_t i = 0; i < planted_.size(); ++i) {
      for (const auto& parts : accused.alternatives) {
        if (is(accused, parts, planted_[i])) {
          return {static_cast<int>(i), accused.alternatives.size() == 1};
        }
      }
    }
    return {-1, false};
  }

  void play(Outcomes& outcomes) {
    Fabric fabric(members_, planted_, trials_.noise, seed_);
    const auto measured = fabric.play(rounds());
    const auto began = std::chrono::steady_clock::now();
    const localise::Network network(members_, measured, true);
    const localise::Fit fit = localise::fit(network);
    const auto found = localise::accuse(network, fit, {});
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    outcomes.rounds += rounds();
    outcomes.seconds += took.count();
    outcomes.most_seconds = std::max(outcomes.most_seconds, took.count());
    const auto confirmed = measure_again(fabric, network, found, outcomes);
    std::set<int> seen;
    int wrong = 0;
    for (std::size_t i = 0; i < found.accused.size(); ++i) {
      const auto [planted, told] = planted_of(found.accused[i]);
      const bool again = confirmed.contains(i);
      if (planted < 0) {
        ++wrong;
        outcomes.wrong_confirmed += again ? 1 : 0;
      } else if (seen.insert(planted).second) {
        (told ? outcomes.named : outcomes.open) += 1;
        outcomes.confirmed += again ? 1 : 0;
      }
    }
    outcomes.wrong += wrong;
    outcomes.trials_with_wrong += wrong > 0 ? 1 : 0;
  }

  /// The accused that later values confirm, by their places. As in a run, all links are measured
  /// again where somebody is accused.
  std::set<std::size_t> measure_again(Fabric& fabric, const localise::Network& network,
                                      const localise::Accusations& found,
                                      Outcomes& outcomes) const {
    if (found.accused.empty()) return {};
    std::vector<std::optional<double>> later;
    for (const localise::Link& link : network.links()) {
      std::vector<double> values;
      for (int k = 0; k < kAgain; ++k) values.push_back(fabric.measure(link.low, link.high));
      later.emplace_back(stats::median(std::move(values)));
    }
    outcomes.retests += static_cast<double>(later.size());
    const localise::Confirmation again(network, later, {}, kMargin);
    std::set<std::size_t> confirmed;
    for (std::size_t i = 0; i < found.accused.size(); ++i) {
      const auto said = again.of(found.accused[i]);
      if (said && said->fate == localise::Fate::kConfirmed) confirmed.insert(i);
    }
    return confirmed;
  }

  bool is_bad(std::size_t member) const {
    return std::any_of(planted_.begin(), planted_.end(), [&](const Planted& one) {
      return one.part.factor != Factor::kLink && members_[member][one.part.factor] == one.part.name;
    });
  }

  /// A group goes as fast as its slowest member, and is measured once.
  void halve(Outcomes& outcomes) {
    std::normal_distribution<double> noise(0, trials_.noise);
    std::vector<std::size_t> everybody(members_.size());
    std::iota(everybody.begin(), everybody.end(), std::size_t{0});
    localise::Halving halving(everybody, localise::Pace::kFewestGroups);
    const auto link_in = [&](const std::vector<std::size_t>& group, const Planted& one) {
      return std::count_if(group.begin(), group.end(), [&](std::size_t m) {
               return m == one.link.first || m == one.link.second;
             }) == 2;
    };
    for (auto groups = halving.next(); !groups.empty(); groups = halving.next()) {
      std::vector<bool> failed;
      for (const auto& group : groups) {
        double value = std::exp(noise(random_));
        const bool bad = std::any_of(group.begin(), group.end(),
                                     [&](std::size_t member) { return is_bad(member); });
        if (bad) value *= 1 - trials_.deficit;
        for (const Planted& one : planted_) {
          if (one.part.factor == Factor::kLink && link_in(group, one)) value *= 1 - one.deficit;
        }
        failed.push_back(value < 1 - trials_.deficit / 2);
      }
      halving.tell(failed);
    }
    outcomes.rounds += static_cast<double>(halving.groups());
    const std::set<std::size_t> found(halving.found().begin(), halving.found().end());
    std::set<std::size_t> bad;
    for (const std::size_t member : everybody) {
      if (is_bad(member)) bad.insert(member);
    }
    // Members are all that it can name: those of a part, and nobody else.
    const auto wrong = std::count_if(found.begin(), found.end(),
                                     [&](std::size_t member) { return !bad.contains(member); });
    if (!planted_.empty() && !bad.empty() && found == bad) {
      outcomes.named += static_cast<int>(planted_.size());
    }
    outcomes.wrong += static_cast<int>(wrong);
    outcomes.trials_with_wrong += wrong > 0 ? 1 : 0;
  }

  const Trials& trials_;
  std::vector<localise::Member> members_;
  std::uint64_t seed_;
  std::mt19937_64 random_;
  std::vector<Planted> planted_;
};

}  // namespace

std::string name_of(Fault fault) {
  switch (fault) {
    case Fault::kNone:
      return "nothing";
    case Fault::kHost:
      return "host";
    case Fault::kGpu:
      return "GPU";
    case Fault::kNic:
      return "NIC";
    case Fault::kRail:
      return "rail";
    case Fault::kLeaf:
      return "leaf";
    case Fault::kLink:
      return "link";
    case Fault::kTwo:
      break;
  }
  return "GPU and host";
}

Shape shape_of(std::size_t gpus) {
  Shape shape;
  shape.gpus_of_nic = 2;
  switch (gpus) {
    case 72:
      shape.hosts = 18;
      shape.gpus = 4;
      shape.hosts_of_pod = 9;
      return shape;
    case 232:
      shape.hosts = 29;
      shape.gpus = 8;
      shape.hosts_of_pod = 8;
      return shape;
    case 10'000:
      shape.hosts = 1'250;
      shape.gpus = 8;
      shape.hosts_of_pod = 32;
      return shape;
    default:
      throw std::invalid_argument("no machine of so many GPUs is played");
  }
}

Outcomes localise_planted(const Trials& trials) {
  Outcomes outcomes;
  for (int i = 0; i < trials.trials; ++i) Trial(trials, i).run(outcomes);
  outcomes.rounds /= trials.trials;
  outcomes.retests /= trials.trials;
  outcomes.seconds /= trials.trials;
  return outcomes;
}

}  // namespace rackproof::campaign
