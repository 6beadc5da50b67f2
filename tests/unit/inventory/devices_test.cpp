#include <catch2/catch.hpp>
#include <cstdlib>

#include "harness/inventory/collectors.hpp"
#include "harness/inventory/nvml.hpp"
#include "tests/unit/inventory/machine.hpp"

namespace rackproof::inventory {
namespace {

struct Seen {
  FactSheet sheet;
  std::vector<model::DeviceFacts> devices;
};

Seen look(const std::string& fake, const std::string& machine = "") {
  setenv("FAKE_NVML", fake.c_str(), 1);
  Seen seen;
  if (!machine.empty()) collect_gpus(FileTree(Machine(machine).root()), seen.sheet);
  seen.devices = collect_devices(RACKPROOF_FAKE_NVML, seen.sheet);
  return seen;
}

// The host that a file describes.
Seen play(const std::string& document) {
  const Machine folder;
  folder.write("/nvml.json", document);
  setenv("FAKE_NVML_FILE", (folder.root() + "/nvml.json").c_str(), 1);
  Seen seen = look("");
  unsetenv("FAKE_NVML_FILE");
  return seen;
}

contract::Scalar fact(const model::DeviceFacts& device, const std::string& name) {
  return device.facts.at(name).value.value();
}

}  // namespace

TEST_CASE("devices with their facts in NVML's order") {
  const Seen seen = look("gpus=2");
  REQUIRE(seen.devices.size() == 2);
  CHECK(seen.devices[0].uuid == "GPU-node0-0");
  CHECK(seen.devices[1].uuid == "GPU-node0-1");
  CHECK(seen.devices[1].index == 1);
  const model::DeviceFacts& device = seen.devices[1];
  CHECK(fact(device, "gpu.name") == contract::Scalar(std::string("Fake H200")));
  CHECK(fact(device, "gpu.pci_address") == contract::Scalar(std::string("0000:08:00.0")));
  CHECK(fact(device, "gpu.compute_capability") == contract::Scalar(std::string("9.0")));
  CHECK(fact(device, "gpu.memory_bytes") == contract::Scalar(std::int64_t{150'754'820'096}));
  CHECK(fact(device, "gpu.ecc") == contract::Scalar(true));
  CHECK(std::get<double>(fact(device, "gpu.memory_peak_bytes_per_second")) ==
        Approx(2 * 3.201e9 * 6144 / 8));
  CHECK(std::get<double>(fact(device, "gpu.peak_flops_fp32")) == Approx(2 * 1.98e9 * 16896));
  CHECK(number_in(seen.sheet, "gpu.nvml_count") == 2);
  CHECK(text_in(seen.sheet, "gpu.driver_version") == "580.65.06");
  CHECK(text_in(seen.sheet, "gpu.cuda_version") == "13.0");
  CHECK(text_in(seen.sheet, "gpu.name") == "Fake H200");
  CHECK(seen.sheet.find("gpu.silent") == nullptr);
}

TEST_CASE("what all GPUs have in common is a fact of the node") {
  const Seen seen = look("gpus=2");
  CHECK(text_in(seen.sheet, "gpu.pci_id") == "10de:2335");
  CHECK(number_in(seen.sheet, "gpu.memory_bytes") == 150'754'820'096);
  CHECK(seen.sheet.find("nvlink.domain") == nullptr);
  CHECK(fact(seen.devices.at(1), "gpu.pci_id") == contract::Scalar(std::string("10de:2335")));
}

TEST_CASE("GPUs of several kinds are all told and have no common memory") {
  const Seen seen = play(R"({"hosts": [{"match": "*", "gpus": 3,
      "device": {"name": "A", "pci_id": "10de:2330", "memory_bytes": 80000,
                 "nvlink_cluster": "00112233-4455-6677-8899-aabbccddeeff", "nvlink_clique": 7},
      "devices": {"1": {"name": "B", "pci_id": "10de:2335", "memory_bytes": 141000,
                        "nvlink_cluster": "00000000-0000-0000-0000-000000000000"}}}]})");
  CHECK(text_in(seen.sheet, "gpu.name") == "A, B");
  CHECK(text_in(seen.sheet, "gpu.pci_id") == "10de:2330, 10de:2335");
  CHECK(text_in(seen.sheet, "gpu.memory_bytes") == "80000, 141000");
  CHECK(text_in(seen.sheet, "nvlink.domain") == "00112233-4455-6677-8899-aabbccddeeff.7");
  CHECK(seen.devices.at(0).facts.contains("nvlink.domain"));
  CHECK_FALSE(seen.devices.at(1).facts.contains("nvlink.domain"));
}

TEST_CASE("an older driver tells the NVLink domain without a version") {
  const Seen seen = play(R"({"hosts": [{"match": "*", "gpus": 1, "device": {"name": "A",
      "nvlink_cluster": "00112233-4455-6677-8899-aabbccddeeff", "nvlink_clique": 2,
      "errors": {"nvmlDeviceGetGpuFabricInfoV": 13}}}]})");
  CHECK(text_in(seen.sheet, "nvlink.domain") == "00112233-4455-6677-8899-aabbccddeeff.2");
}

