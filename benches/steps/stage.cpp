#include "benches/steps/stage.hpp"

#include <algorithm>
#include <array>

#include "benches/kit/blas/cblas.hpp"
#include "benches/kit/product/operands.hpp"

namespace rackproof::steps {
namespace {

using blas::Form;
using blas::multiply;

std::int64_t slow_times(const Plan& plan) {
  const bool slow = plan.plant && plan.plant->kind == Plant::Kind::kSlowProduct;
  return slow ? static_cast<std::int64_t>(plan.plant->amount) : 1;
}

std::int64_t kv_heads_of(const Shape& shape) {
  return (shape.qkv - shape.context) / 2 / shape.head_size;
}

// At least one element: memory of none is none that can be had.
Floats floats(std::int64_t count) {
  Floats made(static_cast<std::size_t>(std::max<std::int64_t>(1, count)));
  product::fill_value(made.span(), 1.0F);
  return made;
}

}  // namespace

Stage::Stage(const Plan& plan, const Config& config, const Groups& groups, Network& network,
             Scope scope, std::int64_t context)
    : plan_(plan),
      groups_(groups),
      network_(network),
      scope_(scope),
      shape_(shape_of(plan.card, plan.layout, plan.batch, plan.place)),
      operands_(shape_, plan.layout, plan.batch.micro_batches,
                operand_bound(plan.card, plan.layout, plan.batch),
                static_cast<std::uint64_t>(config.seed)),
      memory_(shape_, plan.layout, plan.place, plan.batch.micro_batches, operands_),
      cores_(config.host_share, slow_times(plan)),
      proof_(static_cast<std::uint64_t>(config.seed)),
      shard_(floats(
          plan.layout.sequence_parallel ? shape_.rows() * shape_.hidden / plan.layout.tensor : 0)),
      context_(context),
      cache_(floats(shape_.layers * shape_.tokens * 2 * kv_heads_of(shape_) * context *
                    shape_.head_size)),
      scores_(floats(shape_.heads * context)) {
  memory_.prove(proof_, shape_, plan.layout, plan.place, operands_, scope == Scope::kTraining);
}

void Stage::settle() {
  constexpr int kRuns = 5;
  for (int i = 0; i < kRuns; ++i) {
    forward(0, 0);
    if (scope_ == Scope::kTraining) backward(0, 0);
  }
  agree_on_pace(groups_.world, cores_);
}

void Stage::forward(std::int64_t layer, std::int64_t batch) {
  const Shape& s = shape_;
  const WeightMemory& weights = memory_.weights(layer, false);
  BatchMemory& in = memory_.batch(batch);
  ResultMemory& out = memory_.result(layer, batch);
  const auto sign = static_cast<float>(sign_);
  cores_.run(Work::kQkv, Pass::kForward, [&] {
    multiply(s.tokens, s.qkv, s.hidden, 1, Form::kPlain, in.input.data(), Form::kPlain,
             weights.qkv.data(), 0, memory_.wide().data());
  });
  attend(Pass::kForward, layer);
  cores_.run(Work::kOutput, Pass::kForward, [&] {
    multiply(s.tokens, s.hidden, s.context, sign, Form::kPlain, in.context.data(), Form::kPlain,
             weights.output.data(), 0, out.attention.data());
  });
  reduce(out.attention, s.tokens);
  exchange(in.to_experts, out.dispatched);
  const float* const routed =
      plan_.layout.expert > 1 ? out.dispatched.data() : in.to_experts.data();
  cores_.run(Work::kGateUp, Pass::kForward, [&] {
    for (std::int64_t e = 0; e < s.experts; ++e) {
      multiply(s.expert_rows, s.gate_up, s.hidden, 1, Form::kPlain,
               routed + e * s.expert_rows * s.hidden, Form::kPlain,
               weights.gate_up.data() + e * s.hidden * s.gate_up, 0, memory_.wide().data());
    }
  });
  cores_.run(Work::kDown, Pass::kForward, [&] {
    for (std::int64_t e = 0; e < s.experts; ++e) {
      multiply(s.expert_rows, s.hidden, s.activation, sign, Form::kPlain,
               in.activation.data() + e * s.expert_rows * s.activation, Form::kPlain,
               weights.down.data() + e * s.activation * s.hidden, 0,
               out.experts.data() + e * s.expert_rows * s.hidden);
    }
  });
  reduce(out.experts, s.rows());
  exchange(out.experts, out.combined);
}

void Stage::backward(std::int64_t layer, std::int64_t batch) {
  const Shape& s = shape_;
  const WeightMemory& weights = memory_.weights(layer, true);
  BatchMemory& in = memory_.batch(batch);
  ResultMemory& out = memory_.result(layer, batch);
  const auto sign = static_cast<float>(sign_);
  // The first micro-batch begins the gradients, the others add to them.
  const float kept = batch == 0 ? 0 : 1;
  exchange(in.to_experts_gradient, out.dispatched_gradient);
  const float* const routed =
      plan_.layout.expert > 1 ? out.dispatched_gradient.data() : in.to_experts_gradient.data();
  float* const down = memory_.gradient(layer, Operand::kDownWeights);
  cores_.run(Work::kDown, Pass::kBackward, [&] {
    for (std::int64_t e = 0; e < s.experts; ++e) {
      const std::int64_t rows = e * s.expert_rows;
      multiply(s.expert_rows, s.activation, s.hidden, 1, Form::kPlain, routed + rows * s.hidden,
               Form::kTransposed, weights.down.data() + e * s.activation * s.hidden, 0,
               memory_.wide().data());
      multiply(s.activation, s.hidden, s.expert_rows, 1, Form::kTransposed,
               in.activation.data() + rows * s.activation, Form::kPlain,
               in.to_experts_gradient.data() + rows * s.hidden, kept,
               down + e * s.activation * s.hidden);
    }
  });
  float* const gate_up = memory_.gradient(layer, Operand::kGateUpWeights);
  cores_.run(Work::kGateUp, Pass::kBackward, [&] {
    for (std::int64_t e = 0; e < s.experts; ++e) {
      const std::int64_t rows = e * s.expert_rows;
      const float* const gradient = in.gate_up_gradient.data() + rows * s.gate_up;
      multiply(s.expert_rows, s.hidden, s.gate_up, sign, Form::kPlain, gradient, Form::kTransposed,
               weights.gate_up.data() + e * s.hidden * s.gate_up, 0,
               out.experts_gradient.data() + rows * s.hidden);
      multiply(s.hidden, s.gate_up, s.expert_rows, 1, Form::kTransposed,
               in.to_experts.data() + rows * s.hidden, Form::kPlain, gradient, kept,
               gate_up + e * s.hidden * s.gate_up);
    }
  });
  reduce(out.experts_gradient, s.rows());
  exchange(out.experts_gradient, out.combined_gradient);
  cores_.run(Work::kOutput, Pass::kBackward, [&] {
    multiply(s.tokens, s.context, s.hidden, 1, Form::kPlain, in.output_gradient.data(),
             Form::kTransposed, weights.output.data(), 0, memory_.wide().data());
    multiply(s.context, s.hidden, s.tokens, sign, Form::kTransposed, in.context.data(),
             Form::kPlain, in.output_gradient.data(), kept,
             memory_.gradient(layer, Operand::kOutputWeights));
  });
  attend(Pass::kBackward, layer);
  cores_.run(Work::kQkv, Pass::kBackward, [&] {
    multiply(s.tokens, s.hidden, s.qkv, sign, Form::kPlain, in.qkv_gradient.data(),
             Form::kTransposed, weights.qkv.data(), 0, out.attention_gradient.data());
    multiply(s.hidden, s.qkv, s.tokens, sign, Form::kTransposed, in.input.data(), Form::kPlain,
             in.qkv_gradient.data(), kept, memory_.gradient(layer, Operand::kQkvWeights));
  });
  reduce(out.attention_gradient, s.tokens);
}

// The two products of attention, scores and their sum of values; backward has twice as many.
void Stage::attend(Pass pass, std::int64_t layer) {
  if (context_ > 0) {
    return cores_.run(Work::kAttention, pass, [&] { attend_cached(layer); });
  }
  const std::int64_t sequences = shape_.tokens / shape_.sequence;
  cores_.run(Work::kAttention, pass, [&] {
    for (int times = pass == Pass::kForward ? 1 : 2; times > 0; --times) {
      for (std::int64_t sequence = 0; sequence < sequences; ++sequence) {
        for (std::int64_t head = 0; head < shape_.heads; ++head) attend_head(head, sequence);
      }
    }
  });
}

// Queries, keys and values lie head by head, each with all tokens; several heads of queries share
// one of keys and values.
void Stage::attend_head(std::int64_t head, std::int64_t sequence) {
  const std::int64_t size = shape_.head_size;
  const std::int64_t kv_heads = kv_heads_of(shape_);
  const std::int64_t of_head = shape_.tokens * size;
  const std::int64_t first = sequence * shape_.sequence * size;
  const std::int64_t shared = head / (shape_.heads / kv_heads);
  const float* const queries = memory_.heads().data() + head * of_head + first;
  const float* const keys = memory_.heads().data() + (shape_.heads + shared) * of_head + first;
  const float* const values = keys + kv_heads * of_head;
  for (std::int64_t row = 0; row < shape_.sequence; row += kAttentionRows) {
    const std::int64_t rows = std::min(kAttentionRows, shape_.sequence - row);
    const std::int64_t seen = row + rows;
    multiply(rows, seen, size, 1, Form::kPlain, queries + row * size, Form::kTransposed, keys, 0,
             memory_.scores().data());
    multiply(rows, size, seen, 1, Form::kPlain, memory_.scores().data(), Form::kPlain, values, 0,
             memory_.wide().data() + row * size);
  }
}

// One token of each sequence against all before it: the heads that share keys and values at once.
void Stage::attend_cached(std::int64_t layer) {
  const std::int64_t kv_heads = kv_heads_of(shape_);
  const std::int64_t sharing = shape_.heads / kv_heads;
  const std::int64_t size = shape_.head_size;
  const std::int64_t part = context_ * size;
  for (std::int64_t token = 0; token < shape_.tokens; ++token) {
    const float* keys = cache_.data() + (layer * shape_.tokens + token) * 2 * kv_heads * part;
    const float* queries = memory_.heads().data() + token * shape_.context;
    float* out = memory_.wide().data() + token * shape_.context;
    for (std::int64_t head = 0; head < kv_heads; ++head, keys += 2 * part) {
      multiply(sharing, context_, size, 1, Form::kPlain, queries + head * sharing * size,
               Form::kTransposed, keys, 0, scores_.data());
      multiply(sharing, size, context_, 1, Form::kPlain, scores_.data(), Form::kPlain, keys + part,
               0, out + head * sharing * size);
    }
  }
}

void Stage::reduce(const Floats& data, std::int64_t rows) {
  const Group& group = groups_.tensor;
  if (group.size() == 1) return;
  const std::int64_t count = rows * shape_.hidden;
  if (!plan_.layout.sequence_parallel) {
    return run(Wait::kTensor, [&] { return group.all_reduce(data.data(), count); });
  }
  const std::int64_t part = count / group.size();
  run(Wait::kTensor, [&] { return group.reduce_scatter(data.data(), shard_.data(), part); });
  run(Wait::kTensor, [&] { return group.all_gather(shard_.data(), data.data(), part); });
}

void Stage::exchange(const Floats& in, const Floats& out) {
  if (plan_.layout.expert == 1) return;
  const std::int64_t count = shape_.rows() * shape_.hidden / plan_.layout.expert;
  run(Wait::kExpert, [&] { return groups_.expert.all_to_all(in.data(), out.data(), count); });
}

void Stage::turn() {
  sign_ = -sign_;
  memory_.turn();
}

}  // namespace rackproof::steps
