#include "benches/gemm/cuda.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "benches/gemm/cuda_work.hpp"
#include "benches/kit/clock.hpp"
#include "benches/kit/cublas/api.hpp"
#include "benches/kit/cuda/device.hpp"
#include "benches/kit/cuda/watch.hpp"
#include "benches/kit/errors.hpp"
#include "benches/kit/product/seed.hpp"
#include "benches/kit/results.hpp"
#include "benches/kit/statistics.hpp"

namespace rackproof::gemm {
namespace {

namespace cuda = kit::cuda;
using product::Fault;

constexpr double kLookEvery = 0.1;     // seconds between two looks at clocks and power
constexpr double kRound = 1;           // seconds between two comparisons of results
constexpr double kLongestPause = 1;    // seconds before the burst
constexpr double kBurstWindow = 0.05;  // seconds of calls that gemm.burst is the best of

void add(Fault& all, const Fault& one) {
  all.wrong += one.wrong;
  all.all_counted = all.all_counted && one.all_counted;
  if (!all.first) all.first = one.first;
  if (all.detail.empty()) all.detail = one.detail;
}

// What the measurement of one cell gave.
struct Outcome {
  cublas::Tuned tuned;
  Fault fault;
  std::uint64_t exact_digest = 0;
  std::uint64_t first_digest = 0;
  std::int64_t calls = 0;         // in one sample
  std::vector<double> before;     // seconds of samples of burst and settling
  std::vector<double> sustained;  // seconds of the samples that are reported
  std::int64_t compared = 0;
  contract::Parameters state;  // of the device while they were taken
};

class Runner {
 public:
  Runner(const CudaSettings& settings, cuda::Device device, kit::Session& session)
      : settings_(settings), device_(std::move(device)), session_(session), watch_(device_.uuid) {}

  void run(const std::vector<CudaCell>& all, std::uint64_t seed) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      done_ = static_cast<double>(i) / static_cast<double>(all.size());
      share_ = 1 / static_cast<double>(all.size());
      measure(all[i], product::mix(seed, i));
    }
    if (!measured_) throw kit::Unavailable(lacking_);
    session_.phase("done", 1);
  }

  void pass_over(const std::string& dtype, const std::string& reason) {
    if (lacking_.empty()) lacking_ = reason;
    session_.note(reason, {{"lacking", dtype}});
  }

 private:
  void phase(const CudaCell& cell, const char* what, double part) {
    session_.phase(
        fmt::format("{} {}: {}", product::numbers(cell.dtype).name, text(cell.shape), what),
        done_ + share_ * part);
  }

  void measure(const CudaCell& cell, std::uint64_t seed) {
    phase(cell, "looking for the fastest algorithm", 0);
    DeviceWork work(handle_, cell, settings_.fp8_accumulate == "fast");
    const product::Pattern pattern = product::pattern_of(settings_.pattern);
    work.fill_pattern(pattern, seed);
    const auto tuned =
        work.tune({static_cast<int>(settings_.candidates), settings_.search_seconds});
    if (!tuned) {
      const char* const name = product::numbers(cell.dtype).name;
      pass_over(name,
                fmt::format("cuBLASLt {} has no kernel for {} {} on this device",
                            cublas::version_text(cublas::api().version()), name, text(cell.shape)));
      return;
    }
    measured_ = true;
    Outcome outcome;
    outcome.tuned = *tuned;
    phase(cell, "proving the exact product", 0.3);
    add(outcome.fault, work.prove_exact(tuned->best, seed, session_.injection()));
    outcome.exact_digest = work.exact_digest();
    work.fill_pattern(pattern, seed);
    outcome.first_digest = work.digest_by(tuned->first);
    add(outcome.fault, work.make_reference(tuned->best));
    outcome.calls = calls_per_sample(tuned->best_seconds);
    work.prepare(tuned->best, outcome.calls);
    time(cell, work, outcome);
    add(outcome.fault, work.round_fault());
    outcome.compared = work.compared();
    say(cell, outcome);
  }

