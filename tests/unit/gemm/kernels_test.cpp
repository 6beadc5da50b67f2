#include "benches/kit/blas/kernels.hpp"

#include <catch2/catch.hpp>

#include "benches/kit/errors.hpp"
#include "tests/unit/gemm/recording_session.hpp"

using namespace rackproof;
using blas::ChosenBy;
using blas::Kernels;
using blas::Vectors;
using Catch::Contains;

namespace {

Kernels of_library(const std::string& core) { return {core, "0.3.21", ChosenBy::kLibrary, ""}; }
Kernels of_user(const std::string& core) { return {core, "0.3.21", ChosenBy::kUser, ""}; }

}  // namespace

TEST_CASE("a core is named where the library's own choice needs less") {
  CHECK(better_core(of_library("Prescott"), Vectors::kAvx512) == "SKYLAKEX");
  CHECK(better_core(of_library("Prescott"), Vectors::kAvx2) == "HASWELL");
  CHECK(better_core(of_library("Nehalem"), Vectors::kAvx) == "SANDYBRIDGE");
  CHECK(better_core(of_library("Zen"), Vectors::kAvx512) == "SKYLAKEX");
  CHECK(better_core(of_library("armv8"), Vectors::kSve) == "ARMV8SVE");
}

TEST_CASE("the library's own choice is left where it fits, or is not known") {
  CHECK_FALSE(better_core(of_library("Cooperlake"), Vectors::kAvx512));
  CHECK_FALSE(better_core(of_library("Zen"), Vectors::kAvx2));
  CHECK_FALSE(better_core(of_library("Prescott"), Vectors::kSse));
  CHECK_FALSE(better_core(of_library("armv8"), Vectors::kNeon));
  CHECK_FALSE(better_core(of_library("Zen9"), Vectors::kAvx512));
  CHECK_FALSE(better_core(of_library("Prescott"), Vectors::kUnknown));
}

TEST_CASE("what somebody chose is not chosen again") {
  CHECK_FALSE(better_core(of_user("Prescott"), Vectors::kAvx512));
  CHECK_FALSE(better_core({"Prescott", "0.3.21", ChosenBy::kBench, "Prescott"}, Vectors::kAvx512));
}

TEST_CASE("kernels that need less than the processor has are unfit, whoever chose them") {
  const auto user = why_unfit(of_user("Prescott"), Vectors::kAvx512);
  REQUIRE(user);
  CHECK_THAT(*user,
             Contains("Prescott") && Contains("AVX-512") && Contains("unset OPENBLAS_CORETYPE"));
  const auto bench =
      why_unfit({"Haswell", "0.3.21", ChosenBy::kBench, "Haswell"}, Vectors::kAvx512);
  REQUIRE(bench);
  CHECK_THAT(*bench, Contains("Haswell") && Contains("DYNAMIC_ARCH"));
  CHECK(why_unfit(of_library("Haswell"), Vectors::kAvx512));
  CHECK_FALSE(why_unfit(of_user("SkylakeX"), Vectors::kAvx512));
  CHECK_FALSE(why_unfit(of_library("SkylakeX"), Vectors::kAvx2));
  CHECK_FALSE(why_unfit(of_user("Zen9"), Vectors::kAvx512));
}

TEST_CASE("a bench says before it measures that it would refuse, in the words of the refusal") {
  std::string thrown;
  try {
    test::RecordingSession session;
    blas::demand_fit(session);
  } catch (const kit::Unavailable& error) {
    thrown = error.what();
  }
  CHECK(blas::refusal() == thrown);
}

TEST_CASE("each number says its kernels and who chose them") {
  CHECK(blas::conditions({"SkylakeX", "0.3.21", ChosenBy::kBench, "Prescott"}) ==
        contract::Parameters{{"kernels", std::string("SkylakeX")},
                             {"kernels_chosen_by", std::string("bench")}});
  CHECK(blas::conditions(of_user("Zen")).at("kernels_chosen_by") ==
        contract::Scalar(std::string("user")));
  CHECK(blas::conditions(of_library("Zen")).at("kernels_chosen_by") ==
        contract::Scalar(std::string("library")));
}
