#include "benches/steps/nccl_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "benches/kit/cublas/matmul.hpp"
#include "benches/kit/errors.hpp"

namespace rackproof::steps {
namespace {

constexpr std::int64_t kMost = std::int64_t{1} << 20;
// Of C on a device: the result and what it is compared with.
constexpr std::int64_t kResults = 2;

struct Precision {
  std::string_view word;
  product::Dtype operands;
  reduction::Dtype elements;
};
// Where the operands are fp8, what is reduced is bf16, as in training.
constexpr Precision kPrecisions[] = {
    {"fp32", product::Dtype::kFp32, reduction::Dtype::kFloat},
    {"bf16", product::Dtype::kBf16, reduction::Dtype::kBfloat16},
    {"fp16", product::Dtype::kFp16, reduction::Dtype::kHalf},
    {"fp8", product::Dtype::kFp8, reduction::Dtype::kBfloat16},
};

NcclCell cell_of(const NcclPlan& plan, const std::string& message, const Layout& layout,
                 const Batch& batch) {
  const Shape shape = shape_of(plan.card, layout, batch, Place{});
  NcclCell cell{message, layout, 0, shape.tokens, shape.hidden, shape.activation};
  if (message == "tensor") cell.count = shape.tokens * shape.hidden;
  if (message == "gradients") cell.count = layer_parameters_of_rank(plan.card, layout);
  const std::int64_t multiple = product::numbers(plan.operands).multiple;
  for (const std::int64_t extent : {cell.rows, cell.columns, cell.depth}) {
    if (extent % multiple == 0) continue;
    throw kit::UsageError(
        fmt::format("the product mlp.down of {} x {} x {} over {} rank{} has an extent of {}: "
                    "expected a multiple of {} for {}",
                    cell.rows, cell.columns, cell.depth, layout.ranks(),
                    layout.ranks() == 1 ? "" : "s", extent, multiple, plan.card.precision));
  }
  return cell;
}

bool measures(const NcclConfig& config, std::string_view part) {
  return std::find(config.parts.begin(), config.parts.end(), part) != config.parts.end();
}

std::int64_t number_of(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : -1;
}

void set_plant(NcclPlan& plan, const std::string& text) {
  plan.serialised = text == "serialised";
  if (plan.serialised || text.empty()) return;
  constexpr std::string_view kSlow = "slow-gemm:";
  const std::size_t colon = text.rfind(':');
  if (text.starts_with(kSlow) && colon > kSlow.size()) {
    const std::string_view words = text;
    plan.slow_rank = number_of(words.substr(kSlow.size(), colon - kSlow.size()));
    plan.slow_times = number_of(words.substr(colon + 1));
    if (plan.slow_rank >= 0 && plan.slow_times > 0) return;
  }
  throw kit::UsageError(
      fmt::format("--plant {}: expected serialised or slow-gemm:RANK:TIMES", text));
}

void add_steps(NcclPlan& plan, const NcclConfig& config, std::int64_t ranks) {
  const auto add = [&](StepPart part, Sharing sharing, const Batch& batch) {
    plan.steps.push_back(step_plan(part, sharing, plan.card, config.layers, batch, ranks,
                                   plan.operands, plan.elements));
  };
  const Batch batch{config.sequence, config.sequences, 1};
  if (measures(config, "train")) {
    const Sharing sharing = config.sharing == "tensor" ? Sharing::kTensor
                            : config.sharing == "fsdp" ? Sharing::kSharded
                                                       : Sharing::kData;
    add(StepPart::kTrain, sharing, batch);
  }
  if (measures(config, "prefill")) add(StepPart::kPrefill, Sharing::kTensor, batch);
  if (!measures(config, "decode")) return;
  for (const std::string& text : config.batches) {
    const std::int64_t sequences = number_of(text);
    if (sequences < 1 || sequences > kMost) {
      throw kit::UsageError(
          fmt::format("--batches {}: expected numbers from 1 to {}", text, kMost));
    }
    add(StepPart::kDecode, Sharing::kTensor, {1, sequences, 1});
  }
}

}  // namespace

void declare(kit::Options& options, NcclConfig& config) {
  options.text("card", config.card, "model card: the name of a shipped one, or a file NAME.json");
  options.choices("parts", config.parts, {"overlap", "train", "prefill", "decode"},
                  "what to measure; prefill and decode share matrices over all ranks");
  options.choice("sharing", config.sharing, {"tensor", "data", "fsdp"},
                 "how ranks share the model in train: each matrix over all of them, replicas, or "
                 "replicas that share the weights");
  options.integer("layers", config.layers, 1, 65536, "layers of the steps");
  options.integer("steps", config.steps, 3, 1000, "how often each of them is run");
  options.list("batches", config.batches, "sequences of decode, each of which gets a token");
  options.choices("messages", config.messages, {"tensor", "gradients", "sweep"},
                  "all-reduces over all ranks: of a layer's output, as one tensor group; of a "
                  "layer's gradients, as replicas; of --sizes");
  options.integer("scale", config.scale, 1, kMost,
                  "divides the hidden and the feed-forward size of the card");
  options.integer("sequence", config.sequence, 1, kMost, "tokens of a sequence");
  options.integer("sequences", config.sequences, 1, kMost, "sequences of a micro-batch");
  options.integer("rounds", config.rounds, 6, 1000, "rounds of each message");
  options.list("sizes", config.sizes, "sizes of the sweep");
  options.integer("seed", config.seed, 0, std::int64_t{1} << 52, "of the operands");
  options.text("plant", config.plant, "test only: serialised, slow-gemm:RANK:TIMES");
  kit::nccl::declare(options, config.group);
}

NcclPlan plan_of(const NcclConfig& config, std::int64_t ranks) {
  NcclPlan plan;
  plan.card = scaled(load_card(config.card, card_folders()), 0, config.scale);
  const auto* const precision =
      std::find_if(std::begin(kPrecisions), std::end(kPrecisions),
                   [&](const Precision& one) { return one.word == plan.card.precision; });
  plan.operands = precision->operands;
  plan.elements = precision->elements;
  set_plant(plan, config.plant);
  const Batch batch{config.sequence, config.sequences, 1};
  const auto width = static_cast<std::int64_t>(reduction::size_of(plan.elements));
  Layout replicas;
  replicas.data = ranks;
  add_steps(plan, config, ranks);
  for (const std::string& message : config.messages) {
    if (!measures(config, "overlap")) break;
    if (message == "tensor") {
      Layout tensor;
      tensor.tensor = ranks;
      if (const std::string reason = misfit(tensor, plan.card); !reason.empty()) {
        throw kit::UsageError(fmt::format(
            "--messages tensor cuts each matrix over all {} ranks, {}; gradients and sweep need "
            "no such cut",
            ranks, reason));
      }
      plan.cells.push_back(cell_of(plan, message, tensor, batch));
      continue;
    }
    const NcclCell cell = cell_of(plan, message, replicas, batch);
    if (message == "gradients") plan.cells.push_back(cell);
    if (message != "sweep") continue;
    for (const std::string& size : config.sizes) {
      const std::int64_t bytes = kit::parse_bytes(size);
      if (bytes < width || bytes % width != 0) {
        throw kit::UsageError(
            fmt::format("--sizes {}: expected a multiple of {} bytes", size, width));
      }
      plan.cells.push_back(cell);
      plan.cells.back().count = bytes / width;
    }
  }
  return plan;
}

std::int64_t bytes_of(const NcclPlan& plan, const NcclCell& cell) {
  const auto width = static_cast<std::int64_t>(reduction::size_of(plan.elements));
  return cell.count * width + product::operand_bytes(plan.operands, cell.rows, cell.depth) +
         product::operand_bytes(plan.operands, cell.columns, cell.depth) +
         kResults * cell.rows * cell.columns * product::numbers(plan.operands).result_bytes +
         static_cast<std::int64_t>(cublas::kWorkspaceBytes);
}

void demand_device_memory(const NcclPlan& plan, std::int64_t memory) {
  for (const StepPlan& step : plan.steps) {
    const std::int64_t bytes = bytes_of(step);
    if (bytes <= memory) continue;
    throw kit::UsageError(
        fmt::format("{} of {} layers takes {:.1f} GB of a GPU, {:.1f} GB more than it has: fewer "
                    "--layers, a larger --scale or a shorter --sequence fit",
                    word(step.part), step.layers, static_cast<double>(bytes) / 1e9,
                    static_cast<double>(bytes - memory) / 1e9));
  }
  for (const NcclCell& cell : plan.cells) {
    const std::int64_t bytes = bytes_of(plan, cell);
    if (bytes <= memory) continue;
    throw kit::UsageError(
        fmt::format("{} beside a product of {} x {} x {} takes {:.1f} GB of a GPU, {:.1f} GB more "
                    "than it has: a larger --scale, a shorter --sequence or smaller --sizes fit",
                    cell.message, cell.rows, cell.columns, cell.depth,
                    static_cast<double>(bytes) / 1e9, static_cast<double>(bytes - memory) / 1e9));
  }
}

contract::Parameters base_parameters(const NcclPlan& plan, const NcclConfig& config,
                                     const StepPlan& step) {
  NcclCell cell;
  cell.layout = step.layout;
  contract::Parameters parameters = base_parameters(plan, config, cell);
  parameters["layers"] = step.layers;
  if (step.sharing == Sharing::kSharded) parameters["fsdp"] = true;
  return parameters;
}

contract::Parameters base_parameters(const NcclPlan& plan, const NcclConfig& config,
                                     const NcclCell& cell) {
  return {{"card", plan.card.name},
          {"layers", plan.card.layers},
          {"scale", config.scale},
          {"sequence", config.sequence},
          {"sequences", config.sequences},
          {"tp", cell.layout.tensor},
          {"pp", std::int64_t{1}},
          {"dp", cell.layout.data},
          {"progress", std::string("device")},
          {"dtype", plan.card.precision}};
}

}  // namespace rackproof::steps
