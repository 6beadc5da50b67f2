#include "benches/steps/nccl_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "benches/kit/cublas/matmul.hpp"
#include "benches/kit/errors.hpp"
#include "benches/steps/shape.hpp"

namespace rackproof::steps {
namespace {

std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// y = x W with x of `rows` x `in`: forward, the gradient of x, and that of W.
void set_matrix(StepPlan& plan, Matrix matrix, std::int64_t rows, std::int64_t in,
                std::int64_t out) {
  plan.products[product_index(matrix, Gradient::kNone)] = {rows, out, in};
  plan.products[product_index(matrix, Gradient::kInput)] = {rows, in, out};
  plan.products[product_index(matrix, Gradient::kWeights)] = {in, out, rows};
}

Layout layout_of(Sharing sharing, std::int64_t ranks) {
  Layout layout;
  (sharing == Sharing::kTensor ? layout.tensor : layout.data) = ranks;
  return layout;
}

// Products and messages that the program has at all.
std::set<std::size_t> kinds_of(const Program& program, bool sends) {
  std::set<std::size_t> kinds;
  for (const Operation& one : program) {
    if (one.sends == sends) kinds.insert(one.kind);
  }
  return kinds;
}

}  // namespace

std::string_view word(StepPart part) {
  switch (part) {
    case StepPart::kTrain:
      return "train";
    case StepPart::kPrefill:
      return "prefill";
    case StepPart::kDecode:
      return "decode";
  }
  return "";
}

StepPlan step_plan(StepPart part, Sharing sharing, const Card& card, std::int64_t layers,
                   const Batch& batch, std::int64_t ranks, product::Dtype operands,
                   reduction::Dtype width) {
  StepPlan plan;
  plan.part = part;
  plan.sharing = sharing;
  plan.layout = layout_of(sharing, ranks);
  plan.batch = batch;
  plan.layers = layers;
  plan.operands = operands;
  plan.width = width;
  if (card.experts > 1) {
    throw kit::UsageError(fmt::format(
        "--card {} has experts, and steps-nccl computes no step of such a model; expected a dense "
        "one, or --parts overlap",
        card.name));
  }
  if (const std::string reason = misfit(plan.layout, card); !reason.empty()) {
    throw kit::UsageError(fmt::format(
        "--sharing tensor cuts each matrix over all {} ranks, {}; --sharing data and fsdp need no "
        "such cut",
        ranks, reason));
  }
  const Shape shape = shape_of(card, plan.layout, batch, Place{});
  const std::int64_t multiple = product::numbers(operands).multiple;
  const auto fitting = [&](std::int64_t extent) { return round_up(extent, multiple); };
  const std::int64_t rows = fitting(shape.tokens);
  set_matrix(plan, Matrix::kQkv, rows, fitting(shape.hidden), fitting(shape.qkv));
  set_matrix(plan, Matrix::kOutput, rows, fitting(shape.context), fitting(shape.hidden));
  set_matrix(plan, Matrix::kGateUp, rows, fitting(shape.hidden), fitting(shape.gate_up));
  set_matrix(plan, Matrix::kDown, rows, fitting(shape.activation), fitting(shape.hidden));
  const auto count = static_cast<std::size_t>(layers);
  plan.program =
      part == StepPart::kTrain ? training_program(sharing, count) : forward_program(count);
  const std::int64_t weights = layer_parameters_of_rank(card, plan.layout);
  const auto set = [&](Traffic traffic, std::int64_t elements) {
    plan.elements[static_cast<std::size_t>(traffic)] = elements;
  };
  set(Traffic::kTensor, shape.tokens * shape.hidden);
  set(Traffic::kGradients, weights);
  set(Traffic::kGather, round_up(weights, ranks));
  set(Traffic::kScatter, round_up(weights, ranks));
  return plan;
}

double operations_of(const StepPlan& plan) {
  std::array<double, kProducts> operations{};
  for (std::size_t i = 0; i < kProducts; ++i) operations[i] = plan.products[i].operations();
  return product_seconds(plan.program, operations);
}

std::int64_t bytes_of(const StepPlan& plan) {
  constexpr std::int64_t kResults = 2;  // a product's and what it is compared with
  std::int64_t bytes = 0;
  for (const std::size_t kind : kinds_of(plan.program, false)) {
    const Extents& one = plan.products[kind];
    bytes += product::operand_bytes(plan.operands, one.m, one.k) +
             product::operand_bytes(plan.operands, one.n, one.k) +
             kResults * one.m * one.n * product::numbers(plan.operands).result_bytes +
             static_cast<std::int64_t>(cublas::kWorkspaceBytes);
  }
  const auto width = static_cast<std::int64_t>(reduction::size_of(plan.width));
  for (const Operation& one : plan.program) {
    if (one.sends) bytes += plan.elements[one.kind] * width;
  }
  return bytes;
}

double weight_bytes(const StepPlan& plan) {
  double bytes = 0;
  for (std::size_t matrix = 0; matrix < kMatrices; ++matrix) {
    const Extents& one = plan.products[product_index(static_cast<Matrix>(matrix), Gradient::kNone)];
    bytes += static_cast<double>(product::operand_bytes(plan.operands, one.n, one.k));
  }
  return bytes * static_cast<double>(plan.layers);
}

}  // namespace rackproof::steps
