#include "benches/steps/blame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>

#include "benches/steps/furthest.hpp"

namespace rackproof::steps {
namespace {

constexpr std::array<std::string_view, kWaits> kWaitWords{
    "all-reduces of tensor parallelism", "exchanges with experts", "neighbouring stages",
    "gradients", "weights that are gathered"};

std::optional<Blame> slow_product(const std::vector<RankTimes>& ranks, double step) {
  Blame worst;
  worst.part = Part::kSlowProduct;
  for (std::size_t work = 0; work < kWorks; ++work) {
    for (const Pass pass : {Pass::kForward, Pass::kBackward}) {
      const auto kind = static_cast<Work>(work);
      const Furthest found =
          furthest(ranks, [&](const RankTimes& rank) { return rank.work.at(kind, pass); });
      if (found.beyond <= worst.seconds) continue;
      worst.rank = found.rank;
      worst.work = kind;
      worst.pass = pass;
      worst.seconds = found.beyond;
    }
  }
  worst.share = worst.seconds / step;
  return worst.share >= kWorthSaying ? std::optional(worst) : std::nullopt;
}

std::optional<Blame> exposed(const std::vector<RankTimes>& ranks, double step) {
  Blame found;
  double most = 0;
  for (const Wait wait : {Wait::kTensor, Wait::kExpert, Wait::kGradients, Wait::kWeights}) {
    double mean = 0;
    for (const RankTimes& rank : ranks) mean += rank.waits[static_cast<std::size_t>(wait)];
    mean /= static_cast<double>(ranks.size());
    found.seconds += mean;
    if (mean > most) {
      most = mean;
      found.wait = wait;
    }
  }
  found.share = found.seconds / step;
  return found.share >= kWorthSaying ? std::optional(found) : std::nullopt;
}

}  // namespace

double RankTimes::other() const {
  return std::max(0.0, total - work.total() - std::accumulate(waits.begin(), waits.end(), 0.0));
}

std::vector<double> pack(const RankTimes& times) {
  std::vector<double> numbers{times.total};
  for (const auto& work : times.work.seconds)
    numbers.insert(numbers.end(), work.begin(), work.end());
  numbers.insert(numbers.end(), times.waits.begin(), times.waits.end());
  return numbers;
}

RankTimes unpack(const double* numbers) {
  RankTimes times;
  times.total = *numbers++;
  for (auto& work : times.work.seconds) {
    for (double& seconds : work) seconds = *numbers++;
  }
  for (double& seconds : times.waits) seconds = *numbers++;
  return times;
}

std::optional<Blame> blame(const std::vector<RankTimes>& ranks) {
  double step = 0;
  for (const RankTimes& rank : ranks) step = std::max(step, rank.total);
  if (step <= 0) return std::nullopt;
  const Furthest late = furthest(ranks, [](const RankTimes& rank) { return rank.other(); });
  if (late.beyond / step >= kWorthSaying) {
    Blame found;
    found.part = Part::kLateRank;
    found.rank = late.rank;
    found.seconds = late.beyond;
    found.share = late.beyond / step;
    return found;
  }
  if (const auto slow = slow_product(ranks, step)) return slow;
  return exposed(ranks, step);
}

std::pair<double, double> waited_of(const std::vector<RankTimes>& ranks) {
  double step = 0;
  double waited = 0;
  for (const RankTimes& rank : ranks) {
    step = std::max(step, rank.total);
    waited += std::accumulate(rank.waits.begin(), rank.waits.end(), 0.0);
  }
  waited /= static_cast<double>(std::max<std::size_t>(1, ranks.size()));
  return {waited, step > 0 ? waited / step : 0};
}

std::string text_of(const Blame& blame) {
  switch (blame.part) {
    case Part::kLateRank:
      return fmt::format(
          "late rank: rank {} spends {:.1f} ms of a step ({:.0f} %) neither computing nor waiting, "
          "beyond the other ranks, and they wait for it",
          blame.rank, blame.seconds * 1e3, blame.share * 100);
    case Part::kSlowProduct:
      return fmt::format(
          "slow GEMM: {} takes rank {} {:.1f} ms of a step ({:.0f} %) longer than the other ranks",
          text_of(blame.work, blame.pass), blame.rank, blame.seconds * 1e3, blame.share * 100);
    case Part::kExposed:
      break;
  }
  return fmt::format(
      "exposed communication: ranks wait {:.1f} ms of a step ({:.0f} %) for messages that nothing "
      "hides, most of it for {}",
      blame.seconds * 1e3, blame.share * 100, kWaitWords[static_cast<std::size_t>(blame.wait)]);
}

}  // namespace rackproof::steps
