#include <algorithm>
#include <array>

#include "benches/steps/stage.hpp"

// The messages of a stage: with neighbouring stages, and those that are left under way.
namespace rackproof::steps {
namespace {

constexpr int kForwardTag = 1;
constexpr int kBackwardTag = 2;

// The rank of the same place in a neighbouring stage.
int neighbour(const Plan& plan, std::int64_t offset) {
  Place other = plan.place;
  other.stage += offset;
  return static_cast<int>(rank_of(other, plan.layout));
}

int tag_of(int way, std::int64_t batch) { return static_cast<int>(batch) * 2 + way; }

}  // namespace

void Stage::wait(const Message& message, Wait kind) {
  const double start = kit::now_seconds();
  network_.wait(message);
  waits_[static_cast<std::size_t>(kind)] += kit::now_seconds() - start;
}

void Stage::start_weights(std::int64_t layer, bool backward) {
  if (!plan_.layout.sharded) return;
  LayerMemory& memory = memory_.layer(layer);
  const std::array own = memory.shards.all();
  const std::array whole = (backward ? memory.again : memory.weights).all();
  for (std::size_t i = 0; i < own.size(); ++i) {
    gathering_.push_back(started(Wait::kWeights, [&] {
      return groups_.replicas.all_gather(own[i]->data(), whole[i]->data(),
                                         static_cast<std::int64_t>(own[i]->size()));
    }));
  }
}

void Stage::await_weights() {
  // Those of one layer are under way while another one is computed, in the order they are needed.
  const std::size_t matrices = std::min<std::size_t>(gathering_.size(), 4);
  for (std::size_t i = 0; i < matrices; ++i) wait(gathering_[i], Wait::kWeights);
  gathering_.erase(gathering_.begin(), gathering_.begin() + static_cast<std::ptrdiff_t>(matrices));
}

void Stage::start_gradients(std::int64_t layer) {
  if (plan_.layout.sharded) {
    const std::array own = memory_.layer(layer).gradient_shards.all();
    const std::array operands{Operand::kQkvWeights, Operand::kOutputWeights,
                              Operand::kGateUpWeights, Operand::kDownWeights};
    for (std::size_t i = 0; i < operands.size(); ++i) {
      leave_under_way(Wait::kGradients, [&] {
        return groups_.replicas.reduce_scatter(memory_.gradient(layer, operands[i]), own[i]->data(),
                                               static_cast<std::int64_t>(own[i]->size()));
      });
    }
    return;
  }
  float* const gradients = memory_.layer(layer).gradients.data();
  const std::int64_t dense = memory_.dense_gradients();
  const std::int64_t expert = memory_.expert_gradients();
  if (groups_.replicas.size() == 1) return;
  const bool together = plan_.layout.expert == 1;
  leave_under_way(Wait::kGradients, [&] {
    return groups_.replicas.all_reduce(gradients, together ? dense + expert : dense);
  });
  if (together || groups_.data.size() == 1) return;
  leave_under_way(Wait::kGradients,
                  [&] { return groups_.data.all_reduce(gradients + dense, expert); });
}

void Stage::expect_neighbours() {
  const std::int64_t count = shape_.tokens * shape_.hidden;
  from_before_.clear();
  from_behind_.clear();
  for (std::int64_t batch = 0; batch < plan_.batch.micro_batches; ++batch) {
    BatchMemory& in = memory_.batch(batch);
    if (plan_.place.stage > 0) {
      from_before_.push_back(groups_.world.receive(
          in.from_before.data(), count, neighbour(plan_, -1), tag_of(kForwardTag, batch)));
    }
    if (scope_ == Scope::kTraining && plan_.place.stage + 1 < plan_.layout.pipeline) {
      from_behind_.push_back(groups_.world.receive(
          in.from_behind.data(), count, neighbour(plan_, 1), tag_of(kBackwardTag, batch)));
    }
  }
}

void Stage::await_forward(std::int64_t batch) {
  if (!from_before_.empty()) {
    wait(from_before_[static_cast<std::size_t>(batch)], Wait::kPipeline);
  }
}

void Stage::await_backward(std::int64_t batch) {
  if (!from_behind_.empty()) {
    wait(from_behind_[static_cast<std::size_t>(batch)], Wait::kPipeline);
  }
}

void Stage::send_forward(std::int64_t batch) {
  if (plan_.place.stage + 1 == plan_.layout.pipeline) return;
  const Floats& last = memory_.result(shape_.layers - 1, batch).experts;
  leave_under_way(Wait::kPipeline, [&] {
    return groups_.world.send(last.data(), shape_.tokens * shape_.hidden, neighbour(plan_, 1),
                              tag_of(kForwardTag, batch));
  });
}

void Stage::send_backward(std::int64_t batch) {
  if (plan_.place.stage == 0) return;
  const Floats& first = memory_.result(0, batch).attention_gradient;
  leave_under_way(Wait::kPipeline, [&] {
    return groups_.world.send(first.data(), shape_.tokens * shape_.hidden, neighbour(plan_, -1),
                              tag_of(kBackwardTag, batch));
  });
}

void Stage::finish() {
  for (const auto& [message, kind] : under_way_) wait(message, kind);
  under_way_.clear();
}

void Stage::send_alone(Wait kind) {
  switch (kind) {
    case Wait::kTensor:
      return reduce(memory_.result(0, 0).attention, shape_.tokens);
    case Wait::kExpert:
      return exchange(memory_.batch(0).to_experts, memory_.result(0, 0).dispatched);
    case Wait::kGradients:
      start_gradients(0);
      return finish();
    case Wait::kWeights:
      start_weights(0, false);
      return await_weights();
    case Wait::kPipeline:
      return meet_neighbour();
  }
}

// Downwards from even stages to odd ones: pairs that do not wait for others.
void Stage::meet_neighbour() {
  const std::int64_t count = shape_.tokens * shape_.hidden;
  const std::int64_t stage = plan_.place.stage;
  if (stage % 2 == 0 && stage + 1 < plan_.layout.pipeline) {
    network_.wait(
        groups_.world.send(memory_.result(0, 0).experts.data(), count, neighbour(plan_, 1), 0));
  } else if (stage % 2 == 1) {
    network_.wait(
        groups_.world.receive(memory_.batch(0).from_before.data(), count, neighbour(plan_, -1), 0));
  }
}

}  // namespace rackproof::steps
