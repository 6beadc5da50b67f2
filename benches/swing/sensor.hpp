#pragma once

#include <optional>
#include <string>

namespace rackproof::swing {

/// Why a rank has no number of power.
enum class Lack {
  kNothing,       ///< it has one
  kNoCounter,     ///< the kernel shows none of the processor
  kNotReadable,   ///< this user may not read it
  kNoLibrary,     ///< NVML does not start, or does not know the GPU
  kNoGpuCounter,  ///< the GPU counts no energy
};
/// "the kernel shows no energy counter of the processor" and the like, for a sentence.
std::string text_of(Lack lack);

/// The energy counter of what a rank computes on.
class Sensor {
 public:
  Sensor() = default;
  virtual ~Sensor() = default;
  Sensor(const Sensor&) = delete;
  Sensor& operator=(const Sensor&) = delete;

  /// Joules since some moment; none once it cannot be read any more. One thread at a time.
  virtual std::optional<double> joules() = 0;
  /// What it may draw in watts, where that is known.
  virtual std::optional<double> limit_watts() const = 0;
  /// Seconds between two readings: more often costs something and says nothing more.
  virtual double pause() const = 0;
};

}  // namespace rackproof::swing
