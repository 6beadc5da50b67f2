#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "harness/inventory/collectors.hpp"
#include "harness/support/digest.hpp"

namespace rackproof::inventory {
namespace {

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
      {{"os.name", "PRETTY_NAME"}, {"os.id", "ID"}, {"os.version", "VERSION_ID"}}};
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
  sheet.put_text("kernel.release", tree.read("/proc/sys/kernel/osrelease"));
  sheet.put_text("kernel.version", tree.read("/proc/sys/kernel/version"));
  sheet.put_integer("kernel.numa_balancing", tree.read("/proc/sys/kernel/numa_balancing"));
  sheet.put_text("kernel.clocksource",
                 tree.read("/sys/devices/system/clocksource/clocksource0/current_clocksource"));
  const Reading cmdline = tree.read("/proc/cmdline");
  if (cmdline.text) {
    sheet.put("kernel.parameters", performance_parameters(*cmdline.text),
              cmdline.path + ", those that change performance");
  } else {
    sheet.missing("kernel.parameters", cmdline.path, cmdline.why);
  }
}

void put_identity(const FileTree& tree, FactSheet& sheet) {
  sheet.put_text("host.name", tree.read("/proc/sys/kernel/hostname"));
  sheet.put_text("host.boot_id", tree.read("/proc/sys/kernel/random/boot_id"));
  const Reading id = tree.read("/etc/machine-id");
  const auto digest = id.text && !id.text->empty() ? digest16(*id.text) : std::nullopt;
  if (digest) {
    sheet.put("host.machine_id_hash", *digest, "sha256 of /etc/machine-id, 16 digits");
  } else {
    sheet.missing("host.machine_id_hash", id.path, id.text ? "the file is empty" : id.why);
  }
}

void put_machine(const FileTree& tree, FactSheet& sheet) {
  const std::array<std::pair<const char*, const char*>, 6> files = {{
      {"machine.vendor", "sys_vendor"},
      {"machine.product", "product_name"},
      {"machine.serial", "product_serial"},
      {"machine.board", "board_name"},
      {"machine.firmware_version", "bios_version"},
      {"machine.firmware_date", "bios_date"},
  }};
  for (const auto& [name, file] : files) {
    sheet.put_text(name, tree.read(std::string("/sys/class/dmi/id/") + file));
  }
  const std::array<std::pair<const char*, const char*>, 2> device_tree = {{
      {"machine.product", "model"},
      {"machine.serial", "serial-number"},
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
      sheet.put("machine.container", std::string(word), path);
      return;
    }
  }
  const Reading cgroup = tree.read("/proc/self/cgroup");
  for (const char* word : {"kubepods", "docker", "libpod", "lxc", "enroot"}) {
    if (cgroup.text && cgroup.text->find(word) != std::string::npos) {
      sheet.put("machine.container", std::string(word), cgroup.path);
      return;
    }
  }
  sheet.put("machine.container", std::string("none seen"), "marks of container runtimes");
}

void put_load(const FileTree& tree, FactSheet& sheet) {
  const Reading load = tree.read("/proc/loadavg");
  const std::vector<std::string> words = words_of(load.text.value_or(""));
  const std::array<const char*, 3> names = {"load.over_1_minute", "load.over_5_minutes",
                                            "load.over_15_minutes"};
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
