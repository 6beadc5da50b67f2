#include "benches/stream/arrays.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <stdexcept>

#include "benches/kit/host.hpp"
#include "benches/kit/inject.hpp"

using namespace rackproof;
using namespace rackproof::stream;

namespace {

constexpr std::uint64_t kSeed = 11;

template <class T>
KernelSet<T> loops() {
  return candidates<T>().ordinary[0];
}

template <class T>
void run_rounds(Arrays<T>& arrays, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    for (const Kernel kernel : kKernels) CHECK(arrays.run(kernel, loops<T>()) >= 0);
  }
}

// The recurrence as the method states it, in the element's own arithmetic.
template <class T>
void check_recurrence(std::size_t count, int rounds) {
  const Team team(kit::allowed_cpus());
  Arrays<T> arrays(count, kit::Pages::kDefault, team);
  arrays.fill(kSeed);
  run_rounds(arrays, rounds);
  CHECK(arrays.verify(kSeed, rounds).wrong == 0);
  for (const std::size_t i : {std::size_t{0}, count / 2, count - 1}) {
    T a = start_value<T>(kSeed, i);
    T b = 0;
    T c = 0;
    for (int round = 0; round < rounds; ++round) {
      c = a;
      b = T(kScalar) * c;
      c = a + b;
      a = b + T(kScalar) * c;
    }
    CHECK(arrays.a()[i] == a);
    CHECK(arrays.b()[i] == b);
    CHECK(arrays.c()[i] == c);
  }
}

}  // namespace

TEST_CASE("the four kernels follow the recurrence exactly, as far as a fill allows") {
  check_recurrence<double>(1001, 1);
  check_recurrence<double>(1001, static_cast<int>(kMostRounds<double>));
  check_recurrence<float>(1001, 1);
  check_recurrence<float>(1001, static_cast<int>(kMostRounds<float>));
}

TEST_CASE("start values are random, from 1 to below 2, and leave room to be tripled exactly") {
  CHECK(start_value<double>(1, 0) != start_value<double>(1, 1));
  CHECK(start_value<double>(1, 0) != start_value<double>(2, 0));
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const double d = start_value<double>(kSeed, i);
    const float f = start_value<float>(kSeed, i);
    REQUIRE((d >= 1 && d < 2 && f >= 1 && f < 2));
    REQUIRE(static_cast<double>(3 * f) == 3 * static_cast<double>(f));
    REQUIRE(static_cast<long double>(3 * d) == 3 * static_cast<long double>(d));
  }
}

TEST_CASE("one flipped bit is found and located, whichever it is") {
  const Team team(kit::allowed_cpus());
  Arrays<double> arrays(4099, kit::Pages::kHuge, team);
  arrays.fill(kSeed);
  run_rounds(arrays, 3);
  double* const all[] = {arrays.a(), arrays.b(), arrays.c()};
  for (int k = 0; k < 3; ++k) {
    for (const int bit : {0, 31, 62, 63}) {
      for (const std::int64_t element : {0, 4098, 77}) {
        kit::flip({element, bit}, all[k], 4099, sizeof(double));
        const Verdict verdict = arrays.verify(kSeed, 3);
        kit::flip({element, bit}, all[k], 4099, sizeof(double));
        CHECK(verdict.compared == 3 * 4099);
        CHECK(verdict.wrong == 1);
        REQUIRE(verdict.first);
        CHECK(verdict.first->array == 'a' + k);
        CHECK(verdict.first->index == static_cast<std::size_t>(element));
        CHECK(verdict.first->got != verdict.first->want);
      }
    }
  }
  CHECK(arrays.verify(kSeed, 3).wrong == 0);
}

TEST_CASE("every wrong element is counted and the first one named") {
  const Team team(kit::allowed_cpus());
  Arrays<float> arrays(1000, kit::Pages::kDefault, team);
  arrays.fill(kSeed);
  run_rounds(arrays, 1);
  arrays.c()[900] = 0;
  arrays.b()[40] = std::numeric_limits<float>::quiet_NaN();
  arrays.a()[999] = arrays.a()[998];
  const Verdict verdict = arrays.verify(kSeed, 1);
  CHECK(verdict.wrong == 3);
  REQUIRE(verdict.first);
  CHECK(verdict.first->array == 'b');
  CHECK(verdict.first->index == 40);
  CHECK(verdict.first->got == "nan");
}

TEST_CASE("arrays that no kernel has touched are wrong throughout") {
  const Team team(kit::allowed_cpus());
  Arrays<double> arrays(100, kit::Pages::kDefault, team);
  arrays.fill(kSeed);
  CHECK(arrays.verify(kSeed, 1).wrong == 300);
  CHECK(arrays.verify(kSeed + 1, 1).wrong == 300);
  CHECK_THROWS_AS(arrays.verify(kSeed, 0), std::logic_error);
  CHECK_THROWS_AS(arrays.verify(kSeed, kMostRounds<double> + 1), std::logic_error);
}

TEST_CASE("kernels are counted as the original counts them") {
  CHECK(words_of(Kernel::kCopy) == 2);
  CHECK(words_of(Kernel::kScale) == 2);
  CHECK(words_of(Kernel::kAdd) == 3);
  CHECK(words_of(Kernel::kTriad) == 3);
}
