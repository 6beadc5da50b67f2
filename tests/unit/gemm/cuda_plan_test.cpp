#include "benches/gemm/cuda_plan.hpp"

#include <catch2/catch.hpp>
#include <numeric>

#include "benches/kit/errors.hpp"

using namespace rackproof;
using namespace rackproof::gemm;
using product::Dtype;

namespace {

CudaSettings asking_for(std::vector<std::string> dtypes, std::vector<std::string> shapes) {
  CudaSettings settings;
  settings.dtypes = std::move(dtypes);
  settings.shapes = std::move(shapes);
  return settings;
}

}  // namespace

TEST_CASE("left alone gemm-cuda multiplies one square of every type") {
  const std::vector<CudaCell> all = cuda_cells(CudaSettings());
  REQUIRE(all.size() == product::kAllDtypes.size());
  CHECK(all[0].dtype == Dtype::kFp64);
  CHECK(all[0].shape == Shape{4096, 4096, 4096});
  CHECK(all[3].shape == Shape{8192, 8192, 8192});
}

TEST_CASE("sets of shapes are merged and named shapes take their place") {
  CudaSettings settings = asking_for({"bf16"}, {});
  settings.sets = {"square", "transformer"};
  CHECK(cuda_cells(settings).size() == 4);  // the square is one of the layer's
  settings.shapes = {"1024", "2048x512x256"};
  const std::vector<CudaCell> all = cuda_cells(settings);
  REQUIRE(all.size() == 2);
  CHECK(all[1].shape == Shape{2048, 512, 256});
}

TEST_CASE("the transformer's shapes are those of the published layer") {
  constexpr std::int64_t kModel = 8192;
  constexpr std::int64_t kHeads = 64;
  constexpr std::int64_t kKeyHeads = 8;
  constexpr std::int64_t kFeedForward = 28672;
  const std::int64_t head = kModel / kHeads;
  const std::vector<Shape>& shapes = transformer_shapes();
  CHECK(shapes[0].n == (kHeads + 2 * kKeyHeads) * head);
  CHECK(shapes[2].n == 2 * kFeedForward);
  CHECK(shapes[3].k == kFeedForward);
  for (const Shape& shape : shapes) CHECK(shape.m == 8192);
}

TEST_CASE("shapes that a type cannot have or that come twice are refused") {
  CHECK_THROWS_AS(cuda_cells(asking_for({"fp8_e4m3"}, {"100"})), kit::UsageError);
  CHECK_THROWS_AS(cuda_cells(asking_for({"nvfp4"}, {"48"})), kit::UsageError);
  CHECK_NOTHROW(cuda_cells(asking_for({"fp64"}, {"100"})));
  CHECK_THROWS_AS(cuda_cells(asking_for({"fp64"}, {"64", "64x64x64"})), kit::UsageError);
  CHECK_THROWS_AS(cuda_cells(asking_for({"fp64", "fp64"}, {})), kit::UsageError);
  CHECK_THROWS_AS(cuda_cells(asking_for({"fp64"}, {"0"})), kit::UsageError);
  CHECK_THROWS_AS(cuda_cells(asking_for({}, {"64"})), kit::UsageError);
}

TEST_CASE("what changes the meaning of a number is in its parameters") {
  CudaSettings settings;
  const CudaCell cell{Dtype::kFp8, {64, 32, 16}};
  const contract::Parameters plain = {{"dtype", std::string("fp8_e4m3")},
                                      {"m", std::int64_t{64}},
                                      {"n", std::int64_t{32}},
                                      {"k", std::int64_t{16}}};
  CHECK(cuda_parameters(cell, settings) == plain);
  settings.pattern = "zeros";
  settings.fp8_accumulate = "full";
  contract::Parameters marked = plain;
  marked["pattern"] = std::string("zeros");
  marked["accumulate"] = std::string("full");
  CHECK(cuda_parameters(cell, settings) == marked);
  CHECK(cuda_parameters({Dtype::kBf16, {64, 32, 16}}, settings).count("accumulate") == 0);
}

TEST_CASE("the memory of a cell counts operands and scales and all results") {
  constexpr std::int64_t kWorkspace = std::int64_t{64} << 20;
  CHECK(cuda_bytes_needed({Dtype::kFp64, {2, 3, 5}}) == 8 * (10 + 15 + 3 * 6) + kWorkspace);
  CHECK(cuda_bytes_needed({Dtype::kNvfp4, {128, 128, 64}}) ==
        2 * (4096 + 512) + 3 * 128 * 128 * 2 + kWorkspace);
}

TEST_CASE("a sample lasts ten milliseconds and writes every result") {
  CHECK(calls_per_sample(1) == kResultBuffers);
  CHECK(calls_per_sample(1e-3) == 10);
  CHECK(calls_per_sample(0.9e-3) == 12);
  CHECK(calls_per_sample(1e-9) == 1000);
  CHECK(calls_per_sample(0) == 1000);
}

TEST_CASE("windows put samples together and lose none but the last") {
  const std::vector<double> seconds = {0.02, 0.02, 0.02, 0.03, 0.03, 0.01};
  const std::vector<double> rates = window_rates(seconds, 6, 0.05);
  REQUIRE(rates.size() == 2);
  CHECK(rates[0] == Approx(18 / 0.06));
  CHECK(rates[1] == Approx(12 / 0.06));
  CHECK(window_rates({0.01}, 5, 1) == std::vector<double>{500});
  CHECK(window_rates({}, 5, 1).empty());
}
