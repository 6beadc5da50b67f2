#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "benches/kit/host.hpp"
#include "benches/swing/sensor.hpp"

namespace rackproof::swing {

/// The energy counters of the processor packages of this node, as the kernel's powercap files show
/// them (Documentation/power/powercap in the kernel's tree: energy_uj in microjoules, which begins
/// again at 0 after max_energy_range_uj).
class Rapl : public Sensor {
 public:
  /// Takes all packages, or none where one of them cannot be read: a part of the power would be
  /// taken for all of it.
  explicit Rapl(const std::filesystem::path& root = kit::kKernelFiles);
  ~Rapl() override;

  Lack lack() const { return lack_; }
  /// Joules since this was made, of all packages; none once a counter cannot be read any more.
  /// Wants to be asked before a counter has gone around twice.
  std::optional<double> joules() override;
  /// The long-term limit of all packages in watts, where each states one.
  std::optional<double> limit_watts() const override { return limit_; }
  double pause() const override { return 0.0005; }

 private:
  struct Package {
    int file = -1;
    double range = 0;  ///< microjoules
    double last = 0;
    double sum = 0;
  };
  void open(const std::filesystem::path& folder);
  void close();

  Lack lack_ = Lack::kNoCounter;
  std::vector<Package> packages_;
  std::optional<double> limit_;
};

}  // namespace rackproof::swing
