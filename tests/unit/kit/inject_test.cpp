#include "benches/kit/inject.hpp"

#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <stdexcept>

#include "benches/kit/errors.hpp"

using namespace rackproof::kit;

TEST_CASE("an injection is read strictly") {
  const Injection injection = parse_injection("bitflip:9000000000:63");
  CHECK(injection.element == 9000000000);
  CHECK(injection.bit == 63);
  for (const char* bad : {"", "bitflip", "bitflip:", "bitflip:1", "bitflip:1:", "bitflip::2",
                          "bitflip:1:2:3", "bitflip:-1:2", "bitflip:1:-2", "bitflip:1x:2",
                          "flip:1:2", "bitflip:99999999999999999999:1"}) {
    CHECK_THROWS_AS(parse_injection(bad), UsageError);
  }
}

TEST_CASE("one bit of one element is flipped, and back") {
  std::array<std::uint32_t, 4> values{1, 2, 3, 4};
  flip({2, 31}, values.data(), 4, sizeof(std::uint32_t));
  CHECK(values == std::array<std::uint32_t, 4>{1, 2, 3 ^ 0x80000000U, 4});
  flip({6, 63}, values.data(), 4, sizeof(std::uint32_t));
  CHECK(values == std::array<std::uint32_t, 4>{1, 2, 3, 4});
}

TEST_CASE("nothing to flip is an error") {
  double value = 0;
  CHECK_THROWS_AS(flip({0, 0}, &value, 0, 8), std::invalid_argument);
}
