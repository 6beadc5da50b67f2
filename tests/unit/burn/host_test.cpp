#include <catch2/catch.hpp>

#include <algorithm>

#include "benches/burn/burn.hpp"
#include "benches/kit/errors.hpp"
#include "tests/unit/gemm/recording_session.hpp"

using namespace rackproof;

namespace {

burn::Settings small() {
  burn::Settings settings;
  settings.size = 64;
  settings.seconds = 0.3;
  settings.threads = 1;
  settings.window = 0.05;
  settings.memory_fraction = 0.0005;
  return settings;
}

}  // namespace

TEST_CASE("a burn says its check, then the rates of its windows") {
  for (const std::string dtype : {"fp64", "fp32"}) {
    test::RecordingSession session;
    burn::Settings settings = small();
    settings.dtype = dtype;
    burn::measure(settings, session);
    CHECK(session.order == std::vector<std::string>{"check burn." + dtype, "metric burn." + dtype});
    const protocol::Check& check = session.checks[0];
    INFO(check.detail);
    CHECK(check.passed);
    CHECK(check.wrong == 0);
    CHECK(check.compared % (64 * 64) == 0);
    CHECK(check.compared >= 2 * 64 * 64);
    const protocol::Metric& metric = session.metrics[0];
    CHECK(metric.name == "burn.rate");
    CHECK(metric.unit == "FLOP/s");
    CHECK(metric.statistic == contract::Statistic::kWorst);
    CHECK(metric.parameters == contract::Parameters{{"dtype", dtype}});
    REQUIRE_FALSE(metric.samples.empty());
    CHECK(metric.value == *std::min_element(metric.samples.begin(), metric.samples.end()));
    CHECK(metric.value > 0);
    CHECK(std::is_sorted(session.fractions.begin(), session.fractions.end()));
    CHECK(session.fractions.back() == 1);
  }
}

TEST_CASE("however short, a burn multiplies once") {
  test::RecordingSession session;
  burn::Settings settings = small();
  settings.seconds = 1e-9;
  burn::measure(settings, session);
  REQUIRE(session.metrics.size() == 1);
  CHECK(session.metrics[0].samples.size() == 1);
  CHECK(session.checks[0].compared == 2 * 64 * 64);
}

TEST_CASE("a flipped bit is counted and placed") {
  for (const std::string dtype : {"fp64", "fp32"}) {
    test::RecordingSession session;
    session.fault = kit::Injection{5 * 64 + 9, 0};
    burn::Settings settings = small();
    settings.dtype = dtype;
    burn::measure(settings, session);
    REQUIRE(session.checks.size() == 1);
    const protocol::Check& check = session.checks[0];
    CHECK_FALSE(check.passed);
    CHECK(check.wrong == 1);
    REQUIRE(check.first_wrong);
    CHECK(check.first_wrong->where == "window 1, multiplication 1, row 5, column 9");
    CHECK(check.first_wrong->got != check.first_wrong->want);
  }
}

TEST_CASE("a size beyond the memory is refused") {
  test::RecordingSession session;
  burn::Settings settings = small();
  settings.size = 1 << 17;
  settings.memory_fraction = 0.0001;
  CHECK_THROWS_AS(burn::measure(settings, session), kit::UsageError);
  CHECK(session.order.empty());
}