TEST_CASE("what fails for one function or one device is missing and no more than that") {
  const Seen seen = play(R"({"hosts": [{"match": "*", "gpus": 4, "missing": [2],
      "device": {"name": "A", "memory_bytes": 1000, "power_limit_watts": 700},
      "devices": {"1": {"errors": {"nvmlDeviceGetMemoryInfo": 999}}, "3": {"lost": 15}}}]})");
  REQUIRE(seen.devices.size() == 2);
  CHECK_FALSE(seen.devices[1].facts.at("gpu.memory_bytes").value);
  CHECK(fact(seen.devices[1], "gpu.power_limit_watts") == contract::Scalar(700.0));
  CHECK(text_in(seen.sheet, "gpu.silent") == "2: GPU is lost");
  CHECK(number_in(seen.sheet, "gpu.memory_bytes") == 1000);
}

TEST_CASE("what an old driver cannot tell is not readable and says why") {
  const Seen seen = look("gpus=1");
  const model::Fact& power = seen.devices.at(0).facts.at("gpu.power_limit_watts");
  CHECK_FALSE(power.value);
  CHECK_FALSE(power.unreadable.empty());
}

TEST_CASE("a driver without a device is none and not an error") {
  const Seen seen = look("gpus=0");
  CHECK(seen.devices.empty());
  CHECK(number_in(seen.sheet, "gpu.nvml_count") == 0);
}

TEST_CASE("a lost device is named and the others are there") {
  const Seen seen = look("gpus=3 lost=1");
  REQUIRE(seen.devices.size() == 2);
  CHECK(seen.devices[1].uuid == "GPU-node0-2");
  CHECK(seen.devices[1].index == 1);
  CHECK(text_in(seen.sheet, "gpu.silent") == "1: GPU is lost");
}

TEST_CASE("MIG instances stand in place of their GPU") {
  const Seen seen = look("gpus=2 mig=0:2");
  REQUIRE(seen.devices.size() == 3);
  CHECK(seen.devices[0].uuid == "MIG-node0-0-0");
  CHECK(seen.devices[1].uuid == "MIG-node0-0-1");
  CHECK(seen.devices[2].uuid == "GPU-node0-1");
  CHECK(fact(seen.devices[1], "gpu.mig") == contract::Scalar(true));
  CHECK(fact(seen.devices[1], "gpu.compute_capability") == contract::Scalar(std::string("9.0")));
  const Seen empty = look("gpus=1 mig=0:0");
  CHECK(empty.devices.empty());
  CHECK(text_in(empty.sheet, "gpu.silent").find("no instance") != std::string::npos);
}

TEST_CASE("a library that does not start says why and gives no device") {
  const Seen seen = look("gpus=2 init=9");
  CHECK(seen.devices.empty());
  CHECK(why_in(seen.sheet, "gpu.nvml_count") == "nvmlInit_v2: Driver Not Loaded");
}

TEST_CASE("no library is no device and says which file is missing") {
  FactSheet sheet;
  CHECK(collect_devices("/nowhere/libnvidia-ml.so.1", sheet).empty());
  CHECK(why_in(sheet, "gpu.nvml_count").find("/nowhere/libnvidia-ml.so.1") != std::string::npos);
  FactSheet other;
  CHECK(collect_devices("libc.so.6", other).empty());
  CHECK(why_in(other, "gpu.nvml_count").find("nvmlInit_v2") != std::string::npos);
}

TEST_CASE("a GPU that the bus shows and NVML does not is named") {
  // The recorded machine has GPUs at 0000:07:00.0 and 0000:0f:00.0.
  CHECK(text_in(look("gpus=1", "epyc-two-sockets").sheet, "gpu.unmanaged") == "0000:0f:00.0");
  CHECK(text_in(look("gpus=9 init=9", "epyc-two-sockets").sheet, "gpu.unmanaged") ==
        "0000:07:00.0 0000:0f:00.0");
  CHECK(look("gpus=9", "epyc-two-sockets").sheet.find("gpu.unmanaged") == nullptr);
}

TEST_CASE("NVML's long PCI addresses become those of the bus") {
  CHECK(bus_form("00000000:18:00.0") == "0000:18:00.0");
  CHECK(bus_form("0000:AF:00.0") == "0000:af:00.0");
  CHECK(bus_form("00010002:18:00.0") == "00010002:18:00.0");
  CHECK(bus_form("").empty());
}

TEST_CASE("another machine's files are read without asking this one's NVML") {
  FactSheet sheet;
  CHECK(collect_devices("", sheet).empty());
  CHECK_FALSE(why_in(sheet, "gpu.nvml_count").empty());
}

