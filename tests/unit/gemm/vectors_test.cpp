#include "benches/kit/blas/vectors.hpp"

#include <catch2/catch.hpp>

#include "benches/kit/blas/cblas.hpp"

using namespace rackproof::blas;

namespace {

Features x86(bool avx, bool avx2, bool fma, bool avx512) {
  Features features;
  features.x86 = true;
  features.avx = avx;
  features.avx2 = avx2;
  features.fma = fma;
  features.avx512 = avx512;
  return features;
}

Features arm(int sve_bits) {
  Features features;
  features.sve_bits = sve_bits;
  return features;
}

}  // namespace

TEST_CASE("the widest vectors of a processor") {
  CHECK(vectors_of(x86(false, false, false, false)) == Vectors::kSse);
  CHECK(vectors_of(x86(true, false, false, false)) == Vectors::kAvx);
  CHECK(vectors_of(x86(true, true, false, false)) == Vectors::kAvx);
  CHECK(vectors_of(x86(true, true, true, false)) == Vectors::kAvx2);
  CHECK(vectors_of(x86(true, true, true, true)) == Vectors::kAvx512);
  CHECK(vectors_of(arm(0)) == Vectors::kNeon);
}

TEST_CASE("SVE counts where it is wider than what NEON has units for") {
  CHECK(vectors_of(arm(128)) == Vectors::kNeon);
  CHECK(vectors_of(arm(256)) == Vectors::kNeon);
  CHECK(vectors_of(arm(512)) == Vectors::kSve);
  CHECK(vectors_of(arm(2048)) == Vectors::kSve);
}

TEST_CASE("what the kernels for a core need, in any case of letters") {
  CHECK(needed_by("Prescott", "0.3.21") == Vectors::kSse);
  CHECK(needed_by("SANDYBRIDGE", "0.3.21") == Vectors::kAvx);
  CHECK(needed_by("Zen", "0.3.21") == Vectors::kAvx2);
  CHECK(needed_by("SkylakeX", "0.3.21") == Vectors::kAvx512);
  CHECK(needed_by("armv8", "0.3.21") == Vectors::kNeon);
  CHECK(needed_by("generic", "0.3.21") == Vectors::kNone);
  CHECK(needed_by("Zen9", "0.3.99") == Vectors::kUnknown);
  CHECK(needed_by("", "") == Vectors::kUnknown);
}

TEST_CASE("the kernels for Neoverse V1 use SVE since 0.3.24") {
  CHECK(needed_by("neoversev1", "0.3.21") == Vectors::kNeon);
  CHECK(needed_by("neoversev1", "0.3.23.dev") == Vectors::kNeon);
  CHECK(needed_by("neoversev1", "0.3.24") == Vectors::kSve);
  CHECK(needed_by("neoversev2", "0.3.29") == Vectors::kSve);
  CHECK(needed_by("neoversev1", "0.4") == Vectors::kSve);
  CHECK(needed_by("neoversen2", "0.3.29") == Vectors::kNeon);
}

TEST_CASE("less is said within one architecture, and of what is known") {
  CHECK(is_less(Vectors::kSse, Vectors::kAvx));
  CHECK(is_less(Vectors::kAvx2, Vectors::kAvx512));
  CHECK(is_less(Vectors::kNeon, Vectors::kSve));
  CHECK(is_less(Vectors::kNone, Vectors::kNeon));
  CHECK(is_less(Vectors::kNone, Vectors::kSse));
  CHECK_FALSE(is_less(Vectors::kAvx512, Vectors::kAvx2));
  CHECK_FALSE(is_less(Vectors::kAvx2, Vectors::kAvx2));
  CHECK_FALSE(is_less(Vectors::kAvx2, Vectors::kNeon));
  CHECK_FALSE(is_less(Vectors::kUnknown, Vectors::kAvx512));
  CHECK_FALSE(is_less(Vectors::kSse, Vectors::kUnknown));
}

TEST_CASE("the core to name needs what the processor has") {
  for (const Vectors have : {Vectors::kSse, Vectors::kAvx, Vectors::kAvx2, Vectors::kAvx512,
                             Vectors::kNeon, Vectors::kSve}) {
    CHECK(needed_by(core_for(have), "0.3.29") == have);
    CHECK_FALSE(word(have).empty());
  }
}

TEST_CASE("this processor has vectors, and an OpenBLAS that names its core its version too") {
  const auto found = features();
  if (found) CHECK(vectors_of(*found) >= Vectors::kSse);
  CHECK(openblas_core().empty() == openblas_release().empty());
}
