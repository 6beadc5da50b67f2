#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>

#include "benches/align/align.hpp"
#include "benches/align/cuda_plan.hpp"
#include "benches/kit/cuda/memory.hpp"
#include "benches/kit/cuda/stream.hpp"
#include "benches/protocol/record.hpp"

namespace rackproof::align {

/// What of the work lies on the device while it is aligned, and stays as it is: the queries, the
/// table of scores, and the packed database.
class Resident {
 public:
  /// Has the memory for it. Throws UsageError where the device has too little.
  Resident(const Workload& work, const Packed& packed);

  /// Copies all of it there; the host packs a piece of the database at a time. `work` and `packed`
  /// are to stay until the last check().
  void put(const Workload& work, const Matrix& matrix, const Packed& packed, Crew& crew);
  /// Compares what lies there now with what was put there: by a digest that the device makes of it,
  /// and where that is another, letter by letter.
  void check(protocol::Check& check);
  /// Makes another letter of one, for tests.
  void change(const ResiduePlace& place);

  const std::uint8_t* queries() const { return queries_.data(); }
  const std::int8_t* matrix() const { return matrix_.data(); }
  const std::uint16_t* rows() const { return rows_.data(); }
  const std::int64_t* begins() const { return begins_.data(); }
  std::size_t bytes() const;

 private:
  static constexpr std::size_t kParts = 4;
  using Sums = std::array<unsigned long long, kParts>;

  // Calls `look` with each piece of the packed database and its first row.
  void each_piece(
      const std::function<void(std::int64_t row, std::span<const std::uint16_t> rows)>& look);
  Sums sums_there();
  void compare_rows(protocol::Check& check);
  std::string place_of_row(std::int64_t row, unsigned half) const;

  kit::cuda::DeviceBuffer<std::uint8_t> queries_;
  kit::cuda::DeviceBuffer<std::int8_t> matrix_;
  kit::cuda::DeviceBuffer<std::int64_t> begins_;
  kit::cuda::DeviceBuffer<std::uint16_t> rows_;
  kit::cuda::DeviceBuffer<unsigned long long> sums_;
  kit::cuda::Stream stream_;
  const Workload* work_ = nullptr;
  const Matrix* scores_ = nullptr;
  const Packed* packed_ = nullptr;
  Crew* crew_ = nullptr;
  Sums wanted_ = {};
};

}  // namespace rackproof::align
