#include "benches/collectives/kinds.hpp"

#include <catch2/catch.hpp>

using namespace rackproof::collectives;

TEST_CASE("every word names its enumerator and no other does") {
  REQUIRE(operation_words().size() == 7);
  REQUIRE(dtype_words().size() == 8);
  REQUIRE(redop_words().size() == 4);
  for (const auto& text : operation_words()) CHECK(word(*operation_of(text)) == text);
  for (const auto& text : dtype_words()) CHECK(word(*dtype_of(text)) == text);
  for (const auto& text : redop_words()) CHECK(word(*redop_of(text)) == text);
  CHECK_FALSE(operation_of("allreduce"));
  CHECK_FALSE(operation_of(""));
  CHECK_FALSE(dtype_of("half"));
  CHECK_FALSE(redop_of("avg"));
  CHECK(operation_of("alltoall") == Operation::kAllToAll);
  CHECK(dtype_of("float") == Dtype::kFloat);
}

TEST_CASE("element sizes are those of the types") {
  CHECK(size_of(Dtype::kInt8) == 1);
  CHECK(size_of(Dtype::kUint32) == 4);
  CHECK(size_of(Dtype::kFloat) == 4);
  CHECK(size_of(Dtype::kUint64) == 8);
  CHECK(size_of(Dtype::kDouble) == 8);
}

TEST_CASE("three operations reduce, five have an in-place form") {
  CHECK(reduces(Operation::kAllReduce));
  CHECK(reduces(Operation::kReduceScatter));
  CHECK(reduces(Operation::kReduce));
  CHECK_FALSE(reduces(Operation::kAllToAll));
  CHECK_FALSE(has_in_place_form(Operation::kBroadcast));
  CHECK_FALSE(has_in_place_form(Operation::kSendRecv));
  CHECK(has_in_place_form(Operation::kAllGather));
}
