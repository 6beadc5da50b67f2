#include "harness/telemetry/host_columns.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "harness/telemetry/missing.hpp"
#include "tests/unit/inventory/machine.hpp"

namespace rackproof::telemetry {
namespace {

using inventory::Machine;
using Values = std::map<std::string, double>;

// A machine with one of each.
void furnish(const Machine& machine) {
  machine.write("/proc/loadavg", "1.50 0.40 0.30 3/345 6789\n");
  machine.write("/proc/uptime", "350735.47 234388.90\n");
  machine.write("/proc/meminfo", "MemTotal: 4096 kB\nMemFree:    1024 kB\nMemAvailable: 2048 kB\n");
  machine.write("/sys/devices/system/cpu/online", "0-1\n");
  machine.write("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "2000000\n");
  machine.write("/sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "3000000\n");
  machine.write("/sys/class/hwmon/hwmon3/name", "coretemp\n");
  machine.write("/sys/class/hwmon/hwmon3/temp1_input", "65500\n");
  machine.write("/sys/class/hwmon/hwmon3/temp1_label", "Package id 0\n");
  machine.write("/sys/class/hwmon/hwmon3/temp2_input", "60000\n");
  machine.write("/sys/class/hwmon/hwmon3/temp2_label", "Core 0\n");
  machine.write("/sys/class/hwmon/hwmon0/name", "nvme\n");
  machine.write("/sys/class/hwmon/hwmon0/temp1_input", "40000\n");
  machine.write("/sys/class/powercap/intel-rapl:0/name", "package-0\n");
  machine.write("/sys/class/powercap/intel-rapl:0/energy_uj", "5000000\n");
  machine.write("/sys/class/powercap/intel-rapl:0/max_energy_range_uj", "262143328850\n");
  machine.write("/sys/class/powercap/intel-rapl:0:0/energy_uj", "1\n");
  machine.write("/sys/devices/system/edac/mc/mc0/ce_count", "2\n");
  machine.write("/sys/devices/system/edac/mc/mc0/ue_count", "0\n");
  for (const char* name :
       {"rx_bytes", "tx_bytes", "rx_errors", "tx_errors", "rx_dropped", "tx_dropped"}) {
    machine.write(std::string("/sys/class/net/eth0/statistics/") + name, "11\n");
    machine.write(std::string("/sys/class/net/veth1/statistics/") + name, "12\n");
  }
  machine.write("/sys/class/net/eth0/carrier_changes", "2\n");
  machine.write("/sys/class/net/eth0/device/vendor", "0x15b3\n");
  const std::string gpu = "/sys/bus/pci/devices/0000:41:00.0";
  machine.write(gpu + "/class", "0x030200\n");
  machine.write(gpu + "/vendor", "0x10de\n");
  machine.write(gpu + "/aer_dev_correctable", "RxErr 4\nBadTLP 1\nTOTAL_ERR_COR 5\n");
  machine.write(gpu + "/aer_dev_nonfatal", "Undefined 0\nTOTAL_ERR_NONFATAL 2\n");
  machine.write(gpu + "/aer_dev_fatal", "TOTAL_ERR_FATAL 0\n");
  machine.write("/sys/bus/pci/devices/0000:00:01.0/class", "0x060400\n");
  machine.write("/sys/bus/pci/devices/0000:00:01.0/aer_dev_correctable", "TOTAL_ERR_COR 9\n");
  machine.write("/sys/class/infiniband/mlx5_0/ports/1/counters/port_rcv_data", "100\n");
  machine.write("/sys/class/infiniband/mlx5_0/ports/1/counters/symbol_error", "3\n");
}

Values read(std::vector<std::unique_ptr<Columns>>& sources, Moment moment = {}) {
  Values all;
  for (const auto& source : sources) {
    std::vector<double> values(source->columns().size());
    source->read(moment, values);
    for (std::size_t i = 0; i < values.size(); ++i) all[source->columns()[i].key()] = values[i];
  }
  return all;
}

}  // namespace

TEST_CASE("what a host has is read in base units") {
  const Machine machine;
  furnish(machine);
  auto sources = host_columns(machine.root());
  const Values values = read(sources);
  const Values expected{{"load.1", 1.5},
                        {"load.running", 3},
                        {"cpu.idle", 234388.9},
                        {"memory.free", 1024 * 1024},
                        {"memory.available", 2048 * 1024},
                        {"cpu.frequency_min", 2e9},
                        {"cpu.frequency_mean", 2.5e9},
                        {"cpu.frequency_max", 3e9},
                        {"cpu.temperature{hwmon3:Package id 0}", 65.5},
                        {"cpu.energy{package-0}", 5},
                        {"memory.corrected_errors{mc0}", 2},
                        {"memory.uncorrected_errors{mc0}", 0},
                        {"pcie.correctable_errors{0000:41:00.0}", 5},
                        {"pcie.nonfatal_errors{0000:41:00.0}", 2},
                        {"pcie.fatal_errors{0000:41:00.0}", 0},
                        {"nic.received{eth0}", 11},
                        {"nic.sent{eth0}", 11},
                        {"nic.receive_errors{eth0}", 11},
                        {"nic.send_errors{eth0}", 11},
                        {"nic.receive_drops{eth0}", 11},
                        {"nic.send_drops{eth0}", 11},
                        {"nic.carrier_changes{eth0}", 2},
                        {"infiniband.received{mlx5_0:1}", 400},
                        {"infiniband.symbol_errors{mlx5_0:1}", 3}};
  CHECK(values.size() == expected.size());
  for (const auto& [key, value] : expected) {
    INFO(key);
    CHECK(values.at(key) == Approx(value));
  }
}

TEST_CASE("power comes from the meters of the sockets, where there are some") {
  const Machine machine;
  machine.write("/sys/class/hwmon/hwmon1/device/power1_oem_info", "Grace Power Socket 0\n");
  machine.write("/sys/class/hwmon/hwmon1/device/power1_average", "215500000\n");
  machine.write("/sys/class/hwmon/hwmon2/device/power1_oem_info", "CPU Power Socket 0\n");
  machine.write("/sys/class/hwmon/hwmon2/device/power1_average", "20000000000\n");
  machine.write("/sys/class/hwmon/hwmon3/device/power1_oem_info", "Power Supply 1\n");
  machine.write("/sys/class/hwmon/hwmon3/device/power1_average", "700000000\n");
  machine.write("/sys/class/hwmon/hwmon4/device/power1_oem_info", "Module Power Socket 0\n");
  auto sources = host_columns(machine.root());
  const Values values = read(sources);
  CHECK(values.at("cpu.power{Grace Power Socket 0}") == Approx(215.5));
  CHECK(why_missing(values.at("cpu.power{CPU Power Socket 0}")) ==
        "what was read is no such value");
  CHECK_FALSE(values.contains("cpu.power{Power Supply 1}"));
  CHECK_FALSE(values.contains("cpu.power{Module Power Socket 0}"));
}

TEST_CASE("nonsense and files that go are missing values and never zero") {
  const Machine machine;
  furnish(machine);
  auto sources = host_columns(machine.root());
  read(sources);
  machine.write("/proc/loadavg", "much\n");
  machine.write("/proc/uptime", "\n");
  machine.write("/proc/meminfo", "MemFree: lots kB\n");
  machine.write("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "<unknown>\n");
  machine.write("/sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "0\n");
  machine.write("/sys/class/hwmon/hwmon3/temp1_input", "9999999\n");
  machine.write("/sys/class/infiniband/mlx5_0/ports/1/counters/symbol_error", "N/A (no PMA)\n");
  machine.write("/sys/class/net/eth0/statistics/rx_bytes", "");
  machine.write("/sys/bus/pci/devices/0000:41:00.0/aer_dev_fatal", "TOTAL_ERR_FATALLY 7\n");
  const Values values = read(sources);
  for (const char* key :
       {"load.1", "load.running", "cpu.idle", "memory.free", "memory.available",
        "cpu.frequency_min", "cpu.frequency_mean", "cpu.frequency_max",
        "cpu.temperature{hwmon3:Package id 0}", "infiniband.symbol_errors{mlx5_0:1}",
        "nic.received{eth0}", "pcie.fatal_errors{0000:41:00.0}"}) {
    INFO(key);
    CHECK(why_missing(values.at(key)) == "what was read is no such value");
  }
  CHECK(values.at("nic.sent{eth0}") == 11);
}

TEST_CASE("a machine that shows nothing gives reasons") {
  const Machine machine;
  auto sources = host_columns(machine.root());
  const Values values = read(sources);
  CHECK(values.size() == 5);
  CHECK(why_missing(values.at("load.1")) == "No such file or directory");
  CHECK(why_missing(values.at("memory.free")) == "No such file or directory");
}

TEST_CASE("without cpufreq the clock comes from cpuinfo") {
  const Machine machine;
  machine.write("/proc/cpuinfo",
                "processor : 0\ncpu MHz\t\t: 2600.5\n\nprocessor : 1\ncpu MHz\t\t: 1300\n");
  auto sources = host_columns(machine.root());
  CHECK(read(sources).at("cpu.frequency_min") == Approx(1.3e9));
  CHECK(read(sources).at("cpu.frequency_max") == Approx(2.6005e9));
  machine.write("/proc/cpuinfo", "cpu MHz : nan\n");
  CHECK_FALSE(is_value(read(sources).at("cpu.frequency_mean")));
}

TEST_CASE("of many processors each has its turn") {
  const Machine machine;
  machine.write("/sys/devices/system/cpu/online", "0-63\n");
  for (int cpu = 0; cpu < 64; ++cpu) {
    machine.write("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cpufreq/scaling_cur_freq",
                  cpu == 37 ? "5000000\n" : "2000000\n");
  }
  auto sources = host_columns(machine.root());
  int seen = 0;
  for (int i = 0; i < 64; ++i) seen += read(sources).at("cpu.frequency_max") > 4e9 ? 1 : 0;
  CHECK(seen == 8);
}

}  // namespace rackproof::telemetry
