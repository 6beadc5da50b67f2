#include "benches/swing/device_work.hpp"

#include <fmt/format.h>

#include "benches/kit/cublas/tune.hpp"
#include "benches/kit/cuda/graph.hpp"
#include "benches/kit/errors.hpp"
#include "benches/kit/product/device_compare.hpp"
#include "benches/kit/product/device_fill.hpp"
#include "benches/kit/product/device_proof.hpp"
#include "benches/kit/product/exact_operands.hpp"
#include "benches/kit/product/mix.hpp"
#include "benches/kit/product/pattern.hpp"
#include "benches/kit/statistics.hpp"

namespace rackproof::swing {
namespace {

namespace cuda = kit::cuda;
using product::mix;

constexpr product::Dtype kType = product::Dtype::kBf16;
// NaN: what nobody wrote is seen.
constexpr int kPoison = 0xFF;
// A load is asked for, not the last percent of it.
constexpr cublas::Search kSearch{8, 0.5};

std::size_t result_bytes(std::int64_t size) {
  return static_cast<std::size_t>(size * size * product::numbers(kType).result_bytes);
}

}  // namespace

DeviceWork::Operands::Operands(std::int64_t size) : a(kType, size, size), b(kType, size, size) {}

DeviceWork::DeviceWork(std::int64_t size, std::uint64_t seed)
    : size_(size),
      matmul_(handle_, {kType, size, size, size}),
      load_(size),
      exact_(size),
      result_(result_bytes(size)),
      reference_(result_bytes(size)),
      findings_(1) {
  cublas::require_shape({kType, size, size, size});
  forget(stream_);
  fill(seed);
  const auto tuned =
      cublas::tune(matmul_, load_.left(), load_.right(), result_.data(), kSearch, stream_);
  if (!tuned) {
    throw kit::Unavailable(fmt::format("cuBLASLt has no kernel for {} {}x{}x{} on this device",
                                       product::numbers(kType).name, size, size, size));
  }
  algorithm_ = tuned->best;
  prove(seed);
  constexpr std::int64_t kTimes = 5;
  seconds_ = kit::median(
      cuda::time_each(stream_, kTimes, [&](std::int64_t) { queue(0, std::nullopt, stream_); }));
}

void DeviceWork::fill(std::uint64_t seed) {
  product::fill_pattern(load_.a.memory(), product::Pattern::kNormal, mix(seed, 4), stream_);
  product::fill_pattern(load_.b.memory(), product::Pattern::kNormal, mix(seed, 5), stream_);
  const product::ExactPlan plan = product::plan_exact(kType, size_);
  product::fill_exact(exact_.a.memory(), plan, product::Side::kA, mix(seed, 1), stream_);
  product::fill_exact(exact_.b.memory(), plan, product::Side::kB, mix(seed, 2), stream_);
  stream_.synchronize();
}

void DeviceWork::prove(std::uint64_t seed) {
  cuda::fill_async(result_.data(), kPoison, result_.bytes(), stream_);
  matmul_.run(algorithm_, exact_.left(), exact_.right(), result_.data(), stream_);
  stream_.synchronize();
  proved_ = product::check_exact_on_device({kType, product::plan_exact(kType, size_), mix(seed, 1),
                                            mix(seed, 2), size_, size_, result_.data()},
                                           mix(seed, 3), "before the load, ", stream_);
  cuda::fill_async(reference_.data(), kPoison, reference_.bytes(), stream_);
  matmul_.run(algorithm_, load_.left(), load_.right(), reference_.data(), stream_);
  proved_.wrong += product::count_not_finite(reference_.data(), product::numbers(kType).result,
                                             elements(), stream_);
}

void DeviceWork::queue(std::uint64_t label, const std::optional<kit::Injection>& fault,
                       const cuda::Stream& stream) {
  const int bytes = product::numbers(kType).result_bytes;
  matmul_.run(algorithm_, load_.left(), load_.right(), result_.data(), stream);
  if (fault) product::inject(*fault, result_.data(), elements(), bytes, stream);
  product::compare_async(result_.data(), reference_.data(), elements(), bytes, label,
                         findings_.data(), stream);
}

void DeviceWork::forget(const cuda::Stream& stream) {
  cuda::fill_async(findings_.data(), 0, findings_.bytes(), stream);
  stream.synchronize();
}

}  // namespace rackproof::swing
