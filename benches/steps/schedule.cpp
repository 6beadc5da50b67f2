#include "benches/steps/schedule.hpp"

#include <algorithm>
#include <cstddef>

namespace rackproof::steps {

std::vector<Turn> one_forward_one_backward(std::int64_t stage, std::int64_t stages,
                                           std::int64_t micro_batches) {
  const std::int64_t ahead = std::min(stages - stage - 1, micro_batches);
  std::vector<Turn> turns;
  for (std::int64_t i = 0; i < ahead; ++i) turns.push_back({Turn::Kind::kForward, i});
  for (std::int64_t i = 0; i < micro_batches; ++i) {
    if (ahead + i < micro_batches) turns.push_back({Turn::Kind::kForward, ahead + i});
    turns.push_back({Turn::Kind::kBackward, i});
  }
  return turns;
}

double predicted_seconds(const std::vector<StageTimes>& stages, std::int64_t micro_batches,
                         double transfer) {
  const auto count = stages.size();
  const auto batches = static_cast<std::size_t>(micro_batches);
  std::vector<std::vector<Turn>> turns;
  for (std::size_t stage = 0; stage < count; ++stage) {
    turns.push_back(one_forward_one_backward(static_cast<std::int64_t>(stage),
                                             static_cast<std::int64_t>(count), micro_batches));
  }
  constexpr double kNotYet = -1;
  using Ends = std::vector<std::vector<double>>;
  Ends forward(count, std::vector<double>(batches, kNotYet));
  Ends backward = forward;
  std::vector<std::size_t> next(count, 0);
  std::vector<double> free(count, 0);
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t stage = 0; stage < count; ++stage) {
      if (next[stage] == turns[stage].size()) continue;
      const Turn& turn = turns[stage][next[stage]];
      const auto batch = static_cast<std::size_t>(turn.micro_batch);
      const bool ahead = turn.kind == Turn::Kind::kForward;
      const bool edge = ahead ? stage == 0 : stage + 1 == count;
      double ready = 0;
      if (!edge) {
        const double sent = ahead ? forward[stage - 1][batch] : backward[stage + 1][batch];
        if (sent == kNotYet) continue;
        ready = sent + transfer;
      }
      const double took = ahead ? stages[stage].forward : stages[stage].backward;
      free[stage] = std::max(free[stage], ready) + took;
      (ahead ? forward : backward)[stage][batch] = free[stage];
      ++next[stage];
      moved = true;
    }
  }
  return *std::max_element(free.begin(), free.end());
}

}  // namespace rackproof::steps
