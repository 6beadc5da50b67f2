#include "benches/copy/proof.hpp"

#include <catch2/catch.hpp>

using namespace rackproof;
using copy::Proof;

TEST_CASE("a proof that compared nothing has not passed") {
  CHECK_FALSE(Proof().check("c", "device 0").passed);
}

TEST_CASE("right samples pass and add up") {
  Proof proof;
  proof.add(0, {100, 0, -1, 0, 0});
  proof.add(1, {100, 0, -1, 0, 0});
  const protocol::Check check = proof.check("h2d.ce.one.local.0", "device 0");
  CHECK(check.passed);
  CHECK(check.name == "h2d.ce.one.local.0");
  CHECK(check.compared == 200);
  CHECK_FALSE(check.first_wrong);
}

TEST_CASE("the first wrong word of the first wrong sample is named") {
  Proof proof;
  proof.add(0, {100, 0, -1, 0, 0});
  proof.add(1, {100, 2, 7, 0x10, 0x11});
  proof.add(2, {100, 1, 3, 0x20, 0x21});
  const protocol::Check check = proof.check("c", "the host");
  CHECK_FALSE(check.passed);
  CHECK(check.wrong == 3);
  REQUIRE(check.first_wrong);
  CHECK(check.first_wrong->where == "word 7 (byte 56) in the memory of the host, sample 1");
  CHECK(check.first_wrong->got == "0x0000000000000010");
  CHECK(check.first_wrong->want == "0x0000000000000011");
}
