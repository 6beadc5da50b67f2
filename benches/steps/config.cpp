#include "benches/steps/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "benches/kit/errors.hpp"
#include "benches/steps/shape.hpp"

namespace rackproof::steps {
namespace {

constexpr std::int64_t kMost = std::int64_t{1} << 20;
constexpr std::int64_t kWord = sizeof(float);

const std::vector<std::string> kParts{"overlap", "train", "prefill", "decode", "kv"};
constexpr std::int64_t kMostSequences = 4096;

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

[[noreturn]] void refuse_plant(const std::string& text) {
  throw kit::UsageError(fmt::format(
      "--plant {}: expected late:RANK:MILLISECONDS, slow-gemm:RANK:TIMES or serialised", text));
}

}  // namespace

std::optional<Plant> parse_plant(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (text == "serialised") return Plant{Plant::Kind::kSerialised, 0, 0};
  const std::size_t first = text.find(':');
  const std::size_t second = text.find(':', first + 1);
  if (first == std::string::npos || second == std::string::npos) refuse_plant(text);
  const auto rank = number(std::string_view(text).substr(first + 1, second - first - 1));
  const auto amount = number(std::string_view(text).substr(second + 1));
  const std::string kind = text.substr(0, first);
  if (!rank || !amount || *amount == 0) refuse_plant(text);
  if (kind == "late") return Plant{Plant::Kind::kLate, *rank, static_cast<double>(*amount) / 1000};
  if (kind == "slow-gemm")
    return Plant{Plant::Kind::kSlowProduct, *rank, static_cast<double>(*amount)};
  refuse_plant(text);
}

bool measures(const Config& config, std::string_view part) {
  return std::find(config.parts.begin(), config.parts.end(), part) != config.parts.end();
}

void declare(kit::Options& options, Config& config) {
  options.text("card", config.card, "model card: the name of a shipped one, or a file NAME.json");
  options.choices("parts", config.parts, kParts, "what to measure");
  options.integer("tp", config.layout.tensor, 1, kMost, "ranks that share each matrix");
  options.integer("pp", config.layout.pipeline, 1, kMost, "stages of the pipeline");
  options.integer("dp", config.layout.data, 1, kMost, "replicas");
  options.integer("ep", config.layout.expert, 1, kMost, "ranks that share the experts");
  options.flag("sequence-parallel", config.layout.sequence_parallel,
               "reduce-scatter and all-gather in place of the all-reduces of --tp");
  options.flag("fsdp", config.layout.sharded,
               "weights are cut over the replicas of --dp, and gathered for each pass");
  options.integer("layers", config.layers, 0, 65536, "layers of the model; 0: those of the card");
  options.integer("scale", config.scale, 1, kMost,
                  "divides the hidden and the feed-forward size of the card");
  options.integer("sequence", config.sequence, 1, kMost, "tokens of a sequence");
  options.integer("sequences", config.sequences, 1, kMost, "sequences of a micro-batch");
  options.integer("micro-batches", config.micro_batches, 1, 4096, "micro-batches of a step");
  options.choice("progress", config.progress, {"none", "thread"},
                 "who drives messages while a rank computes: nobody, or a thread of its own");
  options.number("host-share", config.host_share, 0.01, 1,
                 "share of its time for which a product keeps the core; below 1 as beside an "
                 "accelerator");
  options.integer("rounds", config.rounds, 6, 1000, "rounds of each cell of the overlap");
  options.integer("steps", config.steps, 3, 1000,
                  "timed training steps, passes, tokens and transfers");
  options.list("sizes", config.sizes,
               "sizes of the sweep of the overlap, beside those of the card");
  options.list("batches", config.batches, "sequences that are decoded at once");
  options.integer("context", config.context, 1, kMost,
                  "tokens of each sequence before the one that is decoded, and of a transfer");
  options.integer("threads", config.threads, 1, 65536, "threads of the BLAS library in each rank");
  options.integer("seed", config.seed, 0, std::int64_t{1} << 52, "of the operands");
  options.text("plant", config.plant,
               "test only: late:RANK:MS, slow-gemm:RANK:TIMES or serialised");
}

Plan plan_of(const Config& config, std::int64_t rank, std::int64_t ranks) {
  Plan plan;
  plan.card = scaled(load_card(config.card, card_folders()), config.layers, config.scale);
  plan.layout = config.layout;
  demand_fit(plan.layout, plan.card, ranks);
  if (plan.layout.sharded && (measures(config, "prefill") || measures(config, "decode"))) {
    throw kit::UsageError(
        "--fsdp: expected --parts without prefill and decode, which gather nothing");
  }
  plan.batch = {config.sequence, config.sequences, config.micro_batches};
  plan.place = place_of(rank, plan.layout);
  plan.progress = config.progress == "thread" ? Progress::kThread : Progress::kNone;
  for (const std::string& size : config.sizes) {
    const std::int64_t bytes = kit::parse_bytes(size);
    if (bytes < kWord || bytes % kWord != 0) {
      throw kit::UsageError(
          fmt::format("--sizes {}: expected a multiple of {} bytes", size, kWord));
    }
    plan.sizes.push_back(bytes);
  }
  for (const std::string& word : config.batches) {
    const auto batch = number(word);
    if (!batch || *batch < 1 || *batch > kMostSequences) {
      throw kit::UsageError(fmt::format("--batches {}: expected numbers of sequences from 1 to {}",
                                        word, kMostSequences));
    }
    plan.decode_batches.push_back(*batch);
  }
  if (measures(config, "kv") && ranks < 2) {
    throw kit::UsageError("--parts kv: expected at least 2 ranks, between which a cache is sent");
  }
  plan.plant = parse_plant(config.plant);
  if (plan.plant && plan.plant->rank >= ranks) {
    throw kit::UsageError(fmt::format("--plant {}: expected a rank below {}", config.plant, ranks));
  }
  const bool everywhere = plan.plant && plan.plant->kind == Plant::Kind::kSerialised;
  if (plan.plant && !everywhere && plan.plant->rank != rank) plan.plant.reset();
  return plan;
}

Needs needs_of(const Plan& plan, const Config& config) {
  Needs needs;
  needs.overlap = measures(config, "overlap");
  needs.passes = measures(config, "train") || measures(config, "prefill");
  for (const std::int64_t bytes : plan.sizes)
    needs.sweep_bytes = std::max(needs.sweep_bytes, bytes);
  if (measures(config, "decode")) {
    for (const std::int64_t batch : plan.decode_batches) {
      needs.decode_batch = std::max(needs.decode_batch, batch);
      // Refuses what experts cannot share, before anything is allocated.
      (void)shape_of(plan.card, plan.layout, {1, batch, 1}, plan.place);
    }
  }
  needs.context = config.context;
  needs.transfer = measures(config, "kv");
  return needs;
}

contract::Parameters base_parameters(const Plan& plan, const Config& config) {
  contract::Parameters parameters{{"card", plan.card.name},        {"layers", plan.card.layers},
                                  {"scale", config.scale},         {"sequence", config.sequence},
                                  {"sequences", config.sequences}, {"tp", plan.layout.tensor},
                                  {"pp", plan.layout.pipeline},    {"dp", plan.layout.data},
                                  {"progress", config.progress}};
  if (plan.layout.expert > 1) parameters["ep"] = plan.layout.expert;
  if (plan.layout.sequence_parallel) parameters["sequence_parallel"] = true;
  if (plan.layout.sharded) parameters["fsdp"] = true;
  if (config.host_share < 1) parameters["host_share"] = config.host_share;
  return parameters;
}

}  // namespace rackproof::steps
