#include "harness/telemetry/host_columns.hpp"

#include <algorithm>
#include <charconv>

#include "harness/inventory/file_tree.hpp"
#include "harness/telemetry/file_columns.hpp"
#include "harness/telemetry/missing.hpp"
#include "reports/model/column_name.hpp"

namespace rackproof::telemetry {
namespace {

namespace column_name = model::column_name;

using inventory::FileTree;

// Error counters and sensors: behind each there may be a command to a device.
constexpr unsigned kSeldom = 16;
// What changes slowly, or costs a walk through the kernel.
constexpr unsigned kOften = 4;
// More of one kind than this are no help to anybody.
constexpr std::size_t kMostOfAKind = 64;

void add_nics(const FileTree& tree, std::vector<FileColumn>& files) {
  const std::string net = "/sys/class/net";
  for (const std::string& nic : tree.names(net)) {
    const std::string folder = net + "/" + nic;
    if (!tree.exists(folder + "/device") || !tree.exists(folder + "/statistics")) continue;
    const auto add = [&](const char* name, const std::string& file, unsigned every) {
      files.push_back({column_of(name, nic, Kind::kCounter, folder + file),
                       tree.full(folder + file), 1, every});
    };
    add(column_name::kNicReceived, "/statistics/rx_bytes", 1);
    add(column_name::kNicSent, "/statistics/tx_bytes", 1);
    add(column_name::kNicReceiveErrors, "/statistics/rx_errors", kSeldom);
    add(column_name::kNicSendErrors, "/statistics/tx_errors", kSeldom);
    add(column_name::kNicReceiveDrops, "/statistics/rx_dropped", kSeldom);
    add(column_name::kNicSendDrops, "/statistics/tx_dropped", kSeldom);
    add(column_name::kNicCarrierChanges, "/carrier_changes", kSeldom);
  }
}

void add_port(const FileTree& tree, const std::string& folder, const std::string& subject,
              std::vector<FileColumn>& files) {
  struct Counter {
    const char* file;
    const char* name;
    double scale;
  };
  // The data counters count words of four bytes (InfiniBand Architecture, PortCountersExtended).
  static constexpr Counter kCounters[] = {
      {"port_rcv_data", column_name::kInfinibandReceived, 4},
      {"port_xmit_data", column_name::kInfinibandSent, 4},
      {"symbol_error", column_name::kInfinibandSymbolErrors, 1},
      {"link_error_recovery", column_name::kInfinibandLinkRecoveries, 1},
      {"link_downed", column_name::kInfinibandLinkDowns, 1},
      {"port_rcv_errors", column_name::kInfinibandReceiveErrors, 1},
      {"port_xmit_discards", column_name::kInfinibandSendDiscards, 1},
      {"local_link_integrity_errors", column_name::kInfinibandIntegrityErrors, 1},
      {"excessive_buffer_overrun_errors", column_name::kInfinibandOverrunErrors, 1}};
  for (const Counter& counter : kCounters) {
    const std::string path = folder + "/counters/" + counter.file;
    if (!tree.exists(path)) continue;
    files.push_back({column_of(counter.name, subject, Kind::kCounter, path), tree.full(path),
                     counter.scale, kSeldom});
  }
}

void add_infiniband(const FileTree& tree, std::vector<FileColumn>& files) {
  const std::string all = "/sys/class/infiniband";
  for (const std::string& adapter : tree.names(all)) {
    for (const std::string& port : tree.names(all + "/" + adapter + "/ports")) {
      add_port(tree, all + "/" + adapter + "/ports/" + port, adapter + ":" + port, files);
    }
  }
}

void add_edac(const FileTree& tree, std::vector<FileColumn>& files) {
  const std::string all = "/sys/devices/system/edac/mc";
  for (const std::string& memory : tree.names(all)) {
    const std::string folder = all + "/" + memory;
    if (!tree.exists(folder + "/ce_count")) continue;
    for (const auto& [file, name] : {std::pair{"/ce_count", column_name::kMemoryCorrectedErrors},
                                     {"/ue_count", column_name::kMemoryUncorrectedErrors}}) {
      files.push_back({column_of(name, memory, Kind::kCounter, folder + file),
                       tree.full(folder + file), 1, kSeldom});
    }
  }
}

// Errors that GPUs and network adapters saw on PCIe, as the kernel counts them (AER).
void add_pcie(const FileTree& tree, std::vector<FileColumn>& files) {
  struct Counter {
    const char* file;
    const char* name;
    const char* after;
  };
  static constexpr Counter kCounters[] = {
      {"/aer_dev_correctable", column_name::kPcieCorrectableErrors, "TOTAL_ERR_COR"},
      {"/aer_dev_nonfatal", column_name::kPcieNonfatalErrors, "TOTAL_ERR_NONFATAL"},
      {"/aer_dev_fatal", column_name::kPcieFatalErrors, "TOTAL_ERR_FATAL"}};
  const std::string all = "/sys/bus/pci/devices";
  for (const std::string& device : tree.names(all)) {
    const std::string folder = all + "/" + device;
    const std::string type = tree.read(folder + "/class").text.value_or("");
    const bool nvidia = tree.read(folder + "/vendor").text.value_or("").starts_with("0x10de");
    if (!type.starts_with("0x02") && !(nvidia && type.starts_with("0x03"))) continue;
    for (const Counter& counter : kCounters) {
      const std::string path = folder + counter.file;
      if (!tree.exists(path)) continue;
      files.push_back({column_of(counter.name, device, Kind::kCounter, path), tree.full(path), 1,
                       kSeldom, 0, 0x1p64, counter.after});
    }
  }
}

void add_rapl(const FileTree& tree, std::vector<FileColumn>& files) {
  const std::string all = "/sys/class/powercap";
  for (const std::string& zone : tree.names(all)) {
    const std::string folder = all + "/" + zone;
    // "intel-rapl:0" is a package, "intel-rapl:0:0" a part of it.
    if (!zone.starts_with("intel-rapl:") || zone.find(':') != zone.rfind(':')) continue;
    const std::string name = tree.read(folder + "/name").text.value_or(zone);
    const auto range = tree.integer(folder + "/max_energy_range_uj");
    files.push_back(
        {column_of(column_name::kCpuEnergy, name, Kind::kCounter, folder + "/energy_uj"),
         tree.full(folder + "/energy_uj"), 1e-6, 1});
    if (range && *range > 0) files.back().wraps_at = static_cast<double>(*range);
  }
}

// Where there is no RAPL: NVIDIA Grace tells the power of each socket and of its parts ("Grace
// Power Socket 0", "CPU Power Socket 0") through the power meters of ACPI. Other meters are of
// power supplies, and may sit behind a slow bus.
void add_power_meters(const FileTree& tree, std::vector<FileColumn>& files) {
  const std::string all = "/sys/class/hwmon";
  for (const std::string& chip : tree.names(all)) {
    const std::string folder = all + "/" + chip + "/device";
    const std::string part = tree.read(folder + "/power1_oem_info").text.value_or("");
    const std::string file = folder + "/power1_average";
    if (part.find("Power Socket ") == std::string::npos || !tree.exists(file)) continue;
    files.push_back({column_of(column_name::kCpuPower, part, Kind::kGauge, file), tree.full(file),
                     1e-6, kSeldom, 0, 1e10});
  }
}

// Sensors of processors only: others may sit behind a slow bus.
void add_temperatures(const FileTree& tree, std::vector<FileColumn>& files) {
  const std::string all = "/sys/class/hwmon";
  for (const std::string& chip : tree.names(all)) {
    const std::string folder = all + "/" + chip;
    const std::string driver = tree.read(folder + "/name").text.value_or("");
    if (driver != "coretemp" && driver != "k10temp" && driver != "zenpower") continue;
    for (const std::string& file : tree.names(folder)) {
      if (!file.starts_with("temp") || !file.ends_with("_input")) continue;
      const std::string stem = file.substr(0, file.size() - 6);
      const std::string label = tree.read(folder + "/" + stem + "_label").text.value_or(stem);
      if (label.starts_with("Core ")) continue;  // the package's is the highest of its cores'
      files.push_back({column_of(column_name::kCpuTemperature, chip + ":" + label, Kind::kGauge,
                                 folder + "/" + file),
                       tree.full(folder + "/" + file), 1e-3, kSeldom, -100'000, 250'000});
    }
  }
}

// The first `count` numbers of a text, separated by blanks or slashes.
bool numbers_of(std::string_view text, std::span<double> numbers) {
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  for (double& number : numbers) {
    while (at != end && (*at == ' ' || *at == '/')) ++at;
    const auto [next, problem] = std::from_chars(at, end, number);
    if (problem != std::errc{} || number < 0) return false;
    at = next;
  }
  return true;
}

double kibibytes_after(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return missing(Why::kNonsense);
  double value = 0;
  if (!numbers_of(text.substr(at + key.size()), std::span(&value, 1)))
    return missing(Why::kNonsense);
  return value * 1024;
}

// Load, memory and idle time: three files with several numbers each.
class State : public Columns {
 public:
  explicit State(const FileTree& tree)
      : load_(tree.full("/proc/loadavg")),
        uptime_(tree.full("/proc/uptime")),
        memory_(tree.full("/proc/meminfo")) {}
  const std::vector<Column>& columns() const override { return columns_; }

