#include "benches/collectives/kinds.hpp"

#include <catch2/catch.hpp>

using namespace rackproof::collectives;

TEST_CASE("every word names its enumerator and no other does") {
  REQUIRE(operation_words().size() == 7);
  REQUIRE(dtype_words().size() == 12);
  REQUIRE(redop_words().size() == 5);
  for (const auto& text : operation_words()) CHECK(word(*operation_of(text)) == text);
  for (const auto& text : dtype_words()) CHECK(word(*dtype_of(text)) == text);
  for (const auto& text : redop_words()) CHECK(word(*redop_of(text)) == text);
  CHECK_FALSE(operation_of("allreduce"));
  CHECK_FALSE(operation_of(""));
  for (const auto& text : launch_words()) CHECK(word(*launch_of(text)) == text);
  for (const auto& text : registration_words()) CHECK(word(*registration_of(text)) == text);
  CHECK_FALSE(dtype_of("fp16"));
  CHECK_FALSE(redop_of("mean"));
  CHECK_FALSE(launch_of(""));
  CHECK(operation_of("alltoall") == Operation::kAllToAll);
  CHECK(dtype_of("float") == Dtype::kFloat);
}

TEST_CASE("element sizes are those of the types") {
  CHECK(size_of(Dtype::kInt8) == 1);
  CHECK(size_of(Dtype::kUint32) == 4);
  CHECK(size_of(Dtype::kFloat) == 4);
  CHECK(size_of(Dtype::kUint64) == 8);
  CHECK(size_of(Dtype::kDouble) == 8);
  CHECK(size_of(Dtype::kHalf) == 2);
  CHECK(size_of(Dtype::kBfloat16) == 2);
  CHECK(size_of(Dtype::kFloat8E4M3) == 1);
  CHECK(size_of(Dtype::kFloat8E5M2) == 1);
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

TEST_CASE("MPI keeps to the types and reductions of C and NCCL has all of them") {
  const Repertoire mpi = mpi_repertoire();
  CHECK(mpi.dtype_words() == std::vector<std::string>{"int8", "uint8", "int32", "uint32", "int64",
                                                      "uint64", "float", "double"});
  CHECK(mpi.redop_words() == std::vector<std::string>{"sum", "prod", "min", "max"});
  CHECK(nccl_repertoire().dtype_words() == dtype_words());
  CHECK(nccl_repertoire().redop_words() == redop_words());
  for (const auto& text : operation_words()) {
    const Operation operation = *operation_of(text);
    CHECK(mpi.in_place_form(operation) == has_in_place_form(operation));
    CHECK(nccl_repertoire().in_place_form(operation) ==
          (has_in_place_form(operation) && operation != Operation::kAllToAll));
  }
}

TEST_CASE("averages are exact up to what the type can count or scale") {
  CHECK(has_exact_result(Dtype::kInt8, RedOp::kAvg, 127));
  CHECK_FALSE(has_exact_result(Dtype::kInt8, RedOp::kAvg, 128));
  CHECK_FALSE(has_exact_result(Dtype::kUint8, RedOp::kAvg, 256));
  CHECK(has_exact_result(Dtype::kFloat8E4M3, RedOp::kAvg, 64));
  CHECK_FALSE(has_exact_result(Dtype::kFloat8E4M3, RedOp::kAvg, 65));
  CHECK(has_exact_result(Dtype::kHalf, RedOp::kAvg, 8192));
  CHECK_FALSE(has_exact_result(Dtype::kHalf, RedOp::kAvg, 8193));
  CHECK(has_exact_result(Dtype::kFloat, RedOp::kAvg, 1 << 20));
  CHECK(has_exact_result(Dtype::kInt8, RedOp::kSum, 1 << 20));
}
