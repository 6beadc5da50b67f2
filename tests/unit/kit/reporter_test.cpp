#include "benches/kit/reporter.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/unit/kit/lines.hpp"

using namespace rackproof;
using namespace rackproof::kit;

namespace {

struct Recorded {
  std::string text;
  std::unique_ptr<Reporter> reporter =
      make_record_reporter([this](std::string_view line) { text += line; }, "", {});
};

protocol::Metric metric_of(double value, std::vector<double> samples = {}) {
  protocol::Metric metric;
  metric.name = "probe.rate";
  metric.unit = "B/s";
  metric.value = value;
  metric.samples = std::move(samples);
  metric.check = "ok";
  return metric;
}

}  // namespace

TEST_CASE("a metric must name a check that was said, in a base unit") {
  Recorded r;
  CHECK_THROWS_AS(r.reporter->metric(metric_of(1)), std::logic_error);
  r.reporter->check({"ok", true, "equal", 1, 0, {}});
  CHECK_THROWS_AS(r.reporter->check({"ok", true, "equal", 1, 0, {}}), std::logic_error);
  CHECK_THROWS_AS(r.reporter->check({"", true, "equal", 1, 0, {}}), std::logic_error);
  protocol::Metric scaled = metric_of(1);
  scaled.unit = "GB/s";
  CHECK_THROWS_AS(r.reporter->metric(scaled), std::logic_error);
  r.reporter->metric(metric_of(1));
  CHECK(has(r.text, R"("kind":"metric","name":"probe.rate")"));
}

TEST_CASE("a number that is none becomes a failed check and no metric") {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const auto& bad : {metric_of(std::nan("")), metric_of(infinity), metric_of(-1),
                          metric_of(1, {1, std::nan("")}), metric_of(1, {1, -2})}) {
    Recorded r;
    r.reporter->check({"ok", true, "equal", 1, 0, {}});
    r.reporter->metric(bad);
    r.reporter->metric(bad);
    CHECK(has(r.text, R"("name":"probe.rate.finite","passed":false)"));
    CHECK(has(r.text, R"("name":"probe.rate.finite.2","passed":false)"));
    CHECK_FALSE(has(r.text, R"("kind":"metric")"));
    CHECK_FALSE(r.reporter->first_failure().empty());
  }
}

TEST_CASE("a check that compared nothing, or counts something wrong, has failed") {
  Recorded r;
  r.reporter->check({"fine", true, "equal", 10, 0, {}});
  CHECK(r.reporter->first_failure().empty());
  r.reporter->check({"nothing", true, "equal", 0, 0, {}});
  r.reporter->check({"wrong", true, "equal", 10, 2, {}});
  CHECK(has(r.text, R"("name":"nothing","passed":false)"));
  CHECK(has(r.text, R"("name":"wrong","passed":false)"));
  CHECK(has(r.reporter->first_failure(), "nothing was compared"));
}

TEST_CASE("a failure is told with its first place") {
  CHECK(describe_failure({"sum", false, "bitwise", 8, 1, protocol::FirstWrong{"b[3]", "1", "2"}}) ==
        "sum: bitwise: 1 of 8 wrong; first at b[3]: got 1, want 2");
}
