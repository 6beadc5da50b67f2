#include "benches/gemm/cuda_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "benches/kit/product/device_compare.hpp"
#include "benches/kit/product/device_proof.hpp"

namespace rackproof::gemm {
namespace {

namespace cuda = kit::cuda;
using product::Fault;

// All bits set: NaN in every floating type, -1 in int32, which no product of these operands is
// known to be. What nobody wrote is seen.
constexpr int kPoison = 0xFF;

cublas::Problem problem_of(const CudaCell& cell, bool fast_accumulation) {
  return {cell.dtype, cell.shape.m, cell.shape.n, cell.shape.k, fast_accumulation};
}

}  // namespace

DeviceWork::DeviceWork(const cublas::Handle& handle, const CudaCell& cell, bool fast_accumulation)
    : cell_(cell),
      type_(product::numbers(cell.dtype)),
      matmul_(handle, problem_of(cell, fast_accumulation)),
      a_(cell.dtype, cell.shape.m, cell.shape.k),
      b_(cell.dtype, cell.shape.n, cell.shape.k),
      reference_(static_cast<std::size_t>(elements() * type_.result_bytes)),
      findings_(1) {
  for (std::int64_t i = 0; i < kResultBuffers; ++i) {
    results_.emplace_back(static_cast<std::size_t>(elements() * type_.result_bytes));
  }
  cuda::fill_async(findings_.data(), 0, findings_.bytes(), stream_);
  stream_.synchronize();
}

cublas::Operand DeviceWork::operand(const product::DeviceOperand& of) const {
  return {of.data(), of.scales()};
}

void DeviceWork::multiply(const cublas::Algorithm& algorithm, void* c) {
  matmul_.run(algorithm, operand(a_), operand(b_), c, stream_);
}

void DeviceWork::poison(const cuda::DeviceMemory& result) {
  cuda::fill_async(result.data(), kPoison, result.bytes(), stream_);
}

std::optional<cublas::Tuned> DeviceWork::tune(const cublas::Search& search) {
  return cublas::tune(matmul_, operand(a_), operand(b_), results_.front().data(), search, stream_);
}

void DeviceWork::fill_pattern(product::Pattern pattern, std::uint64_t seed) {
  product::fill_pattern(a_.memory(), pattern, product::mix(seed, 4), stream_);
  product::fill_pattern(b_.memory(), pattern, product::mix(seed, 5), stream_);
  stream_.synchronize();
}

Fault DeviceWork::prove_exact(const cublas::Algorithm& algorithm, std::uint64_t seed,
                              const std::optional<kit::Injection>& injection) {
  product::DeviceProduct exact{cell_.dtype,
                               product::plan_exact(cell_.dtype, cell_.shape.k),
                               product::mix(seed, 1),
                               product::mix(seed, 2),
                               cell_.shape.m,
                               cell_.shape.n,
                               results_.front().data()};
  product::fill_exact(a_.memory(), exact.plan, product::Side::kA, exact.seed_a, stream_);
  product::fill_exact(b_.memory(), exact.plan, product::Side::kB, exact.seed_b, stream_);
  poison(results_.front());
  multiply(algorithm, results_.front().data());
  if (injection) {
    product::inject(*injection, results_.front().data(), elements(), type_.result_bytes, stream_);
  }
  stream_.synchronize();
  exact_digest_ = product::digest_of(exact.c, elements() * type_.result_bytes, stream_);
  compared_ += elements();
  return product::check_exact_on_device(exact, product::mix(seed, 3), "exact operands, ", stream_);
}

std::uint64_t DeviceWork::digest_by(const cublas::Algorithm& algorithm) {
  poison(results_.front());
  multiply(algorithm, results_.front().data());
  stream_.synchronize();
  return product::digest_of(results_.front().data(), elements() * type_.result_bytes, stream_);
}

Fault DeviceWork::make_reference(const cublas::Algorithm& algorithm) {
  poison(reference_);
  multiply(algorithm, reference_.data());
  stream_.synchronize();
  Fault fault;
  fault.wrong = product::count_not_finite(reference_.data(), type_.result, elements(), stream_);
  if (fault.wrong > 0) {
    fault.detail =
        fmt::format("{} elements of the first timed result are NaN or infinite", fault.wrong);
  }
  return fault;
}

void DeviceWork::prepare(const cublas::Algorithm& algorithm, std::int64_t calls) {
  graph_.emplace(stream_, [&] {
    for (std::int64_t i = 0; i < calls; ++i) {
      multiply(algorithm, results_[static_cast<std::size_t>(i % kResultBuffers)].data());
    }
  });
  stream_.synchronize();
}

std::vector<double> DeviceWork::round(double seconds, std::int64_t least,
                                      const std::function<void()>& look) {
  for (const cuda::DeviceMemory& result : results_) poison(result);
  // So many samples are always queued that the device does not wait for the host while that asks
  // NVML: several calls, each of which goes to the GPU's own processor and takes milliseconds.
  constexpr std::int64_t kAhead = 6;
  std::array<cuda::Event, kAhead + 2> events;
  const auto event = [&](std::int64_t i) -> const cuda::Event& {
    return events[static_cast<std::size_t>(i) % events.size()];
  };
  std::vector<double> samples;
  double total = 0;
  const auto finish = [&](std::int64_t i) {
    event(i + 1).synchronize();
    samples.push_back(cuda::seconds_between(event(i), event(i + 1)));
    total += samples.back();
  };
  event(0).record(stream_);
  std::int64_t queued = 0;
  while (queued < least || total < seconds) {
    graph_->launch(stream_);
    ++queued;
    event(queued).record(stream_);
    if (queued >= kAhead) finish(queued - kAhead);
    look();
  }
  for (std::int64_t i = std::max<std::int64_t>(0, queued - kAhead + 1); i < queued; ++i) finish(i);
  compare_results();
  return samples;
}

void DeviceWork::compare_results() {
  ++rounds_;
  for (const cuda::DeviceMemory& result : results_) {
    product::compare_async(result.data(), reference_.data(), elements(), type_.result_bytes,
                           static_cast<std::uint64_t>(rounds_), findings_.data(), stream_);
    compared_ += elements();
  }
  stream_.synchronize();
}

Fault DeviceWork::round_fault() const {
  const product::Findings found = cuda::read_one(findings_.data());
  return product::fault_of(found, type_.result_bytes, cell_.shape.n,
                           fmt::format("timed round {}, ", found.label));
}

}  // namespace rackproof::gemm
