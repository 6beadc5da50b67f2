#pragma once

#include <cstdint>

#include "benches/kit/cuda/memory.hpp"
#include "benches/kit/product/device_fill.hpp"

namespace rackproof::product {

/// One operand of a product on the device: elements and scales. Move-only.
class DeviceOperand {
 public:
  /// Takes the memory; throws UsageError when there is too little.
  DeviceOperand(Dtype dtype, std::int64_t rows, std::int64_t k);

  const void* data() const { return data_.data(); }
  /// nullptr for types without scales.
  const void* scales() const { return scales_.data(); }
  OperandMemory memory() const;
  std::int64_t rows() const { return rows_; }

 private:
  Dtype dtype_;
  std::int64_t rows_;
  std::int64_t k_;
  kit::cuda::DeviceMemory data_;
  kit::cuda::DeviceMemory scales_;
};

}  // namespace rackproof::product