TEST_CASE("what only an inventory asks of a GPU") {
  const Seen seen = play(R"({"hosts": [{"match": "*", "gpus": 1, "device": {
    "name": "NVIDIA GB200", "ecc": true, "ecc_pending": 0, "pcie_width": 16, "pcie_width_now": 8,
    "pcie_generation": 5, "serial": "S-{index}", "part_number": "900-2G548", "inforom": "G548.1",
    "gsp_firmware": "580.65.06", "compute_mode": 3, "power_limit_set_watts": 900,
    "power_limit_default_watts": 1200, "power_limit_min_watts": 200, "power_limit_max_watts": 1200,
    "sm_clock_application_mhz": 1965, "nvlinks": 18, "nvlinks_down": [3, 7],
    "rows_remapped_corrected": 1, "rows_remapped_uncorrected": 2, "row_remap_failed": 1,
    "retired_pages_single": 4, "module_id": 3, "chassis_serial": "1820524190123456", "chassis_slot": 12,
    "chassis_tray": 7, "chassis_host": 0,
    "nvlink_cluster": "8f2f6b0c-6f3a-4c52-9d0b-5a1f3c7e9d42"}}]})");
  REQUIRE(seen.devices.size() == 1);
  const model::DeviceFacts& gpu = seen.devices[0];
  const auto is = [&gpu](const char* name, const contract::Scalar& value) {
    INFO(name << " is " << model::to_text(fact(gpu, name)));
    CHECK(fact(gpu, name) == value);
  };
  const auto text = [](const char* words) { return contract::Scalar{std::string(words)}; };
  const auto number = [](std::int64_t value) { return contract::Scalar{value}; };
  is("gpu.serial", text("S-0"));
  is("gpu.part_number", text("900-2G548"));
  is("gpu.inforom", text("G548.1"));
  is("gpu.gsp_firmware", text("580.65.06"));
  is("gpu.ecc", true);
  is("gpu.ecc_pending", false);
  is("gpu.compute_mode", text("exclusive process"));
  is("gpu.power_limit_set_watts", 900.0);
  is("gpu.power_limit_default_watts", 1200.0);
  is("gpu.power_limit_min_watts", 200.0);
  is("gpu.sm_clock_application_hertz", number(1'965'000'000));
  is("gpu.pcie_width", number(16));
  is("gpu.pcie_width_now", number(8));
  is("gpu.pcie_generation_now", number(5));
  is("gpu.nvlinks", number(18));
  is("gpu.nvlinks_active", number(16));
  is("gpu.nvlinks_inactive", text("3 7"));
  is("gpu.nvlink_remote_ends", text("16 x NVSwitch"));
  is("gpu.fabric_state", text("completed"));
  is("gpu.module_id", number(3));
  is("gpu.chassis_serial", text("1820524190123456"));
  is("gpu.chassis_slot", number(12));
  is("gpu.chassis_tray", number(7));
  is("gpu.chassis_host", number(0));
  is("gpu.rows_remapped_corrected", number(1));
  is("gpu.rows_remapped_uncorrected", number(2));
  is("gpu.row_remap_pending", false);
  is("gpu.row_remap_failed", true);
  is("gpu.retired_pages_single", number(4));
}

TEST_CASE("a GPU that is in no rack has a module and no slot, and an older driver tells neither") {
  const Seen seen = play(R"({"hosts": [{"match": "*", "gpus": 1, "device": {
    "name": "NVIDIA H100", "module_id": 6}}]})");
  const auto& facts = seen.devices.at(0).facts;
  CHECK(fact(seen.devices[0], "gpu.module_id") == contract::Scalar{std::int64_t{6}});
  CHECK(facts.at("gpu.chassis_slot").unreadable == "it is in no chassis that has a serial number");
  const Seen old =
      play(R"({"hosts": [{"match": "*", "gpus": 1, "device": {"name": "NVIDIA H100"}}]})");
  CHECK_FALSE(old.devices.at(0).facts.at("gpu.module_id").unreadable.empty());
  CHECK_FALSE(old.devices.at(0).facts.at("gpu.chassis_tray").unreadable.empty());
}

TEST_CASE("what a driver does not tell or does not know has the reason") {
  const Seen seen = play(R"({"hosts": [{"match": "*", "gpus": 1, "device": {
    "name": "NVIDIA H100", "serial": "S", "errors": {"nvmlDeviceGetSerial": 17}}}]})");
  const auto& facts = seen.devices.at(0).facts;
  CHECK(facts.at("gpu.serial").unreadable == "Operating system call failed");
  CHECK(facts.at("gpu.serial").source == "nvmlDeviceGetSerial");
  CHECK(facts.at("gpu.inforom").unreadable == "Unknown Error");
  CHECK(facts.at("gpu.power_limit_min_watts").unreadable == "Unknown Error");
  CHECK(why_in(seen.sheet, "gpu.confidential_compute") == "the driver's NVML has no such function");
  CHECK(fact(seen.devices[0], "gpu.nvlinks") == contract::Scalar{std::int64_t{0}});
}

}  // namespace rackproof::inventory
