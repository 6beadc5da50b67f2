#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "benches/kit/buffer.hpp"
#include "benches/stream/kernels.hpp"
#include "benches/stream/team.hpp"
#include "benches/stream/values.hpp"

namespace rackproof::stream {

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

extern template class Arrays<double>;
extern template class Arrays<float>;

}  // namespace rackproof::stream
