#include "harness/budget/risk.hpp"

#include <cmath>

namespace rackproof::budget {
namespace {

constexpr double kWeightOfPublished = 0.5;

/// Failures a day of one part.
double published(const FaultTable& table, const Fault& fault) {
  return fault.count / (table.parts.at(fault.part) * table.days);
}

/// By which the published rates of a kind of part are to be multiplied.
double scale_of(const FaultTable& table, const std::string& part,
                const std::map<std::string, History>& seen) {
  const auto history = seen.find(part);
  if (history == seen.end()) return 1;
  double rate = 0;
  for (const Fault& fault : table.faults) {
    if (fault.part == part) rate += published(table, fault);
  }
  const double here = (kWeightOfPublished + history->second.failures) /
                      (kWeightOfPublished / rate + history->second.days);
  return here / rate;
}

}  // namespace

double parts_of(const Machine& machine, const std::string& part) {
  if (part == "gpu") return static_cast<double>(machine.hosts) * machine.gpus;
  if (part == "nic") return static_cast<double>(machine.hosts) * machine.nics;
  return machine.hosts;
}

std::vector<double> expected_faults(const FaultTable& table, const Machine& machine,
                                    const std::map<std::string, History>& seen) {
  std::vector<double> expected;
  for (const Fault& fault : table.faults) {
    const double rate = published(table, fault) * scale_of(table, fault.part, seen);
    expected.push_back(parts_of(machine, fault.part) * -std::expm1(-rate * machine.age_days));
  }
  return expected;
}

}  // namespace rackproof::budget
