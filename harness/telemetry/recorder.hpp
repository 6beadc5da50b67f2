#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/telemetry/budget.hpp"
#include "harness/telemetry/columns.hpp"
#include "harness/telemetry/event_gate.hpp"
#include "harness/telemetry/gpu_thread.hpp"
#include "harness/telemetry/ring_writer.hpp"

namespace rackproof::telemetry {

struct RecorderOptions {
  std::string path;
  double interval_seconds = 0.1;
  std::size_t most_bytes = std::size_t{16} << 20;
  double longest_seconds = 0;  ///< room for more samples is not taken; 0: all of most_bytes
  std::string root;            ///< put before /proc and /sys; empty: this machine
  std::string nvml;            ///< library to load; empty: no GPUs are asked for
  double start_seconds = 5;    ///< that NVML has to start
  double budget_seconds = kBudgetSeconds;
  EventGate::Sink on_event;  ///< gets what happens, as an EventGate lets it through; may be empty
};

/// What recording cost, as measured.
struct Cost {
  std::uint64_t samples = 0;
  double cpu_seconds = 0;
  std::size_t devices = 1;  ///< GPUs; one where there is none
  unsigned stretch = 1;     ///< intervals between two samples, now
  /// CPU seconds for a sample and device; 0 before the first.
  double per_sample() const;
};

/// Takes samples of this node into a file. The caller says when.
class Recorder {
 public:
  /// Throws RecordingError. Masks no signals: block them first where no thread is to get them.
  explicit Recorder(const RecorderOptions& options);

  /// Takes a sample now, and tells what happened since the last one. `last` reads also what is not
  /// read each time.
  void sample(bool last = false);
  /// Seconds from the start of one sample to the next, which the cost may stretch.
  double interval_seconds() const;
  /// Closes the file. No sample may follow.
  void close();

  const Cost& cost() const { return cost_; }
  const About& about() const { return about_; }
  /// Whether a call to the driver hangs: the process then ends by _exit().
  bool hangs() const { return gpus_ && gpus_->hangs(); }

 private:
  void add(std::unique_ptr<Columns> source);
  void pass_events(std::uint64_t now);

  double interval_seconds_;
  GpuThread* gpus_ = nullptr;
  std::vector<std::unique_ptr<Columns>> sources_;
  About about_;
  Budget budget_;
  Cost cost_;
  EventGate events_;
  double cpu_at_start_ = 0;
  std::vector<double> values_;
  std::unique_ptr<RingWriter> writer_;
};

/// CLOCK_MONOTONIC in nanoseconds.
std::uint64_t monotonic_ns();

}  // namespace rackproof::telemetry
