#include <catch2/catch.hpp>
#include <stdexcept>

#include "harness/gate/result.hpp"

namespace rackproof::gate {
namespace {

Result result() {
  Result out;
  out.host = "node7";
  out.node = "n7";
  out.mode = "prolog";
  out.utc = "2026-01-01T00:00:00.000Z";
  out.seconds = 1.5;
  out.platform = "hgx";
  out.benches = true;
  out.findings = {{GateReason::kGpuMissing, "GPU-3", "it is gone", ""},
                  {GateReason::kChanged, "", "gpu.vbios is b, a", "gpu.vbios"}};
  return out;
}

}  // namespace

TEST_CASE("a result is read as it was written") {
  CHECK(result_from_json(to_json_line(result())) == result());
  CHECK_THROWS_AS(result_from_json("{\"schema\": \"other\"}"), std::runtime_error);
  CHECK_THROWS_AS(result_from_json("{}"), std::runtime_error);
}

TEST_CASE("people read what decides, and all of it when they ask") {
  CHECK(to_text(result(), false) == "BAD      gpu-missing, GPU-3: it is gone\n");
  CHECK(to_text(result(), true) ==
        "BAD      gpu-missing, GPU-3: it is gone\nnote     changed: gpu.vbios is b, a\n");
  CHECK(to_text({}, true).empty());
}

TEST_CASE("what was accepted is well, and is still said") {
  Result out = result();
  CHECK(out.verdict() == Verdict::kBad);
  out.accepted = "exchanged";
  CHECK(out.verdict() == Verdict::kOk);
  CHECK(to_text(out, false) == "accepted gpu-missing, GPU-3: it is gone\n");
}

}  // namespace rackproof::gate
