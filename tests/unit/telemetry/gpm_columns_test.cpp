#include "harness/telemetry/gpm_columns.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "harness/telemetry/gpu_columns.hpp"
#include "harness/telemetry/missing.hpp"
#include "tests/unit/telemetry/play.hpp"

namespace rackproof::telemetry {
namespace {

// The columns over the library that plays a document.
struct Gpm {
  Gpm() : library(RACKPROOF_FAKE_NVML), gpus(library), columns(library, gpus.handles()) {}

  std::map<std::string, double> read(std::uint64_t sample, bool last = false) {
    std::vector<double> values(columns.columns().size());
    columns.read({sample, last}, values);
    std::map<std::string, double> named;
    for (std::size_t i = 0; i < values.size(); ++i) {
      named[columns.columns()[i].key()] = values[i];
    }
    return named;
  }

  nvml::Library library;
  GpuColumns gpus;
  GpmColumns columns;
};

constexpr const char* kCounting =
    R"("state": {"gpm": 1, "gpm_2": 97.5, "gpm_3": 40, "gpm_5": 81, "gpm_10": 33, "gpm_20": 2,
    "gpm_21": 3, "gpm_60": 1000, "gpm_61": 2000})";

}  // namespace

TEST_CASE("what GPM counts comes in base units, from the second sample on") {
  const Play play(kCounting);
  Gpm gpm;
  CHECK(gpm.columns.columns().size() == 16);
  CHECK(gpm.columns.columns()[0].source == "nvmlGpmMetricsGet 2");
  CHECK(is_not_due(gpm.read(0).at("gpu.gpm_sm_active{GPU-0}")));
  CHECK(is_not_due(gpm.read(9).at("gpu.gpm_sm_active{GPU-0}")));
  for (const auto& values : {gpm.read(10), gpm.read(20), gpm.read(23, true)}) {
    CHECK(values.at("gpu.gpm_sm_active{GPU-0}") == Approx(0.975));
    CHECK(values.at("gpu.gpm_sm_occupancy{GPU-1}") == Approx(0.4));
    CHECK(values.at("gpu.gpm_tensor_active{GPU-0}") == Approx(0.81));
    CHECK(values.at("gpu.gpm_memory_bandwidth{GPU-0}") == Approx(0.33));
    CHECK(values.at("gpu.gpm_pcie_sent{GPU-0}") == Approx(2.0 * 1024 * 1024));
    CHECK(values.at("gpu.gpm_pcie_received{GPU-0}") == Approx(3.0 * 1024 * 1024));
    CHECK(values.at("gpu.gpm_nvlink_received{GPU-1}") == Approx(1000.0 * 1024 * 1024));
    CHECK(values.at("gpu.gpm_nvlink_sent{GPU-1}") == Approx(2000.0 * 1024 * 1024));
  }
}

TEST_CASE("a metric that a GPU lacks, and one that is nonsense, are missing") {
  const Play play(R"("state": {"gpm": 1, "gpm_2": 50, "gpm_3": -1})");
  Gpm gpm;
  gpm.read(0);
  const auto values = gpm.read(10);
  CHECK(values.at("gpu.gpm_sm_active{GPU-0}") == Approx(0.5));
  CHECK(why_missing(values.at("gpu.gpm_sm_occupancy{GPU-0}")) == "what was read is no such value");
  CHECK(why_missing(values.at("gpu.gpm_tensor_active{GPU-0}")) == "the driver does not support it");
}

TEST_CASE("a GPU without GPM, in MIG mode, or that will not say has no such columns") {
  SECTION("without") {
    const Play play(R"("state": {"milliwatts": 1000})");
    CHECK(Gpm().columns.columns().empty());
  }
  SECTION("MIG") {
    const Play play(std::string(kCounting) + R"(, "mig": 2)");
    CHECK(Gpm().columns.columns().empty());
  }
  SECTION("an error") {
    const Play play(std::string(kCounting) + R"(, "errors": {"nvmlGpmQueryDeviceSupport": 999})");
    CHECK(Gpm().columns.columns().empty());
  }
}

TEST_CASE("a sample or a metric that is refused says so and does not span the gap") {
  SECTION("the metrics") {
    const Play play(std::string(kCounting) + R"(, "errors": {"nvmlGpmMetricsGet": 3})");
    Gpm gpm;
    gpm.read(0);
    CHECK(why_missing(gpm.read(10).at("gpu.gpm_sm_active{GPU-0}")) ==
          "the driver does not support it");
  }
  SECTION("the sample, and the GPU with it") {
    const Scratch scratch;
    const std::string gone = scratch.path("gone");
    const Play play(std::string(kCounting) + R"(, "changes": [{"when": ")" + gone +
                    R"(", "state": {"lost": 1}}])");
    Gpm gpm;
    gpm.read(0);
    CHECK(is_value(gpm.read(10).at("gpu.gpm_sm_active{GPU-0}")));
    write_text(gone, "");
    CHECK(why_missing(gpm.read(20).at("gpu.gpm_sm_active{GPU-0}")) == "the GPU is lost");
    std::filesystem::remove(gone);
    CHECK(is_not_due(gpm.read(30).at("gpu.gpm_sm_active{GPU-0}")));
    CHECK(is_value(gpm.read(40).at("gpu.gpm_sm_active{GPU-0}")));
  }
}

}  // namespace rackproof::telemetry
