#include "tests/fakes/bench_plays.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace rackproof::fakes {
namespace {

using contract::Statistic;
using contract::SubjectKind;
using protocol::Metric;

constexpr std::size_t kSamplesPlayed = 20;
constexpr std::size_t kMostWindows = 60;

double value_of(const std::vector<double>& samples, Statistic statistic, contract::Better better) {
  std::vector<double> sorted = samples;
  std::sort(sorted.begin(), sorted.end());
  if (better == contract::Better::kLess) std::reverse(sorted.begin(), sorted.end());
  switch (statistic) {
    case Statistic::kBest:
      return sorted.back();
    case Statistic::kWorst:
      return sorted.front();
    case Statistic::kMean:
      return std::accumulate(sorted.begin(), sorted.end(), 0.0) /
             static_cast<double>(sorted.size());
    case Statistic::kP99:
      return sorted[sorted.size() / 100];
    default:
      return sorted[sorted.size() / 2];
  }
}

void play_stream(const BenchLine& line, Stagehand& hand) {
  const bool gpu = line.backend == "cuda";
  const BenchPlace place = hand.here();
  std::vector<std::string> variants = {line.text("variant", "both")};
  if (variants.front() == "both") variants = {"plain", "tuned"};
  for (const std::string& type : line.words("type", "double")) {
    for (const std::string& variant : variants) {
      const std::string name = "stream." + type + "." + variant;
      for (const char* const kernel : {"copy", "scale", "add", "triad", "dot"}) {
        if (!gpu && std::string(kernel) == "dot") continue;
        Metric metric = bandwidth(std::string("stream.") + kernel, place);
        metric.statistic = Statistic::kBest;
        metric.parameters = {{"type", type}, {"variant", variant}};
        if (!gpu) metric.parameters["domain"] = std::string("node");
        metric.check = name + "." + kernel;
        hand.check(metric.check, metric.name, place);
        hand.say(metric, place, kSamplesPlayed);
      }
    }
  }
}

std::vector<std::int64_t> shape_of(const std::string& text) {
  std::vector<std::int64_t> sides;
  std::size_t at = 0;
  for (int i = 0; i < 3; ++i) {
    sides.push_back(std::stoll(text.substr(at)));
    at = text.find('x', at) + 1;
  }
  return sides;
}

void play_gemm(const BenchLine& line, Stagehand& hand) {
  const BenchPlace place = hand.here();
  for (const std::string& dtype : line.words("dtype", "fp64,fp32")) {
    const std::string square = dtype == "fp64" ? "4096x4096x4096" : "8192x8192x8192";
    for (const std::string& shape : line.words("shape", square)) {
      const std::vector<std::int64_t> sides = shape_of(shape);
      Metric metric = bandwidth("gemm.rate", place);
      metric.unit = dtype == "int8" ? "OP/s" : "FLOP/s";
      metric.parameters = {{"dtype", dtype}, {"m", sides[0]}, {"n", sides[1]}, {"k", sides[2]}};
      metric.check = "gemm." + dtype + "." + shape;
      hand.check(metric.check, metric.name, place);
      hand.say(metric, place, kSamplesPlayed);
    }
  }
}

void play_burn(const BenchLine& line, Stagehand& hand) {
  const BenchPlace place = hand.here();
  const std::int64_t windows =
      line.number("seconds", 60) / std::max<std::int64_t>(1, line.number("window", 1));
  const auto count = static_cast<std::size_t>(std::clamp<std::int64_t>(windows, 1, kMostWindows));
  for (const std::string& dtype : line.words("dtype", "fp64")) {
    Metric metric = bandwidth("burn.rate", place);
    metric.unit = dtype == "int8" ? "OP/s" : "FLOP/s";
    metric.statistic = Statistic::kWorst;
    metric.parameters = {{"dtype", dtype}};
    for (const char* const pulse : {"pulse-period", "pulse-duty"}) {
      const std::string value = line.text(pulse);
      const std::string name = std::string("pulse_") + (pulse + 6);
      if (!value.empty()) metric.parameters[name] = std::stod(value);
    }
    metric.check = "burn." + dtype;
    hand.check(metric.check, metric.name, place);
    hand.say(metric, place, count);
    if (line.backend != "cuda") continue;
    metric.name = "burn.power";
    metric.unit = "W";
    metric.statistic = Statistic::kMean;
    hand.say(metric, place, count);
  }
}

void play_align(const BenchLine& line, Stagehand& hand) {
  const BenchPlace place = hand.here();
  Metric metric = bandwidth("align.rate", place);
  metric.unit = "cells/s";
  metric.parameters = {{"matrix", line.text("matrix", "BLOSUM62")},
                       {"gap_existence", std::int64_t{11}},
                       {"gap_extension", std::int64_t{1}},
                       {"data", std::string("drawn")}};
  metric.check = hand.check("align.scores", metric.name, place);
  for (const char* const query :
       {"all", "144", "222", "375", "729", "1500", "2504", "3564", "5478"}) {
    metric.parameters["query"] = std::string(query);
    hand.say(metric, place, kSamplesPlayed);
  }
  if (line.backend != "cuda") return;
  metric.name = "align.efficiency";
  metric.unit = "cells/J";
  metric.statistic = Statistic::kMean;
  metric.parameters["query"] = std::string("all");
  hand.say(metric, place, 1);
}

void say_copy(Stagehand& hand, const BenchLine& line, const std::string& test,
              const BenchPlace& place) {
  for (const std::string& engine : line.words("engines", "ce,sm")) {
    for (const std::string& direction : line.words("directions", "one,both")) {
      if (test == "local" && direction == "both") continue;
      Metric metric = bandwidth("copy." + test, place);
      metric.parameters = {{"engine", engine},
                           {"direction", direction},
                           {"bytes", line.bytes("size", std::int64_t{512} << 20)}};
      if (test == "local") metric.parameters["counted"] = std::string("once");
      if (test == "h2d" || test == "d2h") metric.parameters["numa"] = std::string("local");
      metric.check = test + "." + engine + "." + direction + "." + place.device + place.peer;
      hand.check(metric.check, metric.name, place);
      hand.say(metric, place, kSamplesPlayed);
    }
  }
}

void play_copy(const BenchLine& line, Stagehand& hand) {
  const std::vector<NvmlGpu>& gpus = hand.host().gpus;
  for (const std::string& test : line.words("tests", "h2d,d2h,local,peer_write,peer_read")) {
    for (const NvmlGpu& from : gpus) {
      if (test.starts_with("peer_")) {
        for (const NvmlGpu& to : gpus) {
          if (to.uuid != from.uuid) say_copy(hand, line, test, {from.uuid, to.uuid, -1, -1});
        }
      } else {
        say_copy(hand, line, test, {from.uuid, "", -1, -1});
      }
    }
  }
}

}  // namespace

