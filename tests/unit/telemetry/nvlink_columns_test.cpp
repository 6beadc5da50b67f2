#include "harness/telemetry/nvlink_columns.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "harness/telemetry/gpu_columns.hpp"
#include "harness/telemetry/gpu_thread.hpp"
#include "harness/telemetry/missing.hpp"
#include "tests/unit/telemetry/play.hpp"

namespace rackproof::telemetry {
namespace {

using Values = std::map<std::string, double>;

struct Nvlink {
  Nvlink() : library(RACKPROOF_FAKE_NVML), gpus(library), columns(library, gpus.handles()) {}

  Values read(std::uint64_t sample = 0) {
    std::vector<double> values(columns.columns().size());
    columns.read({sample, false}, values);
    Values named;
    for (std::size_t i = 0; i < values.size(); ++i) named[columns.columns()[i].key()] = values[i];
    return named;
  }

  nvml::Library library;
  GpuColumns gpus;
  NvlinkColumns columns;
};

constexpr const char* kHopper =
    R"("nvlinks": 18, "state": {"nvlink_replays": 3, "nvlink_recoveries": 1,
    "nvlink_flit_crc_errors": 7, "nvlink_data_crc_errors": 0})";
constexpr const char* kBlackwell =
    R"("nvlinks": 18, "state": {"nvlink_receive_errors": 2, "nvlink_integrity_errors": 0,
    "nvlink_recovery_events": 5, "nvlink_symbol_errors": 9})";

}  // namespace

TEST_CASE("Hopper tells errors link by link, and the sums over its links as 0") {
  const Play play(kHopper);
  Nvlink nvlink;
  const Values values = nvlink.read();
  CHECK(values.size() == 8);
  CHECK(values.at("gpu.nvlink_replays{GPU-0}") == 3);
  CHECK(values.at("gpu.nvlink_recoveries{GPU-1}") == 1);
  CHECK(values.at("gpu.nvlink_flit_crc_errors{GPU-0}") == 7);
  CHECK(values.at("gpu.nvlink_data_crc_errors{GPU-0}") == 0);
  CHECK(nvlink.columns.columns()[0].source == "nvmlDeviceGetNvLinkErrorCounter 0");
  CHECK(is_not_due(nvlink.read(10).at("gpu.nvlink_replays{GPU-0}")));
  CHECK(nvlink.read(50).at("gpu.nvlink_replays{GPU-0}") == 3);
}

TEST_CASE("Blackwell tells them as fields of a link") {
  const Play play(kBlackwell);
  Nvlink nvlink;
  const Values values = nvlink.read();
  CHECK(values.size() == 8);
  CHECK(values.at("gpu.nvlink_receive_errors{GPU-1}") == 2);
  CHECK(values.at("gpu.nvlink_integrity_errors{GPU-1}") == 0);
  CHECK(values.at("gpu.nvlink_recovery_events{GPU-0}") == 5);
  CHECK(values.at("gpu.nvlink_symbol_errors{GPU-0}") == 9);
  CHECK(nvlink.columns.columns()[0].source == "nvmlDeviceGetFieldValues, each link, 208");
}

TEST_CASE("what no driver answers is no column") {
  const Play without(R"("nvlinks": 18, "state": {"celsius": 40})");
  CHECK(Nvlink().columns.columns().empty());
  const Play none(R"("state": {"nvlink_replays": 3})");
  CHECK(Nvlink().columns.columns().empty());
}

TEST_CASE("a counter that moves is seen by the thread that asks") {
  const Play play(std::string(kHopper) +
                  R"(, "changes": [{"after_ms": 0, "state": {"nvlink_replays": 4}}])");
  GpuThread gpus(RACKPROOF_FAKE_NVML, 30, 30);
  std::vector<double> values(gpus.columns().size());
  gpus.read({}, values);
  bool seen = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (gpus.columns()[i].key() != "gpu.nvlink_replays{GPU-1}") continue;
    seen = values[i] == 4;
  }
  CHECK(seen);
}

}  // namespace rackproof::telemetry
