#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace rackproof::sim {

/// Numbers that depend on the seed alone, on every machine: the standard's distributions do not
/// promise that.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }
  /// In [0, 1).
  double unit() { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }
  double between(double low, double high) { return low + (high - low) * unit(); }
  /// One of 0 ... n - 1.
  int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }
  bool chance(double probability) { return unit() < probability; }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(below(static_cast<int>(from.size())))];
  }
  /// The same source mixed with a text: draws about one thing do not move when another is asked.
  static Draw about(std::uint64_t seed, std::string_view what) {
    std::uint64_t hash = 0xcbf29ce484222325U ^ seed;
    for (const char c : what) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    Draw draw(hash);
    draw.next();
    return draw;
  }

 private:
  std::uint64_t state_;
};

}  // namespace rackproof::sim
