#include "harness/recognise/match.hpp"

#include <catch2/catch.hpp>

namespace contract = rackproof::contract;
namespace recognise = rackproof::recognise;
using contract::Parameters;
using contract::Scalar;

TEST_CASE("scalars are the same when they are the same kind of thing and equal") {
  CHECK(recognise::same(Scalar(std::int64_t{4}), Scalar(4.0)));
  CHECK(recognise::same(Scalar(4.0), Scalar(std::int64_t{4})));
  CHECK(recognise::same(Scalar(std::string("x")), Scalar(std::string("x"))));
  CHECK_FALSE(recognise::same(Scalar(4.5), Scalar(std::int64_t{4})));
  CHECK_FALSE(recognise::same(Scalar(std::string("4")), Scalar(std::int64_t{4})));
  CHECK_FALSE(recognise::same(Scalar(true), Scalar(std::int64_t{1})));
  CHECK_FALSE(recognise::same(Scalar(std::int64_t{4}), Scalar(std::int64_t{5})));
}

TEST_CASE("only numbers are numbers") {
  CHECK(recognise::number(Scalar(std::int64_t{7})) == 7.0);
  CHECK(recognise::number(Scalar(0.5)) == 0.5);
  CHECK_FALSE(recognise::number(Scalar(true)));
  CHECK_FALSE(recognise::number(Scalar(std::string("7"))));
}

TEST_CASE("each wanted parameter must be there") {
  const Parameters have = {{"bytes", std::int64_t{8}}, {"dtype", std::string("float")}};
  CHECK(recognise::parameters_match({}, have));
  CHECK(recognise::parameters_match({{"bytes", 8.0}}, have));
  CHECK(recognise::parameters_match({{"bytes", std::int64_t{8}}, {"dtype", std::string("fl*")}},
                                    have));
  CHECK(recognise::parameters_match({{"bytes", std::string("?")}}, have));
  CHECK_FALSE(recognise::parameters_match({{"bytes", std::string("8")}}, have));
  CHECK_FALSE(recognise::parameters_match({{"dtype", std::string("floa")}}, have));
  CHECK_FALSE(recognise::parameters_match({{"dtype", std::string("d*")}}, have));
  CHECK_FALSE(recognise::parameters_match({{"ranks", std::string("*")}}, have));
  CHECK_FALSE(recognise::parameters_match({{"bytes", std::int64_t{16}}}, have));
}
