#include "tests/campaign/played_pairs.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <random>

#include "contract/tournament.hpp"

namespace rackproof::campaign {

using localise::Factor;

std::vector<localise::Member> members_of(const Shape& shape) {
  std::vector<localise::Member> members;
  for (std::size_t h = 0; h < shape.hosts; ++h) {
    const std::size_t pod = h / shape.hosts_of_pod;
    for (std::size_t g = 0; g < shape.gpus; ++g) {
      const std::size_t nic = g / shape.gpus_of_nic;
      localise::Member member;
      member[Factor::kHost] = fmt::format("h{:04}", h);
      member[Factor::kTray] = fmt::format("t{:04}", h / shape.hosts_of_tray);
      member[Factor::kNic] = fmt::format("h{:04} mlx5_{}", h, nic);
      member[Factor::kRail] = fmt::format("{}", nic);
      member[Factor::kLeaf] =
          shape.leaf_of_rail ? fmt::format("p{:03}l{}", pod, nic) : fmt::format("p{:03}", pod);
      if (shape.gpus > 1) member[Factor::kGpu] = fmt::format("h{:04} GPU{}", h, g);
      members.push_back(std::move(member));
    }
  }
  return members;
}

bool goes_over(const Planted& planted, const std::vector<localise::Member>& members,
               std::size_t low, std::size_t high) {
  if (planted.part.factor == Factor::kLink) {
    return planted.link == std::pair{low, high} || planted.link == std::pair{high, low};
  }
  const std::string& name = planted.part.name;
  const bool inside = members[low][Factor::kHost] == members[high][Factor::kHost];
  if (inside && localise::is_of_fabric(planted.part.factor)) return false;
  return members[low][planted.part.factor] == name || members[high][planted.part.factor] == name;
}

Fabric::Fabric(const std::vector<localise::Member>& members, std::vector<Planted> planted,
               double noise, std::uint64_t seed)
    : members_(members), planted_(std::move(planted)), noise_(noise), seed_(seed) {}

// Box and Muller's, of a sequence that is the same everywhere.
double Fabric::normal() {
  std::seed_seq words{seed_ & 0xffffffffU, seed_ >> 32U, drawn_ & 0xffffffffU, drawn_ >> 32U};
  ++drawn_;
  std::uint32_t raw[4];
  words.generate(raw, raw + 4);
  constexpr double kRange = 4294967296.0;
  const double u =
      (static_cast<double>(raw[0]) + static_cast<double>(raw[1]) / kRange + 0x1p-40) / kRange;
  const double v = static_cast<double>(raw[2]) / kRange;
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

double Fabric::measure(std::size_t low, std::size_t high) {
  const bool inside = members_[low][Factor::kHost] == members_[high][Factor::kHost];
  double value = inside ? 400 : 50;
  for (const Planted& one : planted_) {
    if (goes_over(one, members_, low, high)) value *= 1 - one.deficit;
  }
  return value * std::exp(noise_ * normal());
}

std::vector<localise::Measured> Fabric::play(int rounds) {
  const contract::Tournament draw(static_cast<int>(members_.size()), rounds, seed_);
  std::vector<localise::Measured> all;
  for (int round = 0; round < draw.rounds(); ++round) {
    for (const auto& [one, other] : draw.pairs(round)) {
      const auto low = static_cast<std::size_t>(one);
      const auto high = static_cast<std::size_t>(other);
      all.push_back({low, high, measure(low, high)});
    }
  }
  return all;
}

}  // namespace rackproof::campaign
