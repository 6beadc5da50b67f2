#include <algorithm>
#include <map>

#include "tests/fakes/bench_plays.hpp"

// The benches whose processes work as one group: only the first member says numbers.
namespace rackproof::fakes {
namespace {

using contract::Better;
using contract::Statistic;
using contract::SubjectKind;
using protocol::Metric;

constexpr std::size_t kSamples = 20;
constexpr std::size_t kLinkSamples = 5;
constexpr std::int64_t kMostLinkMetrics = 10'000;  // as in benches/pairs/results.hpp

constexpr double kShortest = 1e-6;  // of an operation between GPUs, however small

Metric of_group(const std::string& name, bool rate) {
  Metric metric;
  metric.name = name;
  metric.unit = rate ? "B/s" : "s";
  metric.better = rate ? Better::kMore : Better::kLess;
  metric.subject.kind = SubjectKind::kGroup;
  return metric;
}

bool reduces(const std::string& operation) {
  return operation == "all_reduce" || operation == "reduce_scatter" || operation == "reduce";
}

double bus_factor(const std::string& operation, double ranks) {
  if (operation == "all_reduce") return 2 * (ranks - 1) / ranks;
  if (operation == "broadcast" || operation == "reduce" || operation == "sendrecv") return 1;
  return (ranks - 1) / ranks;
}

// Time and rate are one measurement: the times follow from the rates of the script.
void say_operation(Stagehand& hand, const std::string& operation, contract::Parameters parameters,
                   const BenchPlace& place) {
  Metric bus = of_group(operation + ".busbw", true);
  bus.parameters = std::move(parameters);
  bus.check = operation;
  for (const auto& [key, value] : bus.parameters) {
    if (const auto* text = std::get_if<std::string>(&value)) bus.check += "." + *text;
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
      bus.check += "." + std::to_string(*number);
    }
  }
  hand.check(bus.check, bus.name, place);
  std::vector<double> rates = hand.script().samples(bus, place, kSamples);
  const auto bytes = static_cast<double>(std::get<std::int64_t>(bus.parameters.at("bytes")));
  const auto ranks = static_cast<double>(std::get<std::int64_t>(bus.parameters.at("ranks")));
  const double moved = bytes * bus_factor(operation, ranks);
  std::vector<double> times;
  for (double& rate : rates) {
    times.push_back(std::max(moved / rate, kShortest));
    rate = moved / times.back();
  }
  Metric time = of_group(operation + ".time", false);
  time.parameters = bus.parameters;
  time.check = bus.check;
  hand.say(time, place, times);
  time.name = operation + ".latency_p99";
  time.statistic = Statistic::kP99;
  hand.say(time, place, times);
  hand.say(bus, place, rates);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Metric of_pairs(bool latency, std::int64_t bytes, std::int64_t ranks) {
  Metric metric = of_group(latency ? "pairs.latency" : "pairs.bandwidth", !latency);
  metric.parameters = {{"bytes", bytes}, {"ranks", ranks}};
  return metric;
}

// All links of one direction; gives their medians.
std::vector<double> say_links(Stagehand& hand, const Metric& shape, const std::string& direction,
                              int ranks, bool say) {
  std::vector<double> medians;
  for (int low = 0; low < ranks; ++low) {
    for (int high = low + 1; high < ranks; ++high) {
      const BenchPlace place{"", "", low, high};
      Metric metric = shape;
      if (!direction.empty()) metric.parameters["direction"] = direction;
      metric.subject = {SubjectKind::kLink, std::to_string(low), std::to_string(high)};
      const std::vector<double> samples = hand.script().samples(metric, place, kLinkSamples);
      medians.push_back(median(samples));
      if (!say) continue;
      metric.check = (direction.empty() ? "latency" : direction) + "." + std::to_string(low) + "-" +
                     std::to_string(high);
      hand.check(metric.check, metric.name, place);
      hand.say(metric, place, samples);
    }
  }
  return medians;
}

}  // namespace

void play_collectives(const BenchLine& line, Stagehand& hand) {
  const BenchPlace place = hand.here();
  const std::int64_t ranks = line.number("ranks", 1);
  hand.check("collectives.bringup", "collectives.bringup", place);
  if (place.member > 0) return;
  Metric bring_up = of_group("collectives.bringup", false);
  bring_up.statistic = Statistic::kValue;
  bring_up.parameters = {{"ranks", ranks}};
  bring_up.check = "collectives.bringup";
  hand.say(bring_up, place, 1);
  const std::int64_t last = line.bytes("end", 8);
  for (const std::string& operation : line.words(
           "ops", "all_reduce,all_gather,reduce_scatter,broadcast,reduce,alltoall,sendrecv")) {
    for (const std::string& dtype : line.words("dtypes", "float")) {
      for (const std::string& redop :
           reduces(operation) ? line.words("redops", "sum") : std::vector<std::string>{""}) {
        for (std::int64_t bytes = line.bytes("begin", 8); bytes <= last;
             bytes *= line.number("factor", 2)) {
          contract::Parameters parameters = {{"bytes", bytes}, {"dtype", dtype}, {"ranks", ranks}};
          if (!redop.empty()) parameters["redop"] = redop;
          say_operation(hand, operation, parameters, place);
        }
      }
    }
  }
}

// Training steps of llama-8b: the script knows how long one takes, and all else follows from it.
void play_training(const BenchLine& line, Stagehand& hand) {
  const BenchPlace place = hand.here();
  Metric metric = of_group("steps.step_time", false);
  metric.parameters = {{"card", line.text("card", "llama-8b")},
                       {"layers", line.number("layers", 4)},
                       {"scale", line.number("scale", 1)},
                       {"sequence", line.number("sequence", 4096)},
                       {"sequences", std::int64_t{1}},
                       {"tp", std::int64_t{1}},
                       {"pp", std::int64_t{1}},
                       {"dp", line.number("ranks", 1)},
                       {"fsdp", line.text("sharing", "data") == "fsdp"},
                       {"micro_batches", std::int64_t{1}},
                       {"progress", std::string("device")},
                       {"dtype", std::string("bf16")}};
  metric.check = "steps.train";
  hand.check(metric.check, metric.name, place);
  const std::vector<double> steps = hand.script().samples(metric, place, kSamples);
  hand.say(metric, place, steps);
  const auto say = [&](const char* name, const char* unit, Better better, Statistic statistic,
                       const std::vector<double>& samples) {
    metric.name = name;
    metric.unit = unit;
    metric.better = better;
    metric.statistic = statistic;
    hand.say(metric, place, samples);
  };
  say("steps.step_time_p99", "s", Better::kLess, Statistic::kP99, steps);
  say("steps.step_time_predicted", "s", Better::kLess, Statistic::kValue, {steps.front()});
  say("steps.step_over_parts", "ratio", Better::kLess, Statistic::kValue, {1.0});
  say("steps.slowest_rank", "ratio", Better::kLess, Statistic::kValue, {1.01});
  say("steps.mfu", "ratio", Better::kMore, Statistic::kMedian,
      std::vector<double>(steps.size(), 0.6));
}

// The overlap of a layer's gradients of llama-8b with its products: of all times the script knows
// the message alone, as it would be at so many bytes a second; the others follow from it.
void play_steps(const BenchLine& line, Stagehand& hand) {
  constexpr std::int64_t kBytes = 436'207'616;
  constexpr double kSlowed = 1.1;  // each by the other
  const BenchPlace place = hand.here();
  if (place.member > 0) return;
  if (line.text("parts", "overlap") == "train") return play_training(line, hand);
  Metric metric = of_group("steps.message_time", false);
  metric.parameters = {{"card", line.text("card", "llama-8b")},
                       {"layers", std::int64_t{32}},
                       {"scale", std::int64_t{1}},
                       {"sequence", std::int64_t{4096}},
                       {"sequences", std::int64_t{1}},
                       {"tp", std::int64_t{1}},
                       {"pp", std::int64_t{1}},
                       {"dp", line.number("ranks", 1)},
                       {"progress", std::string("device")},
                       {"dtype", std::string("bf16")},
                       {"message", std::string("gradients")},
                       {"bytes", kBytes}};
  metric.check = "steps.overlap.gradients." + std::to_string(kBytes);
  hand.check(metric.check, metric.name, place);
  const std::vector<double> alone = hand.script().samples(metric, place, kSamples);
  std::vector<double> joint;
  for (const double value : alone) joint.push_back(kSlowed * value);
  for (const char* const name : {"steps.message_time", "steps.compute_time", "steps.joint_time"}) {
    metric.name = name;
    hand.say(metric, place, metric.name == "steps.joint_time" ? joint : alone);
  }
  metric.unit = "ratio";
  for (const char* const name : {"steps.compute_slowdown", "steps.message_slowdown"}) {
    metric.name = name;
    hand.say(metric, place, std::vector<double>(alone.size(), kSlowed));
  }
  metric.name = "steps.overlap";
  metric.better = Better::kMore;
  hand.say(metric, place, std::vector<double>(alone.size(), 2 - kSlowed));
}

void play_pairs(const BenchLine& line, Stagehand& hand) {
  const BenchPlace place = hand.here();
  const auto ranks = static_cast<int>(line.number("ranks", 1));
  if (place.member > 0) return;
  const std::vector<std::string> tests = line.words("tests", "latency,one,both");
  const std::vector<std::string> sizes = line.words("sizes", "8");
  const auto kinds =
      static_cast<std::int64_t>(tests.size() + std::count(tests.begin(), tests.end(), "one"));
  const bool say =
      std::int64_t{ranks} * (ranks - 1) / 2 * kinds * static_cast<std::int64_t>(sizes.size()) <=
      kMostLinkMetrics;
  for (const std::string& size : sizes) {
    const std::int64_t bytes = bytes_of(size);
    for (const std::string& test : tests) {
      const bool latency = test == "latency";
      const Metric shape = of_pairs(latency, bytes, ranks);
      std::vector<double> medians;
      for (const std::string& direction : latency ? std::vector<std::string>{""}
                                          : test == "one"
                                              ? std::vector<std::string>{"forward", "backward"}
                                              : std::vector<std::string>{"both"}) {
        const std::vector<double> more = say_links(hand, shape, direction, ranks, say);
        medians.insert(medians.end(), more.begin(), more.end());
      }
      Metric whole = shape;
      whole.check = test + "." + size + ".all";
      if (!latency) whole.parameters["direction"] = test;
      hand.check(whole.check, whole.name, place);
      whole.name = shape.name + "_median";
      hand.say(whole, place, medians);
      whole.name = shape.name + "_worst";
      whole.statistic = Statistic::kWorst;
      hand.say(whole, place, medians);
    }
  }
}

}  // namespace rackproof::fakes
