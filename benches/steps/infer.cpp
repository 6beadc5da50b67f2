#include "benches/steps/infer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <numeric>

#include "benches/kit/clock.hpp"
#include "benches/kit/host.hpp"
#include "benches/kit/product/mix.hpp"
#include "benches/kit/product/operands.hpp"
#include "benches/kit/results.hpp"
#include "benches/kit/statistics.hpp"
#include "benches/steps/memory.hpp"
#include "benches/steps/stage.hpp"

namespace rackproof::steps {
namespace {

constexpr int kTransferTag = 7;
constexpr std::size_t kPiecesUnderWay = 32;

protocol::Metric metric_of(const Plan& plan, const Config& config, const std::string& name,
                           const std::string& check) {
  protocol::Metric metric = kit::metric_of("steps." + name, "s", contract::Better::kLess, check);
  metric.parameters = base_parameters(plan, config);
  metric.subject = kit::group_subject();
  return metric;
}

// Times of passes forward through all stages: of the slowest rank, and what of them was waiting for
// the tensor group there on average.
struct Passes {
  std::vector<double> seconds;
  std::vector<double> message_shares;
  Findings findings;
};

Passes run_passes(Stage& stage, const Plan& plan, const Config& config, const Groups& groups,
                  kit::Session& session) {
  kit::ProgressWriter& word = session.progress();
  const std::int64_t ranks_of_stage = plan.layout.ranks() / plan.layout.pipeline;
  Passes passes;
  stage.settle();
  for (std::int64_t i = 0; i <= config.steps; ++i) {
    stage.turn();
    stage.waits() = {};
    stage.expect_neighbours();
    word.exchange([&] { groups.world.barrier(); });
    const double start = kit::now_seconds();
    stage.await_forward(0);
    for (std::int64_t layer = 0; layer < stage.shape().layers; ++layer) stage.forward(layer, 0);
    stage.send_forward(0);
    stage.finish();
    const double took = kit::now_seconds() - start;
    const bool last = groups.world.rank() == groups.world.size() - 1;
    if (const auto injection = session.injection(); injection && last && i > 0) {
      stage.proof().inject(*injection);
    }
    if (i == 0) {
      stage.proof().check_exactly(stage.sign());
      continue;
    }
    stage.proof().check(stage.sign());
    const double message = stage.waits()[static_cast<std::size_t>(Wait::kTensor)];
    const auto all = groups.world.gather(std::vector<double>{took, message});
    double slowest = 0;
    double messages = 0;
    for (std::size_t at = 0; at < all.size(); at += 2) {
      slowest = std::max(slowest, all[at]);
      messages += all[at + 1];
    }
    passes.seconds.push_back(slowest);
    passes.message_shares.push_back(messages / (slowest * static_cast<double>(ranks_of_stage)));
  }
  passes.findings = stage.proof().findings();
  return passes;
}

// Bytes a second that a rank reads, all ranks at once: a sum over memory that no cache holds.
double reading_rate(const Groups& groups, kit::ProgressWriter& word) {
  const std::int64_t cache = std::max<std::int64_t>(
      std::int64_t{32} << 20, kit::last_level_cache_bytes(kit::allowed_cpus()));
  const Floats memory(static_cast<std::size_t>(2 * cache) / sizeof(float));
  product::fill_value(memory.span(), 1.0F);
  std::vector<double> seconds;
  float total = 0;
  for (int i = 0; i < 5; ++i) {
    word.exchange([&] { groups.world.barrier(); });
    const double start = kit::now_seconds();
    std::array<float, 64> sums{};
    for (std::size_t at = 0; at + sums.size() <= memory.size(); at += sums.size()) {
      for (std::size_t lane = 0; lane < sums.size(); ++lane) sums[lane] += memory[at + lane];
    }
    total += std::accumulate(sums.begin(), sums.end(), 0.0F);
    seconds.push_back(kit::now_seconds() - start);
  }
  const auto bytes = static_cast<double>(memory.size() * sizeof(float));
  // The sum is of ones: what it is keeps the loop from being left out.
  return total > 0 ? bytes / kit::median(seconds) : 0;
}

Plan with_batch(const Plan& plan, const Batch& batch) {
  Plan other = plan;
  other.batch = batch;
  return other;
}

// What a token reads on a rank: its weights once, and the keys and values of all sequences.
double bytes_of_token(const Plan& plan, const Config& config, std::int64_t batch) {
  const std::int64_t layers = plan.card.layers / plan.layout.pipeline;
  const std::int64_t weights = layers * layer_parameters_of_rank(plan.card, plan.layout) *
                               static_cast<std::int64_t>(sizeof(float));
  return static_cast<double>(weights +
                             batch * config.context * cache_bytes_of_token(plan.card, plan.layout));
}

void decode(const Plan& plan, const Config& config, const Groups& groups, Network& network,
            double rate, kit::Session& session) {
  const std::int64_t batch = plan.batch.sequences;
  session.phase(fmt::format("decoding, batch {}", batch), 0.5);
  Stage stage(plan, config, groups, network, Scope::kForward, config.context);
  const Passes passes = run_passes(stage, plan, config, groups, session);
  const std::string name = fmt::format("steps.decode.{}", batch);
  const protocol::Check check = check_of_ranks(
      groups.world, name, "every element of every all-reduce, after each token", passes.findings);
  if (groups.world.rank() != 0) return;
  session.check(check);
  const auto metric = [&](const std::string& what) {
    protocol::Metric made = metric_of(plan, config, what, name);
    made.parameters["batch"] = batch;
    made.parameters["context"] = config.context;
    return made;
  };
  protocol::Metric time = metric("token_time");
  kit::put_samples(time, contract::Statistic::kMedian, passes.seconds);
  const double seconds = time.value;
  session.metric(std::move(time));
  // A token passes the stages one after the other.
  const double bound =
      bytes_of_token(plan, config, batch) * static_cast<double>(plan.layout.pipeline) / rate;
  protocol::Metric least = metric("token_bound");
  kit::put_samples(least, contract::Statistic::kValue, {bound});
  session.metric(std::move(least));
  protocol::Metric share = metric("token_message_share");
  share.unit = "ratio";
  kit::put_samples(share, contract::Statistic::kMedian, passes.message_shares);
  session.note(
      fmt::format(
          "batch {}: {:.3f} ms a token; reading weights, keys and values at {:.1f} GB/s takes "
          "{:.3f} ms; {} all-reduces of {} B take {:.1f} % of the token",
          batch, seconds * 1e3, rate / 1e9, bound * 1e3, 2 * plan.card.layers,
          batch * plan.card.hidden * 4, share.value * 100),
      {{"batch", batch}, {"token_seconds", seconds}, {"bound_seconds", bound}});
  session.metric(std::move(share));
}

}  // namespace

void measure_prefill(const Plan& plan, const Config& config, const Groups& groups, Network& network,
                     kit::Session& session) {
  session.progress().begin("prefill", 0);
  session.phase("prefill", 0);
  const Plan single = with_batch(plan, {plan.batch.sequence, plan.batch.sequences, 1});
  Stage stage(single, config, groups, network, Scope::kForward);
  const Passes passes = run_passes(stage, single, config, groups, session);
  const std::string name = "steps.prefill";
  const protocol::Check check = check_of_ranks(
      groups.world, name, "every element of every message, after each pass", passes.findings);
  if (groups.world.rank() != 0) return;
  session.check(check);
  protocol::Metric metric = metric_of(plan, config, "prefill_time", name);
  kit::put_samples(metric, contract::Statistic::kMedian, passes.seconds);
  session.metric(std::move(metric));
}

void measure_decoding(const Plan& plan, const Config& config, const Groups& groups,
                      Network& network, kit::Session& session) {
  session.progress().begin("decoding", 0);
  const double mine = reading_rate(groups, session.progress());
  const auto rates = groups.world.gather(std::vector<double>{mine});
  const double slowest = *std::min_element(rates.begin(), rates.end());
  for (const std::int64_t batch : plan.decode_batches) {
    decode(with_batch(plan, {1, batch, 1}), config, groups, network, slowest, session);
  }
}

void measure_transfer(const Plan& plan, const Config& config, const Groups& groups,
                      Network& network, kit::Session& session) {
  const Group& world = groups.world;
  const int half = world.size() / 2;
  session.progress().begin("transfer of keys and values", 0);
  session.phase("transfer of keys and values", 0);
  const std::int64_t piece =
      cache_bytes_of_token(plan.card, plan.layout) / static_cast<std::int64_t>(sizeof(float));
  const std::int64_t count = piece * config.context;
  const bool sends = world.rank() < half;
  const bool receives = world.rank() >= half && world.rank() < 2 * half;
  const int partner = sends ? world.rank() + half : world.rank() - half;
  const auto seed_of = [&](int sender) {
    return product::mix(static_cast<std::uint64_t>(config.seed),
                        5000 + static_cast<std::uint64_t>(sender));
  };
  constexpr std::int64_t kBound = 1 << 20;
  const Floats data(static_cast<std::size_t>(count));
  if (sends) product::fill_integers(data.span(), kBound, seed_of(world.rank()));
  Proof proof(static_cast<std::uint64_t>(config.seed));
  if (receives) {
    const Drawn from{seed_of(partner), piece, kBound};
    proof.add({0, "keys and values", -1, data.data(), {piece, {{config.context, {{from}}}}}});
  }
  std::vector<double> seconds;
  int sign = 1;
  for (std::int64_t i = 0; i <= config.steps; ++i, sign = -sign) {
    if (sends && i > 0) {
      for (float& value : data.span()) value = -value;
    }
    session.progress().exchange([&] { world.barrier(); });
    const double start = kit::now_seconds();
    std::deque<Message> under_way;
    for (std::int64_t token = 0; (sends || receives) && token < config.context; ++token) {
      float* const at = data.data() + token * piece;
      under_way.push_back(sends ? world.send(at, piece, partner, kTransferTag)
                                : world.receive(at, piece, partner, kTransferTag));
      if (under_way.size() < kPiecesUnderWay) continue;
      network.wait(under_way.front());
      under_way.pop_front();
    }
    for (const Message& message : under_way) network.wait(message);
    const double took = kit::now_seconds() - start;
    if (i > 0) seconds.push_back(largest_of_ranks(world, {took}).front());
    if (const auto injection = session.injection(); injection && receives) proof.inject(*injection);
    i == 0 ? proof.check_exactly(sign) : proof.check(sign);
  }
  const std::string name = "steps.kv_transfer";
  const protocol::Check check =
      check_of_ranks(world, name, "every element, after each transfer", proof.findings());
  if (world.rank() != 0) return;
  session.check(check);
  protocol::Metric metric = metric_of(plan, config, "kv_transfer", name);
  metric.unit = "B/s";
  metric.better = contract::Better::kMore;
  metric.parameters["context"] = config.context;
  kit::put_samples(metric, contract::Statistic::kMedian,
                   kit::rates(static_cast<double>(count) * sizeof(float), seconds));
  session.metric(std::move(metric));
}

}  // namespace rackproof::steps
