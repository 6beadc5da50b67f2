#include "benches/steps/nccl_say.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "benches/kit/results.hpp"
#include "benches/kit/statistics.hpp"
#include "benches/steps/furthest.hpp"

namespace rackproof::steps {
namespace {

// What a share is at least: a number that is not positive counts as none.
constexpr double kLeast = 1e-9;

// How often a step computes a product.
double times_of(const Program& program, std::size_t product) {
  return static_cast<double>(
      std::count_if(program.begin(), program.end(),
                    [&](const Operation& one) { return !one.sends && one.kind == product; }));
}

// What a rank computes in a step.
double computed(const StepPlan& plan, const std::array<double, kProducts>& products) {
  return product_seconds(plan.program, products);
}

// Of all messages the kind that takes most of a step alone.
Traffic most_traffic(const StepPlan& plan, const StepTimes& times) {
  std::array<double, kTraffic> seconds{};
  for (const Operation& one : plan.program) {
    if (one.sends) seconds[one.kind] += times.traffic[one.kind];
  }
  return static_cast<Traffic>(std::max_element(seconds.begin(), seconds.end()) - seconds.begin());
}

// Says the numbers of one step, which differ in a few words.
class Speaker {
 public:
  Speaker(contract::Parameters parameters, std::string check, kit::Session& session)
      : parameters_(std::move(parameters)), check_(std::move(check)), session_(session) {}

  void say(const std::string& name, const std::string& unit, contract::Better better,
           std::vector<double> samples,
           contract::Statistic statistic = contract::Statistic::kMedian) const {
    protocol::Metric metric = kit::metric_of("steps." + name, unit, better, check_);
    kit::put_samples(metric, statistic, std::move(samples));
    metric.parameters = parameters_;
    metric.subject = kit::group_subject();
    session_.metric(std::move(metric));
  }
  void say_value(const std::string& name, const std::string& unit, contract::Better better,
                 double value) const {
    say(name, unit, better, {value}, contract::Statistic::kValue);
  }

