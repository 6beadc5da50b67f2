// The benches on a BLAS that goes wrong: these definitions take the place of the library's.
#include <catch2/catch.hpp>

#include <functional>
#include <limits>
#include <vector>

#include "benches/burn/burn.hpp"
#include "benches/gemm/gemm.hpp"
#include "benches/kit/blas/cblas.hpp"
#include "benches/kit/host.hpp"
#include "tests/unit/gemm/recording_session.hpp"

using namespace rackproof;

namespace {

// What happens at each call, counted from 0: true when the call may write its result.
std::function<bool(int call)> writes = [](int) { return true; };
// What happens to a result once it is written.
std::function<void(int call, double* c)> spoil = [](int, double*) {};
int calls = 0;

void reset() {
  calls = 0;
  writes = [](int) { return true; };
  spoil = [](int, double*) {};
}

gemm::Settings one_cell() {
  reset();
  gemm::Settings settings;
  settings.dtypes = {"fp64"};
  settings.shapes = {"20x30x10"};
  settings.seconds = 0;
  settings.min_samples = 5;
  return settings;
}

constexpr std::int64_t kBurnSize = 64;

// A burn over two result matrices, long enough for four multiplications on a machine that is busy.
burn::Settings two_slots() {
  reset();
  burn::Settings settings;
  settings.size = kBurnSize;
  settings.seconds = 0.5;
  settings.memory_fraction =
      5.5 * kBurnSize * kBurnSize * 8 / static_cast<double>(kit::available_memory_bytes());
  return settings;
}

protocol::Check check_of(const gemm::Settings& settings) {
  test::RecordingSession session;
  gemm::measure(settings, session);
  return session.checks.at(0);
}

protocol::Check check_of(const burn::Settings& settings) {
  test::RecordingSession session;
  burn::measure(settings, session);
  return session.checks.at(0);
}

}  // namespace

namespace rackproof::blas {

void multiply(std::int64_t m, std::int64_t n, std::int64_t k, double alpha, const double* a,
              const double* b, double* c) {
  const int call = calls++;
  if (!writes(call)) return;
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::int64_t l = 0; l < k; ++l) sum += a[i * k + l] * b[l * n + j];
      c[i * n + j] = alpha * sum;
    }
  }
  spoil(call, c);
}

void multiply(std::int64_t, std::int64_t, std::int64_t, float, const float*, const float*, float*) {
}

std::map<std::string, std::string> libraries() { return {}; }
int set_threads(int threads) { return threads; }
int use_threads(std::int64_t) { return 1; }

}  // namespace rackproof::blas

TEST_CASE("gemm: without a fault the stand-in passes") {
  CHECK(check_of(one_cell()).passed);
  CHECK(calls == 6);
}

TEST_CASE("gemm: one bit in one timed call is caught and placed") {
  const gemm::Settings settings = one_cell();
  for (const int wrong_call : {2, 3, 5}) {
    reset();
    spoil = [=](int call, double* c) {
      if (call == wrong_call) kit::flip({7 * 30 + 11, 0}, c, 600, sizeof(double));
    };
    const protocol::Check check = check_of(settings);
    CHECK_FALSE(check.passed);
    CHECK(check.wrong == 1);
    REQUIRE(check.first_wrong);
    CHECK(check.first_wrong->where ==
          "timed call " + std::to_string(wrong_call) + ", row 7, column 11");
  }
}

TEST_CASE("gemm: a result of the first timed call that rounding cannot explain is caught") {
  const gemm::Settings settings = one_cell();
  spoil = [](int call, double* c) {
    if (call == 1) c[3 * 30 + 4] = std::numeric_limits<double>::quiet_NaN();
  };
  const protocol::Check check = check_of(settings);
  CHECK_FALSE(check.passed);
  REQUIRE(check.first_wrong);
  CHECK(check.first_wrong->where == "timed call 1, row 3, column 4");
}

TEST_CASE("gemm: a timed call that writes nothing is caught") {
  const gemm::Settings settings = one_cell();
  for (const int idle : {1, 2, 5}) {
    reset();
    writes = [=](int call) { return call != idle; };
    const protocol::Check check = check_of(settings);
    CHECK_FALSE(check.passed);
    REQUIRE(check.first_wrong);
    CHECK_THAT(check.first_wrong->where,
               Catch::StartsWith("timed call " + std::to_string(idle) + ", row 0"));
  }
}

TEST_CASE("gemm: a library that never writes proves nothing") {
  const gemm::Settings settings = one_cell();
  writes = [](int) { return false; };
  const protocol::Check check = check_of(settings);
  CHECK_FALSE(check.passed);
  REQUIRE(check.first_wrong);
  CHECK(check.first_wrong->where == "exact operands, row 0, column 0");
  CHECK(check.first_wrong->got == "nan");
}

TEST_CASE("gemm: the same wrong bit in every call is caught by the exact operands") {
  const gemm::Settings settings = one_cell();
  spoil = [](int, double* c) { kit::flip({45, 1}, c, 600, sizeof(double)); };
  const protocol::Check check = check_of(settings);
  CHECK_FALSE(check.passed);
  REQUIRE(check.first_wrong);
  CHECK(check.first_wrong->where == "exact operands, row 1, column 15");
}

TEST_CASE("burn: without a fault the stand-in passes") { CHECK(check_of(two_slots()).passed); }

TEST_CASE("burn: a multiplication that writes nothing is caught on a used matrix too") {
  const burn::Settings settings = two_slots();
  for (const int idle : {1, 3}) {
    reset();
    writes = [=](int call) { return call != idle; };
    const protocol::Check check = check_of(settings);
    CHECK_FALSE(check.passed);
    // All but what is exactly zero, whose sign is not looked at.
    CHECK(check.wrong > kBurnSize * kBurnSize - 10);
    CHECK(check.wrong <= kBurnSize * kBurnSize);
    REQUIRE(check.first_wrong);
    CHECK_THAT(check.first_wrong->where,
               Catch::Contains("multiplication " + std::to_string(idle) + ", row 0"));
  }
}

TEST_CASE("burn: wrong elements of several multiplications are summed, the first one is placed") {
  const burn::Settings settings = two_slots();
  spoil = [](int call, double* c) {
    if (call == 2 || call == 3) c[5 * kBurnSize + 6] += 1;
    if (call == 3) c[9] = std::numeric_limits<double>::infinity();
  };
  const protocol::Check check = check_of(settings);
  CHECK(check.wrong == 3);
  REQUIRE(check.first_wrong);
  CHECK(check.first_wrong->where == "window 1, multiplication 2, row 5, column 6");
}

TEST_CASE("burn: a wrong reference is reported, and nothing is burned") {
  const burn::Settings settings = two_slots();
  spoil = [](int, double* c) { c[2 * kBurnSize + 1] += 1; };
  test::RecordingSession session;
  burn::measure(settings, session);
  REQUIRE(session.checks.size() == 1);
  CHECK_FALSE(session.checks[0].passed);
  REQUIRE(session.checks[0].first_wrong);
  CHECK(session.checks[0].first_wrong->where == "reference, row 2, column 1");
  CHECK(session.metrics.empty());
  CHECK(calls == 1);
}
