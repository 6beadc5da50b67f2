#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <string>

#include "harness/compare/compare.hpp"

namespace rackproof::compare_test {

/// A fleet of devices that keep their own level, as those of one rack do, measured once.
struct Fleet {
  int devices = 72;
  int quantities = 8;
  std::uint32_t seed = 1;    ///< of the devices' levels
  double spread = 0.01;      ///< between devices
  double noise = 0.004;      ///< from run to run
  std::string name = "GPU";  ///< fleets of other devices have another
  double factor = 1;         ///< on the first quantity of the devices that are changed
  int changed = 0;           ///< how many devices are
  std::string driver = "550.54";
  std::string changed_driver = "550.54";
};

inline compare::Sample sample_of(const Fleet& fleet, std::uint32_t run) {
  compare::Sample sample;
  sample.name = "run" + std::to_string(run);
  sample.suite = "acceptance";
  std::mt19937 noise(run * 7919 + 17);
  // One each: a distribution keeps half of what it draws for its next call, whatever engine that
  // has.
  std::normal_distribution<double> of_device;
  std::normal_distribution<double> of_run;
  for (int quantity = 0; quantity < fleet.quantities; ++quantity) {
    std::mt19937 own(fleet.seed * 1000 + static_cast<std::uint32_t>(quantity));
    compare::Key key;
    key.step = "gemm";
    key.metric = "gemm.rate" + std::to_string(quantity);
    key.unit = "FLOP/s";
    key.kind = contract::SubjectKind::kDevice;
    for (int device = 0; device < fleet.devices; ++device) {
      const bool changed = device < fleet.changed;
      const double level = 1e12 * std::exp(fleet.spread * of_device(own)) *
                           (changed && quantity == 0 ? fleet.factor : 1);
      const std::string subject = "node1/" + fleet.name + std::to_string(device);
      sample.numbers[key].of[subject] = level * std::exp(fleet.noise * of_run(noise));
      auto& facts = sample.facts_of[subject];
      facts["gpu.driver"] = changed ? fleet.changed_driver : fleet.driver;
      facts["gpu.name"] = "H100";
      facts["node.slot"] = device % 2 == 0 ? "upper" : "lower";
    }
  }
  return sample;
}

}  // namespace rackproof::compare_test
