#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/config/metrics.hpp"
#include "harness/config/suite.hpp"

namespace rackproof::document {
class Field;
}  // namespace rackproof::document

namespace rackproof::config {

/// A fault of its own that a program can be asked to make, beside the flipped bit that all know
/// (--inject).
struct OwnFault {
  std::string name;     ///< "lost tile"
  std::string planted;  ///< what is done, for people
  std::vector<std::string> arguments;

  bool operator==(const OwnFault&) const = default;
};

/// One program of a bench: how it is run for a moment. What only tests and scripts read of it
/// ("played", "by_hand") is not kept.
struct BenchProgram {
  std::string bench;
  std::string backend;
  Placement placement = Placement::kNode;
  int members = 1;  ///< a group of fewer has nothing to measure
  /// Arguments of a run of a few seconds that proves what it measures.
  std::vector<std::string> brief;
  /// A metric of the brief run, with parameters that it has there.
  std::string metric;
  std::map<std::string, contract::Scalar> parameters;
  std::vector<OwnFault> faults;

  /// "stream-host"
  std::string name() const { return bench + "-" + backend; }
  bool operator==(const BenchProgram&) const = default;
};

/// The field "programs" of a bench's description; `metrics` are those of the bench. Throws
/// ConfigError.
std::vector<BenchProgram> read_programs(const document::Field& field, const std::string& bench,
                                        const MetricCatalogue& metrics);

}  // namespace rackproof::config
