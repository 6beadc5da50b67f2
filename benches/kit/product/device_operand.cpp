#include "benches/kit/product/device_operand.hpp"

namespace rackproof::product {
namespace {

kit::cuda::DeviceMemory memory_of(std::int64_t bytes) {
  if (bytes == 0) return {};
  return kit::cuda::DeviceMemory(static_cast<std::size_t>(bytes));
}

}  // namespace

DeviceOperand::DeviceOperand(Dtype dtype, std::int64_t rows, std::int64_t k)
    : dtype_(dtype),
      rows_(rows),
      k_(k),
      data_(memory_of(operand_bytes(dtype, rows, k))),
      scales_(memory_of(scale_bytes(dtype, rows, k))) {}

OperandMemory DeviceOperand::memory() const {
  return {dtype_, rows_, k_, data_.data(), scales_.data()};
}

}  // namespace rackproof::product
