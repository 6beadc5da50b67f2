#include "harness/config/waivers.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

#include "tests/unit/config/support.hpp"

using namespace rackproof;
using namespace rackproof::config;

namespace {

std::string listed(const std::string& waiver) {
  return R"({"schema": "rackproof/waivers/1", "waivers": [)" + waiver + "]}";
}

std::vector<model::CellWaiver> waivers_in(const std::string& waiver) {
  const TemporaryFolder folder;
  return load_waivers(folder.file("waivers.json", listed(waiver)));
}

std::string complaint_about(const std::string& waiver) {
  return complaint([&] { waivers_in(waiver); });
}

std::string refused_waiver(const std::string& text) {
  try {
    parse_waiver(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("a list of waivers is read") {
  const auto waivers = waivers_in(R"({
      "step": "burn-*", "metric": "burn.rate", "parameters": {"dtype": "fp64"}, "subject": "gb-07",
      "reason": "a fan", "until": "2026-12-31", "approved_by": "J. Doe", "ticket": "OPS-17",
      "limit": {"value": 30, "unit": "TFLOP/s"}})");
  REQUIRE(waivers.size() == 1);
  const model::CellWaiver& one = waivers[0];
  CHECK(one.step == "burn-*");
  CHECK(one.metric == "burn.rate");
  CHECK(one.parameters == contract::Parameters{{"dtype", contract::Scalar("fp64")}});
  CHECK(one.subject == "gb-07");
  CHECK(one.until == "2026-12-31");
  CHECK(one.approved_by == "J. Doe");
  CHECK(one.ticket == "OPS-17");
  CHECK(one.limit == Approx(30e12));
  CHECK(one.unit == "FLOP/s");
}

TEST_CASE("a waiver names its reason, its last day and who approved it, and never everything") {
  CHECK(complaint_about(R"({"subject": "n1", "until": "2026-12-31", "approved_by": "A"})")
            .find("'reason' is missing") != std::string::npos);
  CHECK(complaint_about(R"({"subject": "n1", "reason": "r", "approved_by": "A"})")
            .find("'until' is missing") != std::string::npos);
  CHECK(complaint_about(R"({"subject": "n1", "reason": "r", "until": "2026-12-31"})")
            .find("'approved_by' is missing") != std::string::npos);
  CHECK(complaint_about(R"({"subject": "n1", "reason": "r", "until": "soon", "approved_by": "A"})")
            .find("expected the last day as YYYY-MM-DD, got 'soon'") != std::string::npos);
  CHECK(complaint_about(R"({"reason": "r", "until": "2026-12-31", "approved_by": "A"})")
            .find("nothing waives all") != std::string::npos);
}

TEST_CASE("a waiver in a line") {
  const auto one = parse_waiver("burn.* on gb-07 until 2026-12-31 by J. Doe: a fan: it rattles");
  CHECK(one.metric == "burn.*");
  CHECK(one.subject == "gb-07");
  CHECK(one.until == "2026-12-31");
  CHECK(one.approved_by == "J. Doe");
  CHECK(one.reason == "a fan: it rattles");
  CHECK(parse_waiver("burn.* until 2026-12-31 by A: r").subject == "*");
  CHECK(refused_waiver("burn.* until 2026-12-31 by A").find("there is no reason") !=
        std::string::npos);
  CHECK(refused_waiver("burn.* until 2026-12-31: r").find("nobody approves it") !=
        std::string::npos);
  CHECK(refused_waiver("burn.* until soon by A: r").find("'soon' is no day") != std::string::npos);
  CHECK(refused_waiver("* until 2026-12-31 by A: r").find("nothing waives all") !=
        std::string::npos);
  CHECK(refused_waiver("*.* on ?* until 2026-12-31 by A: r").find("nothing waives all") !=
        std::string::npos);
  CHECK(refused_waiver("two words until 2026-12-31 by A: r").find("is no pattern of metrics") !=
        std::string::npos);
}
