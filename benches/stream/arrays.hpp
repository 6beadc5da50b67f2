#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "benches/kit/buffer.hpp"
#include "benches/stream/kernels.hpp"
#include "benches/stream/team.hpp"

namespace rackproof::stream {

enum class Kernel { kCopy, kScale, kAdd, kTriad };
inline constexpr Kernel kKernels[] = {Kernel::kCopy, Kernel::kScale, Kernel::kAdd, Kernel::kTriad};
inline constexpr std::size_t kKernelCount = 4;

/// What a kernel is called in metrics.
const char* name_of(Kernel kernel);

/// Words that a kernel is counted to move for each element: 2, 2, 3, 3. Lines that ordinary stores
/// read before they overwrite them are not counted, as in the original.
int words_of(Kernel kernel);

/// The factor of scale and triad. With 2 a round of the four kernels multiplies `a` by exactly 8,
/// so every value is exact in binary floating point, with fused multiply-add or without, and the
/// answer can be compared bit by bit. (The original's 3 makes it 15, which rounds from the 14th
/// round on.)
inline constexpr int kScalar = 2;

/// Rounds that may follow one fill() before the values leave the range of T.
template <class T>
inline constexpr std::int64_t kMostRounds = sizeof(T) == 8 ? 256 : 32;

/// What verify() found.
struct Verdict {
  std::int64_t compared = 0;
  std::int64_t wrong = 0;
  struct Place {
    char array = 'a';
    std::size_t index = 0;
    std::string got;
    std::string want;
  };
  std::optional<Place> first;  ///< lowest index
};

/// The three arrays of one domain.
template <class T>
class Arrays {
 public:
  /// Throws DeviceError when the memory cannot be had. Nothing is touched before fill().
  Arrays(std::size_t count, kit::Pages pages, const Team& team);

  /// Random data, each element known from `seed` and its index; each thread writes its own slice.
  void fill(std::uint64_t seed);

  /// Runs one kernel over the arrays and gives back how long it took, in seconds.
  double run(Kernel kernel, const KernelSet<T>& set);

  /// Compares every element of the three arrays, in parallel, with what `rounds` (1 or more) rounds
  /// of the four kernels make of fill(seed).
  Verdict verify(std::uint64_t seed, std::int64_t rounds) const;

  std::size_t size() const { return a_.size(); }
  T* a() const { return a_.data(); }
  T* b() const { return b_.data(); }
  T* c() const { return c_.data(); }

 private:
  Slice slice(int thread) const { return slice_of(size(), sizeof(T), thread, team_->threads()); }

  kit::Buffer<T> a_;
  kit::Buffer<T> b_;
  kit::Buffer<T> c_;
  const Team* team_;
};

/// Element `index` of `a` after fill(seed): in [1, 2), random, with two bits of the significand
/// free.
template <class T>
T start_value(std::uint64_t seed, std::uint64_t index);

extern template class Arrays<double>;
extern template class Arrays<float>;

}  // namespace rackproof::stream
