#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "harness/inventory/collectors.hpp"
#include "harness/support/digest.hpp"
#include "reports/model/fact_name.hpp"

namespace rackproof::inventory {
namespace {

namespace fact_name = model::fact_name;

/// The first 16 hexadecimal digits of SHA-256, or nothing when the library refuses.
std::optional<std::string> digest16(const std::string& text) {
  try {
    return support::sha256_hex(text).substr(0, 16);
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

// Boot parameters that change what a machine can do. The rest of the command line holds disks,
// addresses and sometimes secrets, which do not belong in a report.
constexpr std::array<std::string_view, 30> kParameters = {"amd_iommu",
                                                          "amd_pstate",
                                                          "audit",
                                                          "clocksource",
                                                          "cma",
                                                          "cpuidle.off",
                                                          "default_hugepagesz",
                                                          "hugepages",
                                                          "hugepagesz",
                                                          "idle",
                                                          "init_on_alloc",
                                                          "init_on_free",
                                                          "intel_idle.max_cstate",
                                                          "intel_iommu",
                                                          "intel_pstate",
                                                          "iommu",
                                                          "iommu.passthrough",
                                                          "isolcpus",
                                                          "mitigations",
                                                          "nmi_watchdog",
                                                          "nohz_full",
                                                          "nosmt",
                                                          "numa_balancing",
                                                          "pci",
                                                          "preempt",
                                                          "processor.max_cstate",
                                                          "rcu_nocbs",
                                                          "selinux",
                                                          "transparent_hugepage",
                                                          "tsc"};

std::string performance_parameters(const std::string& cmdline) {
  std::string text;
  for (const std::string& word : words_of(cmdline)) {
    const std::string name = word.substr(0, word.find('='));
    if (std::find(kParameters.begin(), kParameters.end(), name) == kParameters.end()) continue;
    text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

std::string unquoted(const std::string& text) {
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') &&
      text.back() == text.front()) {
    return text.substr(1, text.size() - 2);
  }
  return text;
}

void put_os(const FileTree& tree, FactSheet& sheet) {
  Reading release = tree.read("/etc/os-release");
  if (!release.text) release = tree.read("/usr/lib/os-release");
  const std::array<std::pair<const char*, const char*>, 3> lines = {
      {{fact_name::kOsName, "PRETTY_NAME"},
       {fact_name::kOsId, "ID"},
       {fact_name::kOsVersion, "VERSION_ID"}}};
  for (const auto& [name, key] : lines) {
    const auto value = line_value(release.text.value_or(""), key, '=');
    if (value) {
      sheet.put(name, unquoted(*value), release.path);
    } else {
      sheet.missing(name, release.path, release.text ? "it does not say" : release.why);
    }
  }
}

void put_kernel(const FileTree& tree, FactSheet& sheet) {
  sheet.put_text(fact_name::kKernelRelease, tree.read("/proc/sys/kernel/osrelease"));
  sheet.put_text(fact_name::kKernelVersion, tree.read("/proc/sys/kernel/version"));
  sheet.put_integer(fact_name::kKernelNumaBalancing, tree.read("/proc/sys/kernel/numa_balancing"));
  sheet.put_text(fact_name::kKernelClocksource,
                 tree.read("/sys/devices/system/clocksource/clocksource0/current_clocksource"));
  const Reading cmdline = tree.read("/proc/cmdline");
  if (cmdline.text) {
    sheet.put(fact_name::kKernelParameters, performance_parameters(*cmdline.text),
              cmdline.path + ", those that change performance");
  } else {
    sheet.missing(fact_name::kKernelParameters, cmdline.path, cmdline.why);
  }
}

void put_identity(const FileTree& tree, FactSheet& sheet) {
  sheet.put_text(fact_name::kHostName, tree.read("/proc/sys/kernel/hostname"));
  sheet.put_text(fact_name::kHostBootId, tree.read("/proc/sys/kernel/random/boot_id"));
  const Reading id = tree.read("/etc/machine-id");
  const auto digest = id.text && !id.text->empty() ? digest16(*id.text) : std::nullopt;
  if (digest) {
    sheet.put(fact_name::kHostMachineIdHash, *digest, "sha256 of /etc/machine-id, 16 digits");
  } else {
    sheet.missing(fact_name::kHostMachineIdHash, id.path, id.text ? "the file is empty" : id.why);
  }
}

void put_machine(const FileTree& tree, FactSheet& sheet) {
  const std::array<std::pair<const char*, const char*>, 6> files = {{
      {fact_name::kMachineVendor, "sys_vendor"},
      {fact_name::kMachineProduct, "product_name"},
      {fact_name::kMachineSerial, "product_serial"},
      {fact_name::kMachineBoard, "board_name"},
      {fact_name::kMachineFirmwareVersion, "bios_version"},
      {fact_name::kMachineFirmwareDate, "bios_date"},
  }};
  for (const auto& [name, file] : files) {
    sheet.put_text(name, tree.read(std::string("/sys/class/dmi/id/") + file));
  }
  const std::array<std::pair<const char*, const char*>, 2> device_tree = {{
      {fact_name::kMachineProduct, "model"},
      {fact_name::kMachineSerial, "serial-number"},
  }};
  for (const auto& [name, file] : device_tree) {
    const Reading reading = tree.read(std::string("/proc/device-tree/") + file);
    const model::Fact* known = sheet.find(name);
    if (known && !known->value && reading.text) sheet.put_text(name, reading);
  }
}

void put_container(const FileTree& tree, FactSheet& sheet) {
  const std::array<std::pair<const char*, const char*>, 3> marks = {{
      {"/.dockerenv", "docker"},
      {"/run/.containerenv", "podman"},
      {"/.singularity.d", "apptainer"},
  }};
  for (const auto& [path, word] : marks) {
    if (tree.exists(path)) {
      sheet.put(fact_name::kMachineContainer, std::string(word), path);
      return;
    }
  }
  const Reading cgroup = tree.read("/proc/self/cgroup");
  for (const char* word : {"kubepods", "docker", "libpod", "lxc", "enroot"}) {
    if (cgroup.text && cgroup.text->find(word) != std::string::npos) {
      sheet.put(fact_name::kMachineContainer, std::string(word), cgroup.path);
      return;
    }
  }
  sheet.put(fact_name::kMachineContainer, std::string("none seen"), "marks of container runtimes");
}

void put_load(const FileTree& tree, FactSheet& sheet) {
  const Reading load = tree.read("/proc/loadavg");
  const std::vector<std::string> words = words_of(load.text.value_or(""));
  const std::array<const char*, 3> names = {
      fact_name::kLoadOver1Minute, fact_name::kLoadOver5Minutes, fact_name::kLoadOver15Minutes};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto value = i < words.size() ? to_number(words[i]) : std::nullopt;
    if (value) {
      sheet.put(names.at(i), *value, load.path);
    } else {
      sheet.missing(names.at(i), load.path, load.text ? "not a number" : load.why);
    }
  }
}

}  // namespace

void collect_system(const FileTree& tree, FactSheet& sheet) {
  put_identity(tree, sheet);
  put_os(tree, sheet);
  put_kernel(tree, sheet);
  put_machine(tree, sheet);
  put_container(tree, sheet);
  put_load(tree, sheet);
}

}  // namespace rackproof::inventory
