#include "benches/burn/cuda_workload.hpp"

#include <fmt/format.h>

#include <utility>

#include "benches/kit/cuda/graph.hpp"
#include "benches/kit/product/device_compare.hpp"
#include "benches/kit/product/device_proof.hpp"
#include "benches/kit/statistics.hpp"

namespace rackproof::burn {
namespace {

namespace cuda = kit::cuda;
using product::Fault;

// NaN in every floating type: what nobody wrote is seen.
constexpr int kPoison = 0xFF;

}  // namespace

Workload::Kind::Kind(product::Dtype dtype, std::int64_t size, std::int64_t depth,
                     std::int64_t result_bytes)
    : a(dtype, size, depth), b(dtype, size, depth) {
  for (cuda::DeviceMemory& reference : references) {
    reference = cuda::DeviceMemory(static_cast<std::size_t>(result_bytes));
  }
}

Workload::Workload(const cublas::Handle& handle, const CudaSettings& settings, product::Dtype dtype,
                   const Pool& pool, std::uint64_t seed)
    : type_(product::numbers(dtype)),
      size_(settings.size),
      depth_(depth_of(settings, dtype)),
      pattern_(product::pattern_of(settings.pattern)),
      pool_(pool),
      stride_(result_stride(settings, dtype)),
      slots_(slots_of(settings, dtype, pool.bytes)),
      seed_(seed),
      matmul_(handle, {dtype, size_, size_, depth_, true}),
      load_(dtype, size_, depth_, result_bytes()),
      exact_(dtype, size_, depth_, result_bytes()),
      findings_(1) {
  cuda::fill_async(findings_.data(), 0, findings_.bytes(), stream_);
  stream_.synchronize();
}

bool Workload::prepare(const cublas::Search& search) {
  product::fill_pattern(load_.a.memory(), pattern_, product::mix(seed_, 4), stream_);
  product::fill_pattern(load_.b.memory(), pattern_, product::mix(seed_, 5), stream_);
  const product::ExactPlan plan = product::plan_exact(type_.dtype, depth_);
  product::fill_exact(exact_.a.memory(), plan, product::Side::kA, product::mix(seed_, 1), stream_);
  product::fill_exact(exact_.b.memory(), plan, product::Side::kB, product::mix(seed_, 2), stream_);
  stream_.synchronize();
  const cublas::Operand a{load_.a.data(), load_.a.scales()};
  const cublas::Operand b{load_.b.data(), load_.b.scales()};
  const auto tuned = cublas::tune(matmul_, a, b, slot(0), search, stream_);
  if (!tuned) return false;
  tuned_ = *tuned;
  return true;
}

void Workload::multiply(const cublas::Algorithm& algorithm, const Kind& kind, bool swapped, void* c,
                        const cuda::Stream& stream) {
  const cublas::Operand a{kind.a.data(), kind.a.scales()};
  const cublas::Operand b{kind.b.data(), kind.b.scales()};
  matmul_.run(algorithm, swapped ? b : a, swapped ? a : b, c, stream);
}

void* Workload::slot(std::int64_t which) const {
  return static_cast<unsigned char*>(pool_.data) + which * stride_;
}

Fault Workload::prove_exact(bool swapped) {
  const cuda::DeviceMemory& reference = exact_.references[swapped ? 1 : 0];
  cuda::fill_async(reference.data(), kPoison, reference.bytes(), stream_);
  multiply(tuned_.best, exact_, swapped, reference.data(), stream_);
  stream_.synchronize();
  const product::DeviceProduct exact{type_.dtype,
                                     product::plan_exact(type_.dtype, depth_),
                                     product::mix(seed_, 1),
                                     product::mix(seed_, 2),
                                     size_,
                                     size_,
                                     reference.data(),
                                     swapped};
  return product::check_exact_on_device(
      exact, product::mix(seed_, 3), swapped ? "transposed reference, " : "reference, ", stream_);
}

Fault Workload::prove() {
  for (const bool swapped : {false, true}) {
    Fault fault = prove_exact(swapped);
    if (fault.wrong > 0) return fault;
    const cuda::DeviceMemory& reference = load_.references[swapped ? 1 : 0];
    cuda::fill_async(reference.data(), kPoison, reference.bytes(), stream_);
    multiply(tuned_.best, load_, swapped, reference.data(), stream_);
    fault.wrong = product::count_not_finite(reference.data(), type_.result, elements(), stream_);
    if (fault.wrong == 0) continue;
    fault.detail = fmt::format("{} elements of the reference are NaN or infinite", fault.wrong);
    return fault;
  }
  digests_[0] = product::digest_of(exact_.references[0].data(), result_bytes(), stream_);
  // By the library's choice, which does not hang on what was measured to be fastest.
  multiply(tuned_.first, load_, false, slot(0), stream_);
  stream_.synchronize();
  digests_[1] = product::digest_of(slot(0), result_bytes(), stream_);
  return {};
}

void Workload::measure_costs() {
  constexpr std::int64_t kTimes = 5;
  const double multiply_seconds = kit::median(cuda::time_each(stream_, kTimes, [&](std::int64_t) {
    multiply(tuned_.best, load_, false, slot(0), stream_);
  }));
  compare_seconds_ = kit::median(cuda::time_each(stream_, kTimes, [&](std::int64_t) {
    product::compare_async(slot(0), load_.references[0].data(), elements(), type_.result_bytes, 0,
                           findings_.data(), stream_);
  }));
  seconds_of_one_ = multiply_seconds + compare_seconds_;
}

void Workload::queue_kind(const Kind& kind, std::int64_t index,
                          const std::optional<kit::Injection>& fault, std::uint64_t label,
                          const cuda::Stream& stream) {
  const Turn turn = turn_of(index, slots_);
  void* const result = slot(turn.slot);
  multiply(tuned_.best, kind, turn.swapped, result, stream);
  if (fault) product::inject(*fault, result, elements(), type_.result_bytes, stream);
  product::compare_async(result, kind.references[turn.swapped ? 1 : 0].data(), elements(),
                         type_.result_bytes, label, findings_.data(), stream);
}

void Workload::queue(std::int64_t index, const std::optional<kit::Injection>& fault,
                     std::uint64_t label, const cuda::Stream& stream) {
  queue_kind(load_, index, fault, label, stream);
}

void Workload::queue_exact(std::int64_t index, std::uint64_t label, const cuda::Stream& stream) {
  queue_kind(exact_, index, std::nullopt, label, stream);
}

}  // namespace rackproof::burn
