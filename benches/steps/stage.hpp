#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "benches/kit/clock.hpp"
#include "benches/steps/config.hpp"
#include "benches/steps/cores.hpp"
#include "benches/steps/groups.hpp"
#include "benches/steps/stage_memory.hpp"

namespace rackproof::steps {

/// What a rank waits for within a step.
enum class Wait { kTensor, kExpert, kPipeline, kGradients, kWeights };
inline constexpr std::size_t kWaits = 5;
using WaitTimes = std::array<double, kWaits>;

/// What a stage is for: training steps, or passes forward alone.
enum class Scope { kTraining, kForward };

/// One stage of the model on one rank: the products of its layers at the card's shapes, forward and
/// backward, and the messages between them, each waited for where the next product needs it.
/// Gradients alone are left under way while earlier layers are computed.
///
/// Each product has operands of its own, drawn integers: no layer is fed by the one before, so that
/// every sum stays exact. Attention is computed for the tokens before each one, in blocks of
/// kAttentionRows, without its softmax. Steps take turns in their sign.
class Stage {
 public:
  /// With `context` each token is one more of a sequence of so many before it, whose keys and
  /// values are kept, as in decoding. Without, sequences begin with the batch.
  Stage(const Plan& plan, const Config& config, const Groups& groups, Network& network, Scope scope,
        std::int64_t context = 0);

  /// Runs a layer a few times, and agrees with all ranks on the pace of its products.
  void settle();

  void forward(std::int64_t layer, std::int64_t batch);
  void backward(std::int64_t layer, std::int64_t batch);
  /// Begins to add up the gradients of a layer over the replicas.
  void start_gradients(std::int64_t layer);
  /// Where replicas share the weights (and otherwise does nothing): begins to gather those of a
  /// layer for a pass; and waits for those that were begun first.
  void start_weights(std::int64_t layer, bool backward);
  void await_weights();

  /// Receives are begun before a step, sends within it.
  void expect_neighbours();
  void await_forward(std::int64_t batch);
  void await_backward(std::int64_t batch);
  void send_forward(std::int64_t batch);
  void send_backward(std::int64_t batch);
  /// Waits for all that is still under way.
  void finish();

  /// Before each step, outside of what is timed: the other sign.
  void turn();
  int sign() const { return sign_; }

  /// One message alone, waited for: as prediction needs it. Those that this layout has not do
  /// nothing.
  void send_alone(Wait kind);

  const Shape& shape() const { return shape_; }
  Cores& cores() { return cores_; }
  Proof& proof() { return proof_; }
  WaitTimes& waits() { return waits_; }

 private:
  void attend(Pass pass, std::int64_t layer);
  void attend_cached(std::int64_t layer);
  void attend_head(std::int64_t head, std::int64_t sequence);
  void wait(const Message& message, Wait kind);
  template <class Start>
  Message started(Wait kind, Start&& start);
  template <class Start>
  void run(Wait kind, Start&& start);
  template <class Start>
  void leave_under_way(Wait kind, Start&& start);
  void meet_neighbour();
  void reduce(const Floats& data, std::int64_t rows);
  void exchange(const Floats& in, const Floats& out);

  const Plan& plan_;
  const Groups& groups_;
  Network& network_;
  Scope scope_;
  Shape shape_;
  Operands operands_;
  StageMemory memory_;
  Cores cores_;
  Proof proof_;
  WaitTimes waits_{};
  int sign_ = 1;
  Floats shard_;
  std::int64_t context_ = 0;
  Floats cache_;   ///< layer by layer, sequence by sequence, head by head: keys, then values
  Floats scores_;  ///< of the heads that share keys and values
  std::vector<std::pair<Message, Wait>> under_way_;
  std::vector<Message> gathering_;
  std::vector<Message> from_before_;
  std::vector<Message> from_behind_;
};

// What starting takes is communication too.
template <class Start>
Message Stage::started(Wait kind, Start&& start) {
  const double begin = kit::now_seconds();
  Message message = start();
  waits_[static_cast<std::size_t>(kind)] += kit::now_seconds() - begin;
  return message;
}

template <class Start>
void Stage::run(Wait kind, Start&& start) {
  wait(started(kind, start), kind);
}

template <class Start>
void Stage::leave_under_way(Wait kind, Start&& start) {
  under_way_.emplace_back(started(kind, start), kind);
}

}  // namespace rackproof::steps
