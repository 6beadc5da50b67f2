#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "benches/kit/cublas/matmul.hpp"
#include "benches/kit/cuda/device.hpp"
#include "benches/kit/product/device_compare.hpp"
#include "benches/kit/product/device_operand.hpp"
#include "benches/kit/product/device_proof.hpp"
#include "tests/device/sizes.hpp"
#include "tests/unit/product/faults.hpp"

using namespace rackproof;
using namespace rackproof::product;
namespace cuda = kit::cuda;
using test::Stored;

namespace {

constexpr std::uint64_t kSeedA = 31;
constexpr std::uint64_t kSeedB = 32;

// An exact product of one type, computed by the library's first algorithm.
class ExactProduct {
 public:
  ExactProduct(Dtype dtype, std::int64_t m, std::int64_t n, std::int64_t k, bool swapped = false)
      : type_(numbers(dtype)),
        a_(dtype, swapped ? n : m, k),
        b_(dtype, swapped ? m : n, k),
        c_(static_cast<std::size_t>(m * n * type_.result_bytes)),
        matmul_(handle_, {dtype, m, n, k, true}),
        product_{dtype, plan_exact(dtype, k), kSeedA, kSeedB, m, n, c_.data(), swapped} {
    fill_exact(a_.memory(), product_.plan, Side::kA, kSeedA, stream_);
    fill_exact(b_.memory(), product_.plan, Side::kB, kSeedB, stream_);
    cuda::fill_async(c_.data(), 0xFF, c_.bytes(), stream_);
    const cublas::Operand a{a_.data(), a_.scales()};
    const cublas::Operand b{b_.data(), b_.scales()};
    const cublas::Operand& rows = swapped ? b : a;
    const cublas::Operand& columns = swapped ? a : b;
    algorithms_ = matmul_.algorithms(1, rows, columns);
    if (algorithms_.empty()) return;
    matmul_.run(algorithms_.front(), rows, columns, c_.data(), stream_);
    stream_.synchronize();
  }

  bool ran() const { return !algorithms_.empty(); }
  Fault examine() { return check_exact_on_device(product_, 9, "", stream_); }
  Stored fetch() const {
    Stored stored(type_.result, product_.m, product_.n, type_.result_bytes);
    cuda::copy(stored.bytes.data(), c_.data(), c_.bytes());
    return stored;
  }
  void replace(const Stored& by) { cuda::copy(c_.data(), by.bytes.data(), c_.bytes()); }
  std::uint64_t digest() {
    return digest_of(c_.data(), static_cast<std::int64_t>(c_.bytes()), stream_);
  }

 private:
  const Numbers& type_;
  cuda::Stream stream_;
  cublas::Handle handle_;
  DeviceOperand a_;
  DeviceOperand b_;
  cuda::DeviceMemory c_;
  cublas::Matmul matmul_;
  std::vector<cublas::Algorithm> algorithms_;
  DeviceProduct product_;
};

std::vector<Dtype> dtypes_here() {
  const cuda::Device device = cuda::select("");
  std::vector<Dtype> all;
  for (const Dtype dtype : kAllDtypes) {
    if (!lacking(dtype, device.major, device.minor)) all.push_back(dtype);
  }
  return all;
}

}  // namespace

TEST_CASE("the exact product of every type is exact") {
  for (const Dtype dtype : dtypes_here()) {
    for (const auto& [m, n, k] : device_tests::product_shapes()) {
      INFO(numbers(dtype).name << " " << m << " " << n << " " << k);
      ExactProduct product(dtype, m, n, k);
      REQUIRE(product.ran());
      const Fault fault = product.examine();
      CHECK(fault.wrong == 0);
      CHECK(fault.detail.empty());
      const Stored c = product.fetch();
      for (std::int64_t i = 0; i < 40; ++i) {
        const std::int64_t row = 37 * i % m;
        const std::int64_t column = 53 * i % n;
        const Whole got = c.whole(row, column);
        REQUIRE(got.whole);
        REQUIRE(got.value == exact_element(plan_exact(dtype, k), kSeedA, kSeedB, row, column));
      }
    }
  }
}

TEST_CASE("operands that changed places give the transposed product") {
  for (const Dtype dtype : dtypes_here()) {
    INFO(numbers(dtype).name);
    ExactProduct product(dtype, 256, 128, 512, true);
    REQUIRE(product.ran());
    CHECK(product.examine().wrong == 0);
    const Whole got = product.fetch().whole(17, 5);
    CHECK(got.value == exact_element(plan_exact(dtype, 512), kSeedA, kSeedB, 5, 17));
  }
}

TEST_CASE("every class of fault in the product of every type is caught and located") {
  const std::vector<test::FaultClass> classes = test::fault_classes();
  REQUIRE(classes.size() >= 12);
  for (const Dtype dtype : dtypes_here()) {
    constexpr const auto& kSizes = device_tests::kSizes;
    ExactProduct product(dtype, kSizes.fault_rows, kSizes.fault_columns, kSizes.fault_depth);
    REQUIRE(product.ran());
    const Stored right = product.fetch();
    const std::uint64_t digest = product.digest();
    for (const test::FaultClass& fault_class : classes) {
      INFO(numbers(dtype).name << ": " << fault_class.name);
      Stored wrong = right;
      fault_class.apply(wrong);
      std::int64_t numbers_wrong = 0;
      std::int64_t first = -1;
      for (std::int64_t i = 0; i < wrong.m * wrong.n; ++i) {
        const Whole got = wrong.whole(i / wrong.n, i % wrong.n);
        const Whole want = right.whole(i / wrong.n, i % wrong.n);
        if (got.whole && got.value == want.value) continue;
        if (numbers_wrong++ == 0) first = i;
      }
      REQUIRE(numbers_wrong > 0);
      product.replace(wrong);
      const Fault fault = product.examine();
      CHECK(fault.wrong == numbers_wrong);
      CHECK(fault.all_counted);
      REQUIRE(fault.first);
      CHECK(fault.first->where == "row " + std::to_string(first / wrong.n) + ", column " +
                                      std::to_string(first % wrong.n));
      CHECK(product.digest() != digest);
    }
    product.replace(right);
    CHECK(product.examine().wrong == 0);
  }
}
