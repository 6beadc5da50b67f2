#include "benches/burn/burn.hpp"

#include <catch2/catch.hpp>

#include "benches/kit/errors.hpp"

using namespace rackproof;

TEST_CASE("result matrices fill the fraction beside A, B and the reference") {
  burn::Settings settings;
  settings.size = 1024;  // 8 MiB a matrix
  settings.memory_fraction = 0.5;
  CHECK(burn::result_slots(settings, std::int64_t{160} << 20) == 7);
  CHECK(burn::result_slots(settings, std::int64_t{64} << 20) == 1);
  settings.dtype = "fp32";
  CHECK(burn::result_slots(settings, std::int64_t{160} << 20) == 17);
}

TEST_CASE("too little memory is refused with the figures") {
  burn::Settings settings;
  settings.size = 1024;
  CHECK_THROWS_AS(burn::result_slots(settings, std::int64_t{63} << 20), kit::UsageError);
  CHECK_THROWS_WITH(burn::result_slots(settings, 0),
                    Catch::Contains("--size 1024") && Catch::Contains("--memory-fraction 0.5"));
}

TEST_CASE("a window ends with the multiplication that fills it, over the time it took") {
  burn::Windows windows(1.0, 100.0);
  CHECK(windows.current() == 1);
  windows.multiplication_ended(0.4);
  windows.multiplication_ended(0.8);
  CHECK(windows.rates().empty());
  windows.multiplication_ended(1.25);
  REQUIRE(windows.rates().size() == 1);
  CHECK(windows.rates()[0] == Approx(300 / 1.25));
  CHECK(windows.current() == 2);
  windows.multiplication_ended(3.25);  // one call longer than a window
  REQUIRE(windows.rates().size() == 2);
  CHECK(windows.rates()[1] == Approx(100 / 2.0));
}

TEST_CASE("the last window counts when it is half full, or the only one") {
  burn::Windows half(1.0, 100.0);
  half.multiplication_ended(1.0);
  half.multiplication_ended(1.5);
  half.finish();
  CHECK(half.rates().size() == 2);

  burn::Windows less(1.0, 100.0);
  less.multiplication_ended(1.0);
  less.multiplication_ended(1.4);
  less.finish();
  CHECK(less.rates().size() == 1);

  burn::Windows only(1.0, 100.0);
  only.multiplication_ended(0.1);
  only.finish();
  REQUIRE(only.rates().size() == 1);
  CHECK(only.rates()[0] == Approx(1000));
}

TEST_CASE("no work has no rate") {
  burn::Windows windows(1.0, 100.0);
  windows.finish();
  CHECK(windows.rates().empty());
}
