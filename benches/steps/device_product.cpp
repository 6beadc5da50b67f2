#include "benches/steps/device_product.hpp"

#include <fmt/format.h>

#include <utility>

#include "benches/kit/errors.hpp"
#include "benches/kit/product/device_compare.hpp"
#include "benches/kit/product/device_proof.hpp"

namespace rackproof::steps {
namespace {

// All bits set: NaN in every floating type.
constexpr int kPoison = 0xFF;

}  // namespace

DeviceProduct::DeviceProduct(const cublas::Problem& problem, std::uint64_t seed, std::string where,
                             const kit::cuda::Stream& stream)
    : problem_(problem),
      plan_(product::plan_exact(problem.dtype, problem.k)),
      seed_(seed),
      where_(std::move(where)),
      a_(problem.dtype, problem.m, problem.k),
      b_(problem.dtype, problem.n, problem.k),
      result_(static_cast<std::size_t>(problem.m * problem.n *
                                       product::numbers(problem.dtype).result_bytes)),
      reference_(result_.bytes()),
      findings_(1) {
  kit::cuda::fill_async(findings_.data(), 0, findings_.bytes(), stream);
  product::fill_exact(a_.memory(), plan_, product::Side::kA, product::mix(seed, 1), stream);
  product::fill_exact(b_.memory(), plan_, product::Side::kB, product::mix(seed, 2), stream);
  stream.synchronize();
}

void DeviceProduct::settle(std::int64_t rows, const kit::cuda::Stream& stream,
                           const cublas::Search& search) {
  rows_ = rows;
  cublas::Problem problem = problem_;
  problem.m = rows;
  matmul_.emplace(handle_, problem);
  const auto tuned =
      cublas::tune(*matmul_, operand(a_), operand(b_), result_.data(), search, stream);
  if (!tuned) {
    throw kit::Unavailable(fmt::format("cuBLASLt has no kernel for {} {}x{}x{} on this device",
                                       product::numbers(problem.dtype).name, problem.m, problem.n,
                                       problem.k));
  }
  algorithm_ = tuned->best;
  poison(stream);
  multiply(1, stream);
  kit::cuda::copy_async(reference_.data(), result_.data(), result_.bytes(), stream);
  stream.synchronize();
  const product::DeviceProduct exact{problem.dtype,          plan_, product::mix(seed_, 1),
                                     product::mix(seed_, 2), rows,  problem.n,
                                     result_.data()};
  const product::Fault found =
      product::check_exact_on_device(exact, product::mix(seed_, 3), where_, stream);
  compared_ += elements();
  exact_.wrong += found.wrong;
  exact_.all_counted = exact_.all_counted && found.all_counted;
  if (!exact_.first) exact_.first = found.first;
}

void DeviceProduct::poison(const kit::cuda::Stream& stream) {
  kit::cuda::fill_async(result_.data(), kPoison, result_.bytes(), stream);
}

void DeviceProduct::multiply(std::int64_t times, const kit::cuda::Stream& stream) {
  for (std::int64_t i = 0; i < times; ++i) {
    matmul_->run(algorithm_, operand(a_), operand(b_), result_.data(), stream);
  }
}

void DeviceProduct::compare(const kit::cuda::Stream& stream) {
  product::compare_async(result_.data(), reference_.data(), elements(),
                         product::numbers(problem_.dtype).result_bytes, 0, findings_.data(),
                         stream);
  compared_ += elements();
}

product::Fault DeviceProduct::fault() const {
  product::Fault all = exact_;
  const product::Fault later =
      product::fault_of(kit::cuda::read_one(findings_.data()),
                        product::numbers(problem_.dtype).result_bytes, problem_.n, where_);
  all.wrong += later.wrong;
  if (!all.first) all.first = later.first;
  return all;
}

}  // namespace rackproof::steps