  // Burst, settling and the sustained samples follow each other without a pause. The burst begins
  // rested: what the search has heated and the power limit holds down is no burst.
  void time(const CudaCell& cell, DeviceWork& work, Outcome& outcome) {
    phase(cell, "burst", 0.4);
    std::this_thread::sleep_for(
        std::chrono::duration<double>(std::min(kLongestPause, settings_.burst)));
    run_for(work, settings_.burst, settings_.burst > 0 ? 1 : 0, outcome.before);
    phase(cell, "settling", 0.5);
    run_for(work, settings_.settle, 0, outcome.before);
    (void)watch_.facts();
    phase(cell, "sustained", 0.6);
    run_for(work, settings_.seconds, settings_.min_samples, outcome.sustained);
    outcome.state = watch_.facts();
  }

  void run_for(DeviceWork& work, double seconds, std::int64_t least, std::vector<double>& samples) {
    double left = seconds;
    std::int64_t missing = least;
    while (left > 0 || missing > 0) {
      const std::vector<double> more =
          work.round(std::min(left, kRound), left > kRound ? 1 : missing, [&] { look(); });
      for (const double one : more) left -= one;
      missing -= static_cast<std::int64_t>(more.size());
      samples.insert(samples.end(), more.begin(), more.end());
    }
  }

  void look() {
    const double now = kit::now_seconds();
    if (now - looked_ < kLookEvery) return;
    looked_ = now;
    watch_.look();
  }

  void say(const CudaCell& cell, const Outcome& outcome) {
    const std::string name =
        fmt::format("gemm.{}.{}", product::numbers(cell.dtype).name, text(cell.shape));
    say_check(name, outcome);
    say_metrics(name, cell, outcome);
    say_how(name, cell, outcome);
    say_search(name, cell, outcome.tuned);
  }

  void say_check(const std::string& name, const Outcome& outcome) {
    const Fault& fault = outcome.fault;
    protocol::Check check = kit::check_of(name, "", outcome.compared, fault.wrong, fault.first);
    check.detail =
        check.passed
            ? "exact integer product by row, column and random checksums off the matrix units; "
              "results of every timed round bitwise equal to the first"
            : fault.detail + (fault.all_counted ? "" : "; more may be wrong than were counted");
    // Devices vote where they were given the same seed. The second half is of the library's own
    // choice of algorithm, which does not hang on what was measured to be fastest.
    if (settings_.seed != 0) {
      check.digest = fmt::format("{:016x}{:016x}", outcome.exact_digest, outcome.first_digest);
    }
    session_.check(std::move(check));
  }

  void say_metrics(const std::string& name, const CudaCell& cell, const Outcome& outcome) {
    const double work = operations(cell.shape) * static_cast<double>(outcome.calls);
    protocol::Metric metric = kit::metric_of(
        "gemm.rate", std::string(product::numbers(cell.dtype).unit), contract::Better::kMore, name);
    kit::put_samples(metric, contract::Statistic::kMedian, kit::rates(work, outcome.sustained));
    metric.parameters = cuda_parameters(cell, settings_);
    metric.subject = kit::device_subject(device_.uuid);
    session_.metric(metric);
    if (settings_.burst == 0) return;

    std::vector<double> every = outcome.before;
    every.insert(every.end(), outcome.sustained.begin(), outcome.sustained.end());
    metric.name = "gemm.burst";
    kit::put_samples(metric, contract::Statistic::kBest, window_rates(every, work, kBurstWindow));
    session_.metric(std::move(metric));
  }