 private:
  contract::Parameters parameters_;
  std::string check_;
  kit::Session& session_;
};

void say_slowest_rank(const StepPlan& plan, const StepTimes& times, const Speaker& speaker,
                      kit::Session& session) {
  const auto own = [&](const auto& products) { return computed(plan, products); };
  const Furthest slow = furthest(times.products, own);
  const double most = own(times.products[static_cast<std::size_t>(slow.rank)]);
  const double ratio = most / (most - slow.beyond);
  speaker.say_value("slowest_rank", "ratio", contract::Better::kLess, ratio);
  session.note(fmt::format("rank {} takes longest for the products of a step: {:.3f} ms, {:.3f} "
                           "times the median of the ranks",
                           slow.rank, most * 1e3, ratio),
               {{"slowest_rank", std::int64_t{slow.rank}}, {"own_seconds", most}});
}

void say_training(const StepPlan& plan, const StepTimes& times, const Speaker& speaker,
                  kit::Session& session) {
  using contract::Better;
  speaker.say("step_time", "s", Better::kLess, times.steps);
  speaker.say("step_time_p99", "s", Better::kLess, times.steps, contract::Statistic::kP99);
  const double step = kit::median(times.steps);
  const auto slowest = times.slowest();
  const double predicted = predicted_seconds(plan.program, slowest, times.traffic);
  speaker.say_value("step_time_predicted", "s", Better::kLess, predicted);
  speaker.say_value("step_over_parts", "ratio", Better::kLess, step / predicted);
  session.note(
      fmt::format("step {:.3f} ms; its products and messages, each measured alone, make {:.3f} ms "
                  "({:+.1f} %): {:.3f} ms of products, {:.3f} ms of messages",
                  step * 1e3, predicted * 1e3, 100 * (predicted / step - 1),
                  computed(plan, slowest) * 1e3,
                  traffic_seconds(plan.program, times.traffic) * 1e3),
      {{"step_seconds", step}, {"predicted_seconds", predicted}});
  double rate = 0;
  for (std::size_t i = 0; i < kProducts; ++i) {
    if (slowest[i] > 0) rate = std::max(rate, plan.products[i].operations() / slowest[i]);
  }
  speaker.say("mfu", "ratio", Better::kMore, kit::rates(operations_of(plan) / rate, times.steps));
  session.note(
      fmt::format("MFU {:.3f} of {:.1f} TFLOP/s, the rate of the fastest product in this run; "
                  "attention itself is neither computed nor counted",
                  operations_of(plan) / rate / step, rate / 1e12),
      {{"gemm_rate", rate}});
  say_slowest_rank(plan, times, speaker, session);
}

void say_decode(const StepPlan& plan, const StepTimes& times, double memory_peak,
                const Speaker& speaker) {
  using contract::Better;
  speaker.say("token_time", "s", Better::kLess, times.steps);
  if (memory_peak > 0) {
    speaker.say_value("token_bound", "s", Better::kLess, weight_bytes(plan) / memory_peak);
  }
  const double products = computed(plan, times.slowest());
  std::vector<double> shares;
  for (const double step : times.steps) shares.push_back(std::max(kLeast, 1 - products / step));
  speaker.say("token_message_share", "ratio", Better::kLess, std::move(shares));
}

}  // namespace

std::array<double, kProducts> StepTimes::slowest() const {
  std::array<double, kProducts> longest{};
  for (const auto& rank : products) {
    for (std::size_t i = 0; i < kProducts; ++i) longest[i] = std::max(longest[i], rank[i]);
  }
  return longest;
}

SlowGemm slowest_product(const StepPlan& plan, const StepTimes& times) {
  SlowGemm slow;
  for (std::size_t product = 0; product < kProducts; ++product) {
    const Furthest found =
        furthest(times.products, [&](const auto& rank) { return rank[product]; });
    const double beyond = found.beyond * times_of(plan.program, product);
    if (beyond <= slow.seconds) continue;
    slow = {product, found.rank, beyond};
  }
  return slow;
}

std::string slow_part(const StepPlan& plan, const StepTimes& times) {
  const double step = kit::median(times.steps);
  const SlowGemm slow = slowest_product(plan, times);
  if (slow.seconds >= kWorthSaying * step) {
    return fmt::format(
        "slow GEMM: {} takes rank {} {:.2f} ms of a step ({:.0f} %) longer than the other ranks",
        product_text(slow.product), slow.rank, slow.seconds * 1e3, 100 * slow.seconds / step);
  }
  const double exposed = step - computed(plan, times.slowest());
  if (exposed < kWorthSaying * step) return "";
  return fmt::format(
      "exposed communication: {:.2f} ms of a step ({:.0f} %) are not products; most of what is "
      "sent is {}",
      exposed * 1e3, 100 * exposed / step, traffic_text(most_traffic(plan, times)));
}

void say_step(const NcclPlan& plan, const NcclConfig& config, const StepPlan& step,
              const StepTimes& times, double memory_peak, const std::string& check,
              kit::Session& session) {
  contract::Parameters parameters = base_parameters(plan, config, step);
  if (step.part == StepPart::kTrain) parameters["micro_batches"] = step.batch.micro_batches;
  if (step.part == StepPart::kDecode) {
    parameters["batch"] = step.batch.sequences;
    parameters["context"] = std::int64_t{0};
  }
  const Speaker speaker(std::move(parameters), check, session);
  if (step.part == StepPart::kTrain) {
    say_training(step, times, speaker, session);
  } else if (step.part == StepPart::kPrefill) {
    speaker.say("prefill_time", "s", contract::Better::kLess, times.steps);
  } else {
    say_decode(step, times, memory_peak, speaker);
  }
  const std::string slow = slow_part(step, times);
  if (!slow.empty()) session.note(slow, {{"part", std::string(word(step.part))}, {"slow", true}});
}

}  // namespace rackproof::steps