  void read(Moment moment, std::span<double> values) override {
    // Its second number is the sum over all processors, and costs less than /proc/stat, which
    // counts interrupts too.
    double uptime[2] = {};
    int error = 0;
    std::string_view text = uptime_.read(error);
    values[0] = error == 0 && numbers_of(text, uptime) ? uptime[1] : none(error);
    if (!moment.due(kOften)) {
      std::fill(values.begin() + 1, values.end(), missing(Why::kNotDue));
      return;
    }
    // "0.50 0.40 0.30 2/345 6789"
    double loads[4] = {};
    text = load_.read(error);
    const bool sound = error == 0 && numbers_of(text, loads);
    values[1] = sound ? loads[0] : none(error);
    values[2] = sound ? loads[3] : none(error);
    text = memory_.read(error);
    values[3] = error == 0 ? kibibytes_after(text, "MemFree:") : none(error);
    values[4] = error == 0 ? kibibytes_after(text, "MemAvailable:") : none(error);
  }

 private:
  static double none(int error) {
    return error == 0 ? missing(Why::kNonsense)
                      : missing(Why::kSystem, static_cast<std::uint32_t>(error));
  }

  KeptFile load_;
  KeptFile uptime_;
  KeptFile memory_;
  std::vector<Column> columns_ = {
      column_of(column_name::kCpuIdle, "", Kind::kCounter, "/proc/uptime"),
      column_of(column_name::kLoad1, "", Kind::kGauge, "/proc/loadavg"),
      column_of(column_name::kLoadRunning, "", Kind::kGauge, "/proc/loadavg"),
      column_of(column_name::kMemoryFree, "", Kind::kGauge, "/proc/meminfo"),
      column_of(column_name::kMemoryAvailable, "", Kind::kGauge, "/proc/meminfo")};
};

}  // namespace

std::vector<std::unique_ptr<Columns>> host_columns(const std::string& root) {
  const FileTree tree(root);
  std::vector<std::unique_ptr<Columns>> all;
  all.push_back(std::make_unique<State>(tree));
  if (auto processors = processor_columns(root)) all.push_back(std::move(processors));
  std::vector<FileColumn> files;
  for (const auto add : {add_temperatures, add_rapl, add_power_meters, add_edac, add_pcie, add_nics,
                         add_infiniband}) {
    std::vector<FileColumn> kind;
    add(tree, kind);
    if (kind.size() > kMostOfAKind * 9) kind.resize(kMostOfAKind * 9);
    files.insert(files.end(), kind.begin(), kind.end());
  }
  if (!files.empty()) all.push_back(std::make_unique<FileColumns>(files));
  return all;
}

}  // namespace rackproof::telemetry
