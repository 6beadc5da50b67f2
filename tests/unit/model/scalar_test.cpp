#include "reports/model/scalar.hpp"

#include <catch2/catch.hpp>

namespace rackproof::model {

TEST_CASE("scalars are written as people write them") {
  CHECK(to_text(contract::Scalar{true}) == "true");
  CHECK(to_text(contract::Scalar{false}) == "false");
  CHECK(to_text(contract::Scalar{std::int64_t{4096}}) == "4096");
  CHECK(to_text(contract::Scalar{std::int64_t{-1}}) == "-1");
  CHECK(to_text(contract::Scalar{0.5}) == "0.5");
  CHECK(to_text(contract::Scalar{0.1}) == "0.1");
  CHECK(to_text(contract::Scalar{1e22}) == "1e+22");
  CHECK(to_text(contract::Scalar{std::string("double")}) == "double");
}

TEST_CASE("a whole double does not look like an integer") {
  CHECK(to_text(contract::Scalar{1.0}) == "1.0");
  CHECK(to_text(contract::Scalar{-3.0}) == "-3.0");
  CHECK(to_text(contract::Scalar{0.0}) == "0.0");
}

TEST_CASE("parameters are written in key order") {
  CHECK(to_text(contract::Parameters{}).empty());
  CHECK(to_text(contract::Parameters{{"dtype", std::string("float")},
                                     {"bytes", std::int64_t{8}}}) == "bytes=8 dtype=float");
}

}  // namespace rackproof::model
