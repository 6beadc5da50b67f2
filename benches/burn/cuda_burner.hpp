#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "benches/burn/cuda_plan.hpp"
#include "benches/burn/cuda_workload.hpp"
#include "benches/kit/cuda/stream.hpp"
#include "benches/kit/cuda/watch.hpp"
#include "benches/kit/session.hpp"

namespace rackproof::burn {

/// What became of one dtype.
struct Tally {
  Workload* workload = nullptr;
  std::vector<double> rates;         ///< operations per second of each window
  std::int64_t multiplications = 0;  ///< the exact ones among them
  std::int64_t exact = 0;
  std::int64_t wrong = 0;  ///< elements
  std::optional<protocol::FirstWrong> first;
  double seconds_of_one = 0;  ///< of the last window
};

/// Burns: a window of each workload by turns, until the time is over.
class Burner {
 public:
  Burner(const CudaSettings& settings, const std::string& uuid, std::uint64_t seed,
         kit::Session& session);

  void burn(const std::vector<Workload*>& workloads);

  const std::vector<Tally>& tallies() const { return tallies_; }
  /// Watts by the energy counter over the whole burn; nothing where NVML does not tell, or for less
  /// than two seconds.
  std::optional<double> mean_power() const;
  /// Watts of each stretch.
  const std::vector<double>& power_samples() const { return power_samples_; }

 private:
  struct Interval {
    double seconds = 0;  ///< of the device, under load
    std::int64_t multiplications = 0;
  };

  void window(Tally& tally);
  Interval steady(Tally& tally, double seconds);
  Interval pulses(Tally& tally, double seconds);
  /// Queues `count` products of which the last is exact if `with_exact`, and waits for them.
  double load(Tally& tally, std::int64_t count, bool with_exact);
  void wait_for(const kit::cuda::Event& end, double expected);
  std::optional<kit::Injection> fault_before(const Tally& tally, std::int64_t place,
                                             const std::optional<std::int64_t>& flip);
  void read_findings(Tally& tally);
  void look(bool idle = false);
  void end_stretch(bool last);
  void progress(const Tally& tally);
  double elapsed() const;

  const CudaSettings& settings_;
  std::uint64_t seed_;
  kit::Session& session_;
  kit::cuda::Watch watch_;
  kit::cuda::Stream stream_;
  kit::cuda::Event begin_;
  kit::cuda::Event end_;
  std::vector<Tally> tallies_;
  double start_ = 0;
  double looked_ = 0;
  double said_ = 0;
  double stretch_began_ = 0;
  std::int64_t stretches_ = 0;
  std::int64_t windows_ = 0;
  bool injected_ = false;
  bool flipped_ = false;
  std::vector<double> power_samples_;
  std::optional<kit::cuda::DeviceState> first_state_;
  std::optional<kit::cuda::DeviceState> last_state_;
};

}  // namespace rackproof::burn
