#include <algorithm>
#include <array>
#include <cstdio>

#include "harness/inventory/collectors.hpp"
#include "reports/model/fact_name.hpp"

namespace rackproof::inventory {
namespace {

namespace fact_name = model::fact_name;

std::string short_number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

std::string reason(const FactSheet& sheet, const std::string& name) {
  const model::Fact* fact = sheet.find(name);
  return name + ": " + (fact && !fact->unreadable.empty() ? fact->unreadable : "not known");
}

void no_peak(const std::string& why, FactSheet& sheet) {
  for (const char* name : {fact_name::kCpuPeakFlopsFp64, fact_name::kCpuPeakFlopsFp32}) {
    sheet.missing(name, "computed", why);
  }
}

}  // namespace

void compute_peaks(const FileTree& tree, FactSheet& sheet) {
  const Reading cpuinfo = tree.read("/proc/cpuinfo");
  if (!cpuinfo.text) {
    no_peak(cpuinfo.path + ": " + cpuinfo.why, sheet);
    return;
  }
  const Microarchitecture core = identify(identity_from(*cpuinfo.text));
  if (core.fp64_flops_a_cycle == 0) {
    no_peak(core.why, sheet);
    return;
  }
  const auto usable = sheet.number(fact_name::kCpuUsableCores);
  const auto clock = sheet.number(fact_name::kCpuMaxClockHertz);
  if (!usable || !clock) {
    no_peak(reason(sheet, usable ? fact_name::kCpuMaxClockHertz : fact_name::kCpuUsableCores),
            sheet);
    return;
  }
  const auto quota = sheet.number(fact_name::kCgroupCpus);
  const double cores = quota ? std::min(*usable, *quota) : *usable;
  const std::string bound = quota && *quota < *usable ? " (cgroup limit)" : " usable";
  const std::string source = "computed: " + short_number(cores) + " cores" + bound + " x " +
                             short_number(*clock / 1e9) + " GHz (" +
                             sheet.find(fact_name::kCpuMaxClockHertz)->source + ") x ";
  const auto put = [&](const std::string& name, int flops, const std::string& type) {
    sheet.put(name, cores * *clock * flops,
              source + std::to_string(flops) + " " + type + " FLOP a cycle (" + core.name + ", " +
                  core.why + ")");
  };
  put(fact_name::kCpuPeakFlopsFp64, core.fp64_flops_a_cycle, "fp64");
  // Every core in the table does two fp32 operations in the lane of one fp64 operation.
  put(fact_name::kCpuPeakFlopsFp32, 2 * core.fp64_flops_a_cycle, "fp32");
}

}  // namespace rackproof::inventory
