// The whole of align-cuda on a device.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "benches/align/cuda.hpp"
#include "tests/unit/align/listener.hpp"

using namespace rackproof;
using namespace rackproof::align;

namespace {

CudaSettings quick() {
  CudaSettings settings;
  settings.queries = 1;
  settings.subjects = 64;
  settings.seconds = 0;
  settings.passes = 1;
  settings.threads = 1;
  settings.sample_cells = 1'000'000;
  settings.tile = "8x20-bytes";
  return settings;
}

Listener measured_on_device(const CudaSettings& settings,
                            std::optional<kit::Injection> fault = {}) {
  Listener listener(fault);
  measure_cuda(settings, listener);
  return listener;
}

}  // namespace

TEST_CASE("a run on a device proves its scores and tells whose they are") {
  const Listener listener = measured_on_device(quick());
  CHECK(listener.failed().empty());
  CHECK(listener.checks.size() == 5);
  // The rate of all queries and that of each, and where NVML tells the power, the efficiency.
  REQUIRE(listener.metrics.size() >= 2);
  CHECK(listener.metrics[0].name == "align.rate");
  CHECK(listener.metrics[1].name == "align.rate");
  for (std::size_t i = 2; i < listener.metrics.size(); ++i) {
    CHECK(listener.metrics[i].name == "align.efficiency");
  }
  CHECK(listener.metrics[0].subject.kind == contract::SubjectKind::kDevice);
  CHECK(std::get<std::string>(listener.notes.back().facts.at("tiles")) == "144: 8x20-bytes");
}

TEST_CASE("a flipped bit and each fault is a failed check that names query and subject") {
  CudaSettings settings = quick();
  settings.verify = "sampled";
  settings.passes = 2;
  const Listener flipped = measured_on_device(settings, kit::Injection{17, 3});
  CHECK(flipped.failed() == std::vector<std::string>{"align.scores"});
  CHECK(flipped.checks.front().first_wrong->where.find("query 0 (144 residues), subject 17") !=
        std::string::npos);
  settings.passes = 1;
  for (const std::string fault : {"table", "tile", "stop", "letter"}) {
    CAPTURE(fault);
    settings.fault = fault;
    const Listener listener = measured_on_device(settings);
    CHECK(!listener.failed().empty());
    for (const protocol::Check& check : listener.checks) {
      if (check.passed) continue;
      REQUIRE(check.first_wrong.has_value());
      const bool memory = check.name == "align.memory";
      CHECK((memory || check.first_wrong->where.find("query 0") != std::string::npos));
      CHECK(check.first_wrong->where.find("subject ") != std::string::npos);
      CHECK(check.first_wrong->got != check.first_wrong->want);
    }
  }
}
