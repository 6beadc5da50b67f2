#include "benches/burn/cuda_plan.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "benches/kit/errors.hpp"

using namespace rackproof;
using namespace rackproof::burn;
using product::Dtype;

namespace {

constexpr std::int64_t kGiB = std::int64_t{1} << 30;

// Rates of an H200 and a B200 as published for these types (dense peaks of the data sheets), with
// the memory bandwidth that is reached in practice: comparing is cheaper still when less is
// reached.
struct Published {
  Dtype dtype;
  double operations;
  double bytes;
};
constexpr Published kPublished[] = {
    {Dtype::kFp64, 67e12, 4.4e12},   {Dtype::kFp32, 67e12, 4.4e12},
    {Dtype::kTf32, 494e12, 4.4e12},  {Dtype::kBf16, 989e12, 4.4e12},
    {Dtype::kFp16, 989e12, 4.4e12},  {Dtype::kFp8, 1979e12, 4.4e12},
    {Dtype::kInt8, 1979e12, 4.4e12}, {Dtype::kBf16, 2250e12, 7.1e12},
    {Dtype::kFp8, 4500e12, 7.1e12},  {Dtype::kMxfp8, 4500e12, 7.1e12},
    {Dtype::kNvfp4, 9000e12, 7.1e12}};

}  // namespace

TEST_CASE("at the depth of each type comparing costs about one percent even at the peak") {
  for (const Published& one : kPublished) {
    INFO(product::numbers(one.dtype).name);
    // A comparison reads the result and the reference; in terms of 2 n^2 that is w bytes.
    CHECK(compare_share(one.dtype, depth_for(one.dtype), one.operations, one.bytes) < 0.02);
  }
  CHECK(compare_share(Dtype::kBf16, 32768, 0.75 * 989e12, 4.4e12) < 0.015);
  CHECK(compare_share(Dtype::kBf16, 8192, 0.75 * 989e12, 4.4e12) > 0.035);
}

TEST_CASE("memory is for operands and references first and results get the rest") {
  CudaSettings settings;
  settings.size = 1024;
  settings.depth = 2048;
  settings.memory_fraction = 0.5;
  const CudaMemory memory = plan_memory(settings, {Dtype::kBf16, Dtype::kFp64}, 2 * kGiB);
  const std::int64_t bf16 = 4 * (1024 * 2048 * 2 + 1024 * 1024 * 2);
  const std::int64_t fp64 = 4 * (1024 * 2048 * 8 + 1024 * 1024 * 8);
  CHECK(memory.fixed == bf16 + fp64 + 2 * (std::int64_t{64} << 20));
  CHECK(memory.fixed + memory.pool == kGiB);
  CHECK(slots_of(settings, Dtype::kBf16, memory.pool) == memory.pool / (2 * 1024 * 1024));
  CHECK(slots_of(settings, Dtype::kFp64, memory.pool) == memory.pool / (8 * 1024 * 1024));
}

TEST_CASE("result matrices begin at whole lines of memory") {
  CudaSettings settings;
  settings.size = 1000;
  CHECK(result_stride(settings, Dtype::kBf16) == 2'000'128);
  settings.size = 1;
  CHECK(result_stride(settings, Dtype::kFp64) == 256);
  CHECK(slots_of(settings, Dtype::kFp64, 1024) == 4);
}

TEST_CASE("what does not fit is refused with what is free") {
  CudaSettings settings;
  CHECK_NOTHROW(plan_memory(settings, {Dtype::kBf16, Dtype::kFp8, Dtype::kFp64}, 139 * kGiB));
  CHECK_THROWS_AS(plan_memory(settings, {Dtype::kBf16}, 2 * kGiB), kit::UsageError);
  CHECK_THROWS_WITH(plan_memory(settings, {Dtype::kBf16}, 2 * kGiB),
                    Catch::Contains("2.000 GiB that are free"));
}

TEST_CASE("operands change places with each pass over the results") {
  CHECK(turn_of(0, 3).slot == 0);
  CHECK(turn_of(2, 3).slot == 2);
  CHECK_FALSE(turn_of(2, 3).swapped);
  CHECK(turn_of(3, 3).slot == 0);
  CHECK(turn_of(3, 3).swapped);
  CHECK_FALSE(turn_of(6, 3).swapped);
  CHECK(turn_of(1, 1).swapped);
}

TEST_CASE("as many products are queued as fill the time") {
  CHECK(count_for(1, 0.1) == 10);
  CHECK(count_for(1, 7) == 1);
  CHECK(count_for(1, 0) == 100'000);
}

TEST_CASE("the wrong bit goes into the product of its time") {
  CHECK_FALSE(flip_place(-1, 0, 10, 0.1));
  CHECK(flip_place(0.55, 0, 10, 0.1) == 5);
  CHECK_FALSE(flip_place(1.5, 0, 10, 0.1));
  CHECK(flip_place(1.5, 1, 10, 0.1) == 5);
  CHECK(flip_place(1.5, 2, 10, 0.1) == 0);  // late is better than never
  CHECK(flip_place(0, 0, 1, 0.1) == 0);
}

TEST_CASE("pulses begin at whole multiples of the period") {
  CHECK(next_pulse(10.2, 0.5) == 10.5);
  CHECK(next_pulse(10.5, 0.5) == 11.0);
  CHECK(next_pulse(1.7e9 + 0.1, 2) == 1.7e9 + 2);
}

TEST_CASE("stretches are five seconds or a two-hundredth") {
  CHECK(stretch_seconds(60) == 5);
  CHECK(stretch_seconds(86400) == 432);
}

TEST_CASE("what changes the meaning of the rate is in its parameters") {
  CudaSettings settings;
  CHECK(cuda_parameters(settings, "bf16") == contract::Parameters{{"dtype", std::string("bf16")}});
  settings.pattern = "constant";
  settings.pulse_period = 0.25;
  const contract::Parameters all = cuda_parameters(settings, "bf16");
  CHECK(all.size() == 4);
  CHECK(std::get<double>(all.at("pulse_period")) == 0.25);
  CHECK(std::get<std::string>(all.at("pattern")) == "constant");
}

TEST_CASE("a flip is named as a fault and its absence is none") {
  CudaSettings settings;
  CHECK(fault_name(settings).empty());
  settings.flip = 0;
  CHECK(fault_name(settings) == "flip:0");
  settings.flip = 2.5;
  CHECK(fault_name(settings) == "flip:2.5");
}

TEST_CASE("options that cannot be obeyed are refused") {
  CudaSettings settings;
  CHECK_NOTHROW(require_sense(settings));
  settings.flip = 60;
  CHECK_THROWS_AS(require_sense(settings), kit::UsageError);
  settings = {};
  settings.pulse_period = 2;
  CHECK_THROWS_AS(require_sense(settings), kit::UsageError);
  settings = {};
  settings.dtypes = {"bf16", "bf16"};
  CHECK_THROWS_AS(require_sense(settings), kit::UsageError);
  settings.dtypes = {"fp8_e4m3"};
  settings.size = 100;
  CHECK_THROWS_AS(require_sense(settings), kit::UsageError);
  settings.size = 128;
  settings.depth = 17;
  CHECK_THROWS_AS(require_sense(settings), kit::UsageError);
  settings.dtypes = {};
  CHECK_THROWS_AS(require_sense(settings), kit::UsageError);
}
