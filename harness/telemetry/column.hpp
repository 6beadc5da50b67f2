#pragma once

#include <string>

namespace rackproof::telemetry {

enum class Kind {
  kGauge,    ///< a state at the time of the sample: watts, degrees
  kCounter,  ///< it only grows while the machine is up: joules, errors
  kMask      ///< bits that are each on or off: throttle reasons
};

const char* to_text(Kind kind);

/// One series of a recording.
struct Column {
  std::string name;     ///< "gpu.power"
  std::string subject;  ///< a GPU's UUID, a port, a sensor; empty: the node
  std::string unit;     ///< base SI, "1" for shares and counts
  Kind kind = Kind::kGauge;
  std::string source;  ///< the file or function that was read

  /// "gpu.power{GPU-0}", "load.1": unique in a recording.
  std::string key() const { return subject.empty() ? name : name + "{" + subject + "}"; }
  bool operator==(const Column&) const = default;
};

/// The column of that name (model::column_name), in the unit that the catalogue has for it.
Column column_of(const char* name, std::string subject, Kind kind, std::string source);

}  // namespace rackproof::telemetry