Metric bandwidth(const std::string& name, const BenchPlace& place) {
  Metric metric;
  metric.name = name;
  metric.unit = "B/s";
  if (!place.device.empty()) metric.subject = {SubjectKind::kDevice, place.device, ""};
  if (!place.peer.empty()) metric.subject = {SubjectKind::kLink, place.device, place.peer};
  return metric;
}

Stagehand::Stagehand(const BenchLine& line, protocol::Emitter& out)
    : line_(line), out_(out), script_(line), host_(read_nvml_host()) {}

BenchPlace Stagehand::here() const {
  return {line_.text("device"), "", static_cast<int>(line_.number("rank", -1)), -1};
}

std::string Stagehand::unavailable() const {
  const std::string uuid = line_.text("device");
  if (uuid.empty()) return "";
  const auto gpu = std::find_if(host_.gpus.begin(), host_.gpus.end(),
                                [&](const NvmlGpu& one) { return one.uuid == uuid; });
  if (gpu == host_.gpus.end() || gpu->lost != 0) return "there is no device " + uuid;
  for (const std::string& dtype : line_.words("dtype", "")) {
    const int least = dtype == "mxfp8" || dtype == "nvfp4" ? 10 : dtype == "fp8_e4m3" ? 9 : 0;
    if (gpu->major < least) return gpu->name + " does not have " + dtype;
  }
  return "";
}

std::string Stagehand::check(const std::string& name, const std::string& metric,
                             const BenchPlace& place) {
  protocol::Check record;
  record.name = name;
  record.passed = !script_.is_wrong(metric, place);
  record.detail = "played";
  record.compared = 1'000'000;
  record.wrong = record.passed ? 0 : 1;
  if (!record.passed) record.first_wrong = {{"element 17", "3.5", "3.25"}};
  // Devices of one kind that were given one seed agree on the bits.
  if (line_.number("seed", 0) != 0) record.digest = "00aa";
  wrong_ = wrong_ || !record.passed;
  out_.emit(record);
  return name;
}

void Stagehand::say(Metric metric, const BenchPlace& place, std::size_t count) {
  std::vector<double> samples = script_.samples(metric, place, count);
  say(std::move(metric), place, std::move(samples));
}

void Stagehand::say(Metric metric, const BenchPlace& place, std::vector<double> samples) {
  metric.value = value_of(samples, metric.statistic, metric.better);
  metric.samples = std::move(samples);
  metric.conditions = script_.conditions(metric, place);
  out_.emit(std::move(metric));
}

void play_bench(const BenchLine& line, Stagehand& hand) {
  if (line.bench == "stream") return play_stream(line, hand);
  if (line.bench == "gemm") return play_gemm(line, hand);
  if (line.bench == "burn") return play_burn(line, hand);
  if (line.bench == "align") return play_align(line, hand);
  if (line.bench == "copy") return play_copy(line, hand);
  if (line.bench == "collectives") return play_collectives(line, hand);
  if (line.bench == "pairs") return play_pairs(line, hand);
  if (line.bench == "steps") return play_steps(line, hand);
  throw std::runtime_error("nobody plays " + line.program);
}

}  // namespace rackproof::fakes
