#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/budget/faults.hpp"

namespace rackproof::budget {

/// What is to be tested, and since when nobody has looked at it.
struct Machine {
  int hosts = 1;
  int gpus = 0;  ///< of each host
  int nics = 0;  ///< of each host
  double age_days = 30;
};

/// What was seen of the parts of one kind.
struct History {
  double failures = 0;
  double days = 0;  ///< of each part, together
};

/// How many faults of each kind of the table are expected in the machine: of n parts
/// n (1 - exp(-rate age)). The rate is the published one. Where `seen` knows the kind of part, all
/// its rates are scaled together to (1/2 + failures) / (1/2 / published + days): what was published
/// counts as half a failure, so that little history changes little.
std::vector<double> expected_faults(const FaultTable& table, const Machine& machine,
                                    const std::map<std::string, History>& seen);

/// How many parts of the kind the machine has.
double parts_of(const Machine& machine, const std::string& part);

}  // namespace rackproof::budget
