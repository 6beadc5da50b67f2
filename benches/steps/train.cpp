#include "benches/steps/train.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "benches/kit/clock.hpp"
#include "benches/kit/results.hpp"
#include "benches/kit/statistics.hpp"
#include "benches/steps/blame.hpp"
#include "benches/steps/furthest.hpp"
#include "benches/steps/links.hpp"
#include "benches/steps/predict.hpp"
#include "benches/steps/schedule.hpp"
#include "benches/steps/stage.hpp"

namespace rackproof::steps {
namespace {

constexpr std::string_view kCheck = "steps.train";

// A pass of a micro-batch. Weights that replicas share are gathered one layer ahead.
void run_turn(Stage& stage, const Plan& plan, const Turn& turn) {
  const std::int64_t layers = stage.shape().layers;
  const bool backward = turn.kind == Turn::Kind::kBackward;
  const auto layer_at = [&](std::int64_t place) { return backward ? layers - 1 - place : place; };
  stage.start_weights(layer_at(0), backward);
  if (backward) {
    stage.await_backward(turn.micro_batch);
  } else {
    stage.await_forward(turn.micro_batch);
  }
  for (std::int64_t place = 0; place < layers; ++place) {
    const std::int64_t layer = layer_at(place);
    stage.await_weights();
    if (place + 1 < layers) stage.start_weights(layer_at(place + 1), backward);
    if (!backward) {
      stage.forward(layer, turn.micro_batch);
      continue;
    }
    stage.backward(layer, turn.micro_batch);
    if (turn.micro_batch + 1 == plan.batch.micro_batches) stage.start_gradients(layer);
  }
  if (backward) {
    stage.send_backward(turn.micro_batch);
  } else {
    stage.send_forward(turn.micro_batch);
  }
}

// One step, on all ranks at once, and where this rank's time of it went.
RankTimes run_step(Stage& stage, const Plan& plan, const Groups& groups,
                   kit::ProgressWriter& word) {
  const auto turns =
      one_forward_one_backward(plan.place.stage, plan.layout.pipeline, plan.batch.micro_batches);
  stage.turn();
  stage.cores().forget();
  stage.waits() = {};
  stage.expect_neighbours();
  word.exchange([&] { groups.world.barrier(); });
  const contract::Place place = word.next_operation();
  word.enter(place);
  const double start = kit::now_seconds();
  if (plan.plant && plan.plant->kind == Plant::Kind::kLate) {
    sleep_until(start + plan.plant->amount);
  }
  for (const Turn& turn : turns) run_turn(stage, plan, turn);
  stage.finish();
  RankTimes times;
  times.total = kit::now_seconds() - start;
  word.complete(place);
  times.work = stage.cores().times();
  times.waits = stage.waits();
  return times;
}

// All ranks of one step.
struct Step {
  std::vector<RankTimes> ranks;
  double seconds = 0;  ///< of the slowest
  double bubble = 0;   ///< idle over busy time, of all ranks together, gradients left out
};

Step gather_step(const Group& world, const RankTimes& mine) {
  const std::vector<double> all = world.gather(pack(mine));
  Step step;
  double busy = 0;
  double longest = 0;
  for (std::size_t rank = 0; rank * kRankNumbers < all.size(); ++rank) {
    step.ranks.push_back(unpack(all.data() + rank * kRankNumbers));
    const RankTimes& times = step.ranks.back();
    const double gradients = times.waits[static_cast<std::size_t>(Wait::kGradients)];
    const double idle = times.waits[static_cast<std::size_t>(Wait::kPipeline)];
    step.seconds = std::max(step.seconds, times.total);
    longest = std::max(longest, times.total - gradients);
    busy += times.total - gradients - idle;
  }
  step.bubble = longest * static_cast<double>(step.ranks.size()) / busy - 1;
  return step;
}

// The median of each number of each rank over the steps.
std::vector<RankTimes> median_ranks(const std::vector<Step>& steps) {
  std::vector<RankTimes> medians;
  for (std::size_t rank = 0; rank < steps.front().ranks.size(); ++rank) {
    std::vector<std::vector<double>> series(kRankNumbers);
    for (const Step& step : steps) {
      const std::vector<double> numbers = pack(step.ranks[rank]);
      for (std::size_t i = 0; i < kRankNumbers; ++i) series[i].push_back(numbers[i]);
    }
    std::vector<double> middle;
    for (const auto& values : series) middle.push_back(kit::median(values));
    medians.push_back(unpack(middle.data()));
  }
  return medians;
}

// The slowest rank of each stage.
std::vector<Alone> slowest_of_stages(const Plan& plan, const Group& world, const Alone& mine) {
  constexpr std::size_t kNumbers = 8;
  const std::vector<double> all =
      world.gather(std::vector<double>{mine.forward, mine.backward, mine.tensor, mine.expert,
                                       mine.stages, mine.gradients, mine.rate, mine.weights});
  std::vector<Alone> stages(static_cast<std::size_t>(plan.layout.pipeline));
  for (int rank = 0; rank < world.size(); ++rank) {
    const double* const from = all.data() + static_cast<std::size_t>(rank) * kNumbers;
    Alone& stage = stages[static_cast<std::size_t>(place_of(rank, plan.layout).stage)];
    stage.forward = std::max(stage.forward, from[0]);
    stage.backward = std::max(stage.backward, from[1]);
    stage.tensor = std::max(stage.tensor, from[2]);
    stage.expert = std::max(stage.expert, from[3]);
    stage.stages = std::max(stage.stages, from[4]);
    stage.gradients = std::max(stage.gradients, from[5]);
    stage.rate += from[6];  // of all its ranks
    stage.weights = std::max(stage.weights, from[7]);
  }
  return stages;
}

protocol::Metric train_metric(const Plan& plan, const Config& config, const std::string& name,
                              const std::string& unit) {
  protocol::Metric metric = kit::metric_of(
      "steps." + name, unit, unit == "s" ? contract::Better::kLess : contract::Better::kMore,
      std::string(kCheck));
  metric.parameters = base_parameters(plan, config);
  metric.parameters["micro_batches"] = plan.batch.micro_batches;
  metric.subject = kit::group_subject();
  return metric;
}

void say_single(protocol::Metric metric, double value, kit::Session& session) {
  kit::put_samples(metric, contract::Statistic::kValue, {value});
  session.metric(std::move(metric));
}

void say_bubble(const Plan& plan, const Config& config, const std::vector<Step>& steps,
                kit::Session& session) {
  protocol::Metric metric = train_metric(plan, config, "bubble", "ratio");
  metric.better = contract::Better::kLess;
  std::vector<double> bubbles;
  for (const Step& step : steps) bubbles.push_back(std::max(0.0, step.bubble));
  kit::put_samples(metric, contract::Statistic::kMedian, std::move(bubbles));
  const double measured = metric.value;
  session.metric(std::move(metric));
  const std::int64_t stages = plan.layout.pipeline;
  const std::int64_t batches = plan.batch.micro_batches;
  session.note(
      fmt::format(
          "bubble {:.4f} of {} stages and {} micro-batches: (p - 1)/m is {:.4f}, and would be "
          "{:.4f} interleaved with 2 pieces on each stage",
          measured, stages, batches, bubble(stages, batches), bubble(stages, batches, 2)),
      {{"bubble", measured},
       {"bubble_formula", bubble(stages, batches)},
       {"bubble_interleaved_2", bubble(stages, batches, 2)}});
}

// What makes the step slow, in one sentence. A link counts where ranks wait for messages at all.
void say_blame(const std::vector<RankTimes>& ranks, const std::vector<Link>& links,
               kit::Session& session) {
  const auto found = blame(ranks);
  const auto slow = slow_link(links);
  if (slow && (!found || found->part == Part::kExposed)) {
    const auto [waited, share] = waited_of(ranks);
    if (share >= kWorthSaying) {
      return session.note(
          text_of(*slow, waited, share),
          {{"share", share}, {"link_seconds", slow->seconds}, {"link_times", slow->times}});
    }
  }
  if (found) session.note(text_of(*found), {{"share", found->share}});
}

void say_slowest(const Plan& plan, const Config& config, const std::vector<RankTimes>& ranks,
                 const std::vector<Link>& links, kit::Session& session) {
  std::vector<double> own;
  for (const RankTimes& rank : ranks) own.push_back(rank.own());
  const auto worst = std::max_element(own.begin(), own.end()) - own.begin();
  const double most = own[static_cast<std::size_t>(worst)];
  protocol::Metric metric = train_metric(plan, config, "slowest_rank", "ratio");
  metric.better = contract::Better::kLess;
  say_single(std::move(metric), most / kit::median(own), session);
  session.note(fmt::format("rank {} takes longest for its own part of a step: {:.3f} ms, {:.3f} "
                           "times the median of the ranks",
                           worst, most * 1e3, most / kit::median(own)),
               {{"slowest_rank", static_cast<std::int64_t>(worst)}, {"own_seconds", most}});
  say_blame(ranks, links, session);
}

void say_steps(const Plan& plan, const Config& config, const std::vector<Step>& steps,
               const std::vector<Alone>& alone, const Shape& shape, bool hides,
               kit::Session& session) {
  protocol::Metric time = train_metric(plan, config, "step_time", "s");
  std::vector<double> took;
  for (const Step& step : steps) took.push_back(step.seconds);
  kit::put_samples(time, contract::Statistic::kMedian, took);
  protocol::Metric tail = train_metric(plan, config, "step_time_p99", "s");
  kit::put_samples(tail, contract::Statistic::kP99, took);
  const double seconds = time.value;
  session.metric(std::move(time));
  session.metric(std::move(tail));

  const double predicted = predicted_step(alone, shape, plan, hides);
  say_single(train_metric(plan, config, "step_time_predicted", "s"), predicted, session);
  protocol::Metric over = train_metric(plan, config, "step_over_parts", "ratio");
  over.better = contract::Better::kLess;
  say_single(std::move(over), seconds / predicted, session);
  session.note(
      fmt::format("step {:.3f} ms; its parts, each measured alone, make {:.3f} ms ({:+.1f} %)",
                  seconds * 1e3, predicted * 1e3, 100 * (predicted / seconds - 1)),
      {{"step_seconds", seconds}, {"predicted_seconds", predicted}});
  double rate = 0;
  for (const Alone& stage : alone) rate += stage.rate;
  const double tokens =
      static_cast<double>(plan.batch.tokens() * plan.batch.micro_batches * plan.layout.replicas());
  const double flop = model_flop_of_token(plan.card, plan.batch.sequence) * tokens;
  protocol::Metric mfu = train_metric(plan, config, "mfu", "ratio");
  kit::put_samples(mfu, contract::Statistic::kMedian, kit::rates(flop / rate, took));
  session.note(
      fmt::format("MFU {:.3f} of {:.1f} GFLOP/s, the rate of square products on all ranks in "
                  "this run",
                  mfu.value, rate / 1e9),
      {{"mfu", mfu.value}, {"gemm_rate", rate}});
  session.metric(std::move(mfu));
  if (plan.layout.pipeline > 1) say_bubble(plan, config, steps, session);
}

}  // namespace

void measure_training(const Plan& plan, const Config& config, const Groups& groups,
                      Network& network, kit::Session& session) {
  kit::ProgressWriter& word = session.progress();
  word.begin("training steps", 0);
  session.phase("training: parts alone", 0);
  const Group& world = groups.world;
  Stage stage(plan, config, groups, network, Scope::kTraining);
  const Alone alone = measure_alone(stage, config, groups, word);
  const std::vector<Link> links =
      measure_links(network, stage.shape().tokens * stage.shape().hidden, word);
  session.phase("training: proof of a first step", 0.1);
  (void)run_step(stage, plan, groups, word);
  stage.proof().check_exactly(stage.sign());

  std::vector<Step> steps;
  double proving = 0;
  for (std::int64_t i = 0; i < config.steps; ++i) {
    session.phase("training steps", static_cast<double>(i) / static_cast<double>(config.steps));
    steps.push_back(gather_step(world, run_step(stage, plan, groups, word)));
    const auto injection = session.injection();
    if (injection && world.rank() == world.size() - 1) stage.proof().inject(*injection);
    const double start = kit::now_seconds();
    stage.proof().check(stage.sign());
    proving += kit::now_seconds() - start;
  }
  const double proof = largest_of_ranks(world, {proving}).front();
  const std::vector<Alone> stages = slowest_of_stages(plan, world, alone);
  const protocol::Check check = check_of_ranks(
      world, std::string(kCheck),
      fmt::format("every element of every tensor that crossed ranks in {} steps, against the exact "
                  "sum over the ranks: the first by Freivalds' test, the others by their digests",
                  config.steps + 1),
      stage.proof().findings());
  if (world.rank() != 0) return;
  session.check(check);
  // A thread without a core of its own hides nothing.
  const bool hides =
      plan.progress == Progress::kThread && (config.host_share < 1 || !network.crowded());
  say_steps(plan, config, steps, stages, stage.shape(), hides, session);
  say_slowest(plan, config, median_ranks(steps), links, session);
  double total = 0;
  for (const Step& step : steps) total += step.seconds;
  protocol::Metric share = train_metric(plan, config, "proof_share", "ratio");
  share.better = contract::Better::kLess;
  say_single(std::move(share), proof / total, session);
}

}  // namespace rackproof::steps
