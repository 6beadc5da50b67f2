#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>

#include "benches/kit/cublas/api.hpp"
#include "benches/kit/cublas/matmul.hpp"
#include "benches/kit/cublas/tune.hpp"
#include "benches/kit/errors.hpp"

using namespace rackproof;
using namespace rackproof::cublas;

// First: the library is loaded once.
TEST_CASE("what would have the library compute with narrower units is gone when it is loaded") {
  const std::array<const char*, 2> names = {"CUBLAS_EMULATE_DOUBLE_PRECISION",
                                            "NVIDIA_TF32_OVERRIDE"};
  for (const char* name : names) setenv(name, "1", 1);
  (void)api();
  for (const char* name : names) CHECK(std::getenv(name) == nullptr);
}

TEST_CASE("the installed library has every function that is used") {
  // The same generation as the headers; no device is needed for that.
  CHECK(api().version() / 10000 == CUBLAS_VER_MAJOR);
}

TEST_CASE("versions are written as the library's makers do") {
  CHECK(version_text(130100) == "13.1.0");
  CHECK(version_text(120805) == "12.8.5");
}

TEST_CASE("before a device is selected the library is not even loaded for its version") {
  const auto all = libraries();
  CHECK(all.count("cuda-runtime") == 1);
  CHECK(all.count("cublasLt") == 0);
}

TEST_CASE("finalists are the first that runs and the fastest") {
  using Places = std::vector<std::size_t>;
  CHECK(finalists({5, 3, 4, 1, 2}, 3) == Places{0, 3, 4, 1});
  CHECK(finalists({1, 3, 4}, 2) == Places{0, 1});
  CHECK(finalists({-1, 3, 4, 2}, 2) == Places{1, 3});
  CHECK(finalists({-1, -1}, 2).empty());
  CHECK(finalists({}, 2).empty());
}

TEST_CASE("shapes that a type cannot have are refused before the library is asked") {
  CHECK_THROWS_AS(require_shape({product::Dtype::kInt8, 64, 64, 24, true}), kit::UsageError);
  CHECK_NOTHROW(require_shape({product::Dtype::kInt8, 64, 64, 32, true}));
  CHECK_NOTHROW(require_shape({product::Dtype::kFp64, 7, 5, 3, true}));
}
