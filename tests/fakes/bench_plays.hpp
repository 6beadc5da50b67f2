#pragma once

#include <string>
#include <vector>

#include "benches/protocol/emit.hpp"
#include "tests/fakes/bench_script.hpp"
#include "tests/fakes/nvml_host.hpp"

namespace rackproof::fakes {

/// Says what a play tells it, with the numbers of the script. The GPUs are those of the host that
/// NVML plays.
class Stagehand {
 public:
  Stagehand(const BenchLine& line, protocol::Emitter& out);

  const BenchScript& script() const { return script_; }
  const NvmlHost& host() const { return host_; }
  /// The device of --device, and the member of --rank.
  BenchPlace here() const;
  /// Why this device cannot do what it is asked to; empty when it can.
  std::string unavailable() const;
  bool wrong() const { return wrong_; }

  /// A passed check, unless the script spoils a metric of that name there. Gives its name.
  std::string check(const std::string& name, const std::string& metric, const BenchPlace& place);
  /// Fills in the samples and the value of `metric` and says it.
  void say(protocol::Metric metric, const BenchPlace& place, std::size_t count);
  /// The same with samples that are known.
  void say(protocol::Metric metric, const BenchPlace& place, std::vector<double> samples);

 private:
  const BenchLine& line_;
  protocol::Emitter& out_;
  BenchScript script_;
  NvmlHost host_;
  bool wrong_ = false;
};

/// Prints what the bench of `line` prints of its arguments. Throws std::runtime_error for a bench
/// that nobody plays.
void play_bench(const BenchLine& line, Stagehand& hand);

/// The parts of play_bench() over groups.
void play_collectives(const BenchLine& line, Stagehand& hand);
void play_pairs(const BenchLine& line, Stagehand& hand);
void play_steps(const BenchLine& line, Stagehand& hand);

/// A metric that is a rate of bytes, about `place`.
protocol::Metric bandwidth(const std::string& name, const BenchPlace& place);

}  // namespace rackproof::fakes
