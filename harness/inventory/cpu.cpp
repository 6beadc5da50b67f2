#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "harness/inventory/collectors.hpp"
#include "reports/model/fact_name.hpp"

namespace rackproof::inventory {
namespace {

namespace fact_name = model::fact_name;

const std::string kCpuinfo = "/proc/cpuinfo";
const std::string kCpus = "/sys/devices/system/cpu";

// The instruction sets that decide which kernels run.
constexpr std::array<std::string_view, 20> kIsa = {
    "sse4_2",      "avx",         "avx2",        "fma",      "avx512f",  "avx512bw", "avx512vl",
    "avx512_bf16", "avx512_fp16", "avx512_vnni", "avx_vnni", "amx_tile", "amx_bf16", "amx_int8",
    "asimd",       "sve",         "sve2",        "svebf16",  "bf16",     "i8mm"};

std::string cpu_path(int cpu, const std::string& rest) {
  return kCpus + "/cpu" + std::to_string(cpu) + "/" + rest;
}

int number_after(const std::string& text, const std::string& key, int base) {
  const auto value = line_value(text, key, ':');
  if (!value) return -1;
  char* end = nullptr;
  const long number = std::strtol(value->c_str(), &end, base);
  return end == value->c_str() || number < 0 || number > 0xffff ? -1 : static_cast<int>(number);
}

std::optional<double> largest_cpuinfo_clock(const std::string& cpuinfo) {
  std::optional<double> largest;
  std::istringstream lines(cpuinfo);
  std::string line;
  while (std::getline(lines, line)) {
    if (line.rfind("cpu MHz", 0) != 0) continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const auto clock = to_number(line.substr(colon + 1));
    if (clock && *clock > 0) largest = std::max(largest.value_or(0), *clock);
  }
  return largest;
}

/// "performance", or "mixed: performance 62, powersave 2".
std::string summary_of(const std::map<std::string, int>& counts) {
  if (counts.size() == 1) return counts.begin()->first;
  std::string text = "mixed:";
  for (const auto& [word, count] : counts) {
    text += (text.back() == ':' ? " " : ", ") + word + " " + std::to_string(count);
  }
  return text;
}

void put_processor_identity(const std::string& cpuinfo, FactSheet& sheet) {
  const CpuIdentity cpu = identity_from(cpuinfo);
  const auto put_word = [&](const std::string& name, const std::string& value) {
    if (value.empty()) {
      sheet.missing(name, kCpuinfo, "the kernel does not say");
    } else {
      sheet.put(name, value, kCpuinfo);
    }
  };
  put_word(fact_name::kCpuVendor, cpu.vendor);
  const Microarchitecture core = identify(cpu);
  if (cpu.model_name.empty() && !core.name.empty()) {
    sheet.put(fact_name::kCpuModel, core.name, kCpuinfo + ": implementer and part");
  } else {
    put_word(fact_name::kCpuModel, cpu.model_name);
  }
  if (core.name.empty()) {
    sheet.missing(fact_name::kCpuMicroarchitecture, kCpuinfo, core.why);
  } else {
    sheet.put(fact_name::kCpuMicroarchitecture, core.name, kCpuinfo);
  }
  if (cpu.family >= 0) sheet.put(fact_name::kCpuFamily, std::int64_t{cpu.family}, kCpuinfo);
  if (cpu.model >= 0) sheet.put(fact_name::kCpuModelNumber, std::int64_t{cpu.model}, kCpuinfo);
  if (cpu.part >= 0) sheet.put(fact_name::kCpuPart, std::int64_t{cpu.part}, kCpuinfo);
  std::string isa;
  for (const std::string_view flag : kIsa) {
    if (cpu.flags.contains(std::string(flag))) isa += (isa.empty() ? "" : " ") + std::string(flag);
  }
  put_word(fact_name::kCpuIsa, isa);
  put_word(fact_name::kCpuMicrocode, line_value(cpuinfo, "microcode", ':').value_or(""));
  if (cpu.part < 0) {
    sheet.put(fact_name::kMachineVirtual, cpu.flags.contains("hypervisor"),
              kCpuinfo + ": hypervisor flag");
  } else {
    sheet.missing(fact_name::kMachineVirtual, kCpuinfo, "this architecture has no hypervisor flag");
  }
}

void put_architecture(const FileTree& tree, const std::string& cpuinfo, FactSheet& sheet) {
  const Reading arch = tree.read("/proc/sys/kernel/arch");
  if (arch.text && !arch.text->empty()) {
    sheet.put_text(fact_name::kCpuArchitecture, arch);
  } else if (line_value(cpuinfo, "CPU implementer", ':')) {
    sheet.put(fact_name::kCpuArchitecture, std::string("aarch64"), kCpuinfo + ": its layout");
  } else if (line_value(cpuinfo, "vendor_id", ':')) {
    sheet.put(fact_name::kCpuArchitecture, std::string("x86_64"), kCpuinfo + ": its layout");
  } else {
    sheet.missing(fact_name::kCpuArchitecture, arch.path, arch.why);
  }
}

std::vector<int> allowed_cpus(const FileTree& tree, const std::vector<int>& online) {
  const Reading status = tree.read("/proc/self/status");
  const auto text = status.text ? line_value(*status.text, "Cpus_allowed_list", ':') : std::nullopt;
  const auto allowed = text ? parse_list(*text) : std::nullopt;
  if (!allowed) return {};
  std::vector<int> both;
  std::set_intersection(online.begin(), online.end(), allowed->begin(), allowed->end(),
                        std::back_inserter(both));
  return both;
}

struct Cores {
  std::set<std::string> sockets;
  std::set<std::string> cores;         // each named by its list of threads
  std::set<std::string> usable_cores;  // with at least one allowed thread
  std::string why;                     // not empty: the topology could not be read
};

Cores read_cores(const FileTree& tree, const std::vector<int>& online,
                 const std::vector<int>& allowed) {
  Cores cores;
  for (const int cpu : online) {
    const Reading socket = tree.read(cpu_path(cpu, "topology/physical_package_id"));
    const Reading threads = tree.read(cpu_path(cpu, "topology/thread_siblings_list"));
    if (!socket.text || !threads.text) {
      const Reading& failed = socket.text ? threads : socket;
      cores.why = failed.path + ": " + failed.why;
      return cores;
    }
    cores.sockets.insert(*socket.text);
    cores.cores.insert(*threads.text);
    if (std::binary_search(allowed.begin(), allowed.end(), cpu)) {
      cores.usable_cores.insert(*threads.text);
    }
  }
  return cores;
}

void put_cores(const FileTree& tree, const std::vector<int>& online, FactSheet& sheet) {
  const std::vector<int> allowed = allowed_cpus(tree, online);
  sheet.put_count(fact_name::kCpuThreads, online.size(), kCpus + "/online");
  const std::string status = "/proc/self/status: Cpus_allowed_list";
  if (allowed.empty()) {
    sheet.missing(fact_name::kCpuUsableThreads, status, "not readable");
  } else {
    sheet.put_count(fact_name::kCpuUsableThreads, allowed.size(), status);
  }
  const Cores cores = read_cores(tree, online, allowed);
  const std::string source = kCpus + "/cpu*/topology";
  if (!cores.why.empty()) {
    for (const char* name :
         {fact_name::kCpuSockets, fact_name::kCpuCores, fact_name::kCpuUsableCores}) {
      sheet.missing(name, source, cores.why);
    }
    sheet.missing(fact_name::kCpuSmt, source, cores.why);
    return;
  }
  sheet.put_count(fact_name::kCpuSockets, cores.sockets.size(), source);
  sheet.put_count(fact_name::kCpuCores, cores.cores.size(), source);
  sheet.put(fact_name::kCpuSmt, online.size() > cores.cores.size(), source);
  if (allowed.empty()) {
    sheet.missing(fact_name::kCpuUsableCores, status, "not readable");
  } else {
    sheet.put_count(fact_name::kCpuUsableCores, cores.usable_cores.size(),
                    source + " and " + status);
  }
}

void put_clock(const FileTree& tree, const std::string& cpuinfo, const std::vector<int>& online,
               FactSheet& sheet) {
  std::map<std::string, int> governors;
  std::map<std::string, int> drivers;
  long long fastest = 0;
  for (const int cpu : online) {
    const Reading governor = tree.read(cpu_path(cpu, "cpufreq/scaling_governor"));
    const Reading driver = tree.read(cpu_path(cpu, "cpufreq/scaling_driver"));
    if (governor.text && !governor.text->empty()) ++governors[*governor.text];
    if (driver.text && !driver.text->empty()) ++drivers[*driver.text];
    fastest =
        std::max(fastest, tree.integer(cpu_path(cpu, "cpufreq/cpuinfo_max_freq")).value_or(0));
  }
  const std::string source = kCpus + "/cpu*/cpufreq";
  const std::string none = "no cpufreq here: a virtual machine, or the firmware sets the clock";
  const auto put_counts = [&](const std::string& name, const std::map<std::string, int>& counts) {
    if (counts.empty()) {
      sheet.missing(name, source, none);
    } else {
      sheet.put(name, summary_of(counts), source);
    }
  };
  put_counts(fact_name::kCpuGovernor, governors);
  put_counts(fact_name::kCpuFrequencyDriver, drivers);
  if (fastest > 0) {
    sheet.put(fact_name::kCpuMaxClockHertz, std::int64_t{fastest * 1000},
              source + "/cpuinfo_max_freq");
  } else if (const auto clock = largest_cpuinfo_clock(cpuinfo)) {
    sheet.put(fact_name::kCpuMaxClockHertz, *clock * 1e6,
              kCpuinfo + ": cpu MHz, the clock when it was read (nominal in a virtual machine)");
  } else {
    sheet.missing(fact_name::kCpuMaxClockHertz, source,
                  "neither cpufreq nor /proc/cpuinfo gives a clock");
  }
}

void put_boost(const FileTree& tree, FactSheet& sheet) {
  const std::string boost = kCpus + "/cpufreq/boost";
  const std::string no_turbo = kCpus + "/intel_pstate/no_turbo";
  if (const auto on = tree.integer(boost)) {
    sheet.put(fact_name::kCpuBoost, *on != 0, boost);
  } else if (const auto off = tree.integer(no_turbo)) {
    sheet.put(fact_name::kCpuBoost, *off == 0, no_turbo);
  } else {
    sheet.missing(fact_name::kCpuBoost, boost,
                  "neither cpufreq/boost nor intel_pstate/no_turbo is there");
  }
}

}  // namespace

CpuIdentity identity_from(const std::string& cpuinfo) {
  CpuIdentity cpu;
  const auto implementer = line_value(cpuinfo, "CPU implementer", ':');
  cpu.vendor = implementer ? *implementer : line_value(cpuinfo, "vendor_id", ':').value_or("");
  if (implementer) {
    cpu.part = number_after(cpuinfo, "CPU part", 16);
  } else {
    cpu.family = number_after(cpuinfo, "cpu family", 10);
    cpu.model = number_after(cpuinfo, "model", 10);
  }
  cpu.model_name = line_value(cpuinfo, "model name", ':').value_or("");
  const auto flags = line_value(cpuinfo, implementer ? "Features" : "flags", ':');
  for (const std::string& flag : words_of(flags.value_or(""))) cpu.flags.insert(flag);
  return cpu;
}

void collect_cpu(const FileTree& tree, FactSheet& sheet) {
  const Reading cpuinfo = tree.read(kCpuinfo);
  const std::string text = cpuinfo.text.value_or("");
  put_architecture(tree, text, sheet);
  put_processor_identity(text, sheet);
  put_boost(tree, sheet);
  const Reading list = tree.read(kCpus + "/online");
  const auto online = list.text ? parse_list(*list.text) : std::nullopt;
  if (!online || online->empty()) {
    const std::string why = list.text ? "not a list: \"" + *list.text + "\"" : list.why;
    for (const char* name :
         {fact_name::kCpuThreads, fact_name::kCpuUsableThreads, fact_name::kCpuSockets,
          fact_name::kCpuCores, fact_name::kCpuUsableCores, fact_name::kCpuSmt}) {
      sheet.missing(name, list.path, why);
    }
  } else {
    put_cores(tree, *online, sheet);
  }
  put_clock(tree, text, online.value_or(std::vector<int>{}), sheet);
}

}  // namespace rackproof::inventory
