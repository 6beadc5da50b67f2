#include <catch2/catch.hpp>

#include <algorithm>

#include "benches/gemm/gemm.hpp"
#include "benches/kit/errors.hpp"
#include "tests/unit/gemm/recording_session.hpp"

using namespace rackproof;

namespace {

gemm::Settings small() {
  gemm::Settings settings;
  settings.shapes = {"96", "130x17x33", "1x200x64"};
  settings.seconds = 0;
  settings.threads = 1;
  settings.min_samples = 5;
  return settings;
}

}  // namespace

TEST_CASE("every cell has a passed check and then its metric") {
  test::RecordingSession session;
  gemm::measure(small(), session);
  REQUIRE(session.checks.size() == 6);
  REQUIRE(session.metrics.size() == 6);
  const auto cells = gemm::cells(small());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const protocol::Check& check = session.checks[i];
    const protocol::Metric& metric = session.metrics[i];
    INFO(check.name << ": " << check.detail);
    CHECK(session.order[2 * i] == "check " + check.name);
    CHECK(session.order[2 * i + 1] == "metric " + check.name);
    CHECK(check.passed);
    CHECK(check.compared == cells[i].shape.m * cells[i].shape.n * 6);
    CHECK(metric.name == "gemm.rate");
    CHECK(metric.unit == "FLOP/s");
    CHECK(metric.statistic == contract::Statistic::kMedian);
    CHECK(metric.parameters == gemm::parameters(cells[i]));
    CHECK(metric.samples.size() == 5);
    CHECK(metric.value > 0);
    const auto [low, high] = std::minmax_element(metric.samples.begin(), metric.samples.end());
    CHECK(metric.value >= *low);
    CHECK(metric.value <= *high);
  }
  CHECK(session.checks[0].name == "gemm.fp64.96x96x96");
  CHECK(std::is_sorted(session.fractions.begin(), session.fractions.end()));
  CHECK(session.fractions.back() == 1);
}

TEST_CASE("a flipped bit of a result is caught and placed") {
  for (const std::string dtype : {"fp64", "fp32"}) {
    for (const int bit : {0, 20, 31}) {
      test::RecordingSession session;
      session.fault = kit::Injection{3 * 96 + 41, bit};
      gemm::Settings settings = small();
      settings.dtypes = {dtype};
      settings.shapes = {"96"};
      settings.seed = 12345;
      gemm::measure(settings, session);
      REQUIRE(session.checks.size() == 1);
      const protocol::Check& check = session.checks[0];
      CHECK_FALSE(check.passed);
      CHECK(check.wrong == 1);
      REQUIRE(check.first_wrong);
      CHECK(check.first_wrong->where == "exact operands, row 3, column 41");
      CHECK(check.first_wrong->got != check.first_wrong->want);
      REQUIRE(session.metrics.size() == 1);
      CHECK(session.metrics[0].check == check.name);
    }
  }
}

TEST_CASE("a shape beyond the memory is refused before anything is measured") {
  test::RecordingSession session;
  gemm::Settings settings = small();
  settings.shapes = {"8", "1048576"};
  CHECK_THROWS_WITH(gemm::measure(settings, session),
                    Catch::Contains("1048576x1048576x1048576") && Catch::Contains("GiB"));
  CHECK_THROWS_AS(gemm::measure(settings, session), kit::UsageError);
  CHECK(session.order.empty());
}

TEST_CASE("operands are new in each run unless a seed is given") {
  test::RecordingSession first, second, third;
  gemm::Settings settings = small();
  settings.shapes = {"8"};
  gemm::measure(settings, first);
  gemm::measure(settings, second);
  CHECK(first.notes[0] != second.notes[0]);
  settings.seed = 42;
  gemm::measure(settings, third);
  CHECK_THAT(third.notes[0], Catch::Contains("seed 42"));
}