  void say_how(const std::string& name, const CudaCell& cell, const Outcome& outcome) {
    const cublas::Tuned& tuned = outcome.tuned;
    const double work = operations(cell.shape);
    contract::Parameters facts = outcome.state;
    facts["algorithm"] = tuned.best.text();
    facts["first_algorithm"] = tuned.first.text();
    facts["search_rate"] = work / tuned.best_seconds;
    facts["first_rate"] = work / tuned.first_seconds;
    facts["algorithms_offered"] = std::int64_t{tuned.offered};
    facts["algorithms_tried"] = std::int64_t{tuned.tried};
    facts["search_seconds"] = tuned.search_seconds;
    facts["calls_per_sample"] = outcome.calls;
    facts["pattern"] = settings_.pattern;
    facts["burst_seconds"] = settings_.burst;
    facts["settle_seconds"] = settings_.settle;
    facts["operand_bytes"] = product::operand_bytes(cell.dtype, cell.shape.m, cell.shape.k) +
                             product::operand_bytes(cell.dtype, cell.shape.n, cell.shape.k);
    facts["l2_bytes"] = device_.l2_bytes;
    facts["result"] = std::string(product::name(product::numbers(cell.dtype).result));
    if (cell.dtype == product::Dtype::kFp8) facts["accumulate"] = settings_.fp8_accumulate;
    session_.note(
        fmt::format("{}: {}, {:.3f} of the rate of the heuristic's first; {} data", name,
                    tuned.best.text(), tuned.first_seconds / tuned.best_seconds, settings_.pattern),
        std::move(facts));
  }

  // So that a choice that was wrong can be seen: what every algorithm reached.
  void say_search(const std::string& name, const CudaCell& cell, const cublas::Tuned& tuned) {
    contract::Parameters facts = {{"noise", tuned.noise}};
    for (const cublas::Timed& one : tuned.timed) {
      facts[fmt::format("algorithm_{}", one.place)] = one.algorithm.text();
      facts[fmt::format("rate_{}", one.place)] = operations(cell.shape) / one.seconds;
    }
    session_.note(
        fmt::format("{}: {} of {} algorithms that cuBLASLt offered ran in the search; the "
                    "fastest one's times lie {:.2f} % around their median",
                    name, tuned.timed.size(), tuned.offered, 100 * tuned.noise),
        std::move(facts));
  }

  const CudaSettings& settings_;
  cuda::Device device_;
  kit::Session& session_;
  cuda::Watch watch_;
  cublas::Handle handle_;
  double done_ = 0;
  double share_ = 0;
  double looked_ = 0;
  bool measured_ = false;
  std::string lacking_;
};

void refuse_what_does_not_fit(const std::vector<CudaCell>& all) {
  const std::int64_t free = cuda::free_bytes();
  for (const CudaCell& cell : all) {
    const std::int64_t needed = cuda_bytes_needed(cell);
    if (needed <= free) continue;
    throw kit::UsageError(fmt::format(
        "--shape {} with --dtype {} needs {:.1f} GiB of the device's memory, and {:.1f} GiB are "
        "free: choose a smaller shape",
        text(cell.shape), product::numbers(cell.dtype).name,
        static_cast<double>(needed) / (1 << 30), static_cast<double>(free) / (1 << 30)));
  }
}

}  // namespace

void measure_cuda(const CudaSettings& settings, kit::Session& session) {
  std::vector<CudaCell> all = cuda_cells(settings);
  const cuda::Device device = cuda::select(settings.device);
  session.device(cuda::to_record(device));
  std::vector<std::pair<std::string, std::string>> missing;
  std::erase_if(all, [&](const CudaCell& cell) {
    const auto reason = product::lacking(cell.dtype, device.major, device.minor);
    const std::string name = product::numbers(cell.dtype).name;
    if (reason && (missing.empty() || missing.back().first != name)) {
      missing.emplace_back(name, *reason);
    }
    return reason.has_value();
  });
  if (all.empty()) throw kit::Unavailable(missing.front().second);
  refuse_what_does_not_fit(all);
  const std::uint64_t seed =
      settings.seed != 0 ? static_cast<std::uint64_t>(settings.seed) : product::fresh_seed() >> 1U;
  session.note(fmt::format("{}, seed {}", device.name, seed),
               {{"seed", static_cast<std::int64_t>(seed)}});
  Runner runner(settings, device, session);
  for (const auto& [dtype, reason] : missing) runner.pass_over(dtype, reason);
  runner.run(all, seed);
}

}  // namespace rackproof::gemm
