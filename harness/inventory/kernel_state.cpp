#include <sys/timex.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "harness/inventory/collectors.hpp"
#include "reports/model/fact_name.hpp"

namespace rackproof::inventory {
namespace {

namespace fact_name = model::fact_name;

const std::string kVulnerabilities = "/sys/devices/system/cpu/vulnerabilities";
constexpr std::array kModules = {"nvidia",    "nvidia_uvm", "nvidia_peermem", "nvidia_fs", "gdrdrv",
                                 "mlx5_core", "mlx5_ib",    "ib_core",        "knem",      "xpmem"};

void put_mitigations(const FileTree& tree, FactSheet& sheet) {
  const std::vector<std::string> names = tree.names(kVulnerabilities);
  if (names.empty()) {
    sheet.missing(fact_name::kCpuVulnerabilities, kVulnerabilities,
                  "the kernel does not list them");
  }
  for (const std::string& name : names) {
    sheet.put_text("cpu.vulnerability." + name, tree.read(kVulnerabilities + "/" + name));
  }
}

/// A list of processors that may be empty: "none".
void put_list(const std::string& name, const Reading& reading, FactSheet& sheet) {
  // Without a value the kernel writes "(null)", too.
  const bool none = reading.text && (reading.text->empty() || *reading.text == "(null)");
  if (none) {
    sheet.put(name, std::string("none"), reading.path);
  } else {
    sheet.put_text(name, reading);
  }
}

void put_modules(const FileTree& tree, FactSheet& sheet) {
  const std::string folder = "/sys/module";
  if (!tree.exists(folder)) {
    sheet.missing("module.nvidia", folder, "the kernel shows no modules");
    return;
  }
  for (const char* module : kModules) {
    const std::string path = folder + "/" + module;
    const std::string name = std::string("module.") + module;
    const Reading version = tree.read(path + "/version");
    if (version.text && !version.text->empty()) {
      sheet.put(name, *version.text, version.path);
    } else {
      sheet.put(name, std::string(tree.exists(path) ? "loaded" : "not loaded"), path);
    }
  }
}

void put_time(const FileTree& tree, FactSheet& sheet) {
  constexpr const char* kSource = "adjtimex";
  constexpr const char* kSynchronised = fact_name::kTimeSynchronised;
  constexpr const char* kError = fact_name::kTimeMaximumErrorSeconds;
  if (!tree.live()) {
    for (const char* name : {kSynchronised, kError}) {
      sheet.missing(name, kSource, "the files of another machine are being read");
    }
    return;
  }
  struct timex state {};  // no modes: nothing is set
  if (adjtimex(&state) < 0) {
    const std::string why = std::system_category().message(errno);
    for (const char* name : {kSynchronised, kError}) sheet.missing(name, kSource, why);
    return;
  }
  sheet.put(kSynchronised, (state.status & STA_UNSYNC) == 0, kSource);
  sheet.put(kError, static_cast<double>(state.maxerror) * 1e-6, kSource);
}

}  // namespace

void collect_kernel_state(const FileTree& tree, FactSheet& sheet) {
  const std::string cpus = "/sys/devices/system/cpu";
  put_mitigations(tree, sheet);
  put_list(fact_name::kCpuIsolated, tree.read(cpus + "/isolated"), sheet);
  put_list(fact_name::kCpuNohzFull, tree.read(cpus + "/nohz_full"), sheet);
  sheet.put_text(fact_name::kCpuSmtControl, tree.read(cpus + "/smt/control"));
  sheet.put_text(fact_name::kCpuIdleDriver, tree.read(cpus + "/cpuidle/current_driver"));
  put_modules(tree, sheet);
  put_time(tree, sheet);
}

}  // namespace rackproof::inventory
