#include <cstdint>
#include <limits>

#include "benches/align/lanes.hpp"

namespace rackproof::align {
namespace {

// Loops that a compiler makes vectors of where it has any: for processors without a set of their
// own.
struct Plain32 {
  using Element = std::int32_t;
  static constexpr int kLanes = 16;
  static constexpr int kColumns = 2;
  static constexpr std::int32_t kZero = 0;
  static constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  struct Vector {
    Element at[kLanes];
  };
  struct Index {
    const std::uint8_t* residues;
  };

  template <class Operation>
  static Vector each(const Vector& a, const Vector& b, Operation operation) {
    Vector made;
    for (int i = 0; i < kLanes; ++i) made.at[i] = operation(a.at[i], b.at[i]);
    return made;
  }
  static Vector filled(Element value) {
    Vector made;
    for (int i = 0; i < kLanes; ++i) made.at[i] = value;
    return made;
  }
  static Vector lowest() { return filled(0); }
  static Vector cost(int value) { return filled(value); }
  static Vector add(const Vector& a, const Vector& b) {
    return each(a, b, [](Element x, Element y) { return x + y > 0 ? x + y : 0; });
  }
  static Vector subtract(const Vector& a, const Vector& b) {
    return each(a, b, [](Element x, Element y) { return x > y ? x - y : 0; });
  }
  static Vector larger(const Vector& a, const Vector& b) {
    return each(a, b, [](Element x, Element y) { return x > y ? x : y; });
  }
  static Index index_of(const std::uint8_t* residues) { return {residues}; }
  static Vector scores_of(const std::int8_t* row, const Index& index) {
    Vector made;
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): a score is a small number, and no letter
    for (int i = 0; i < kLanes; ++i) made.at[i] = row[index.residues[i]];
    return made;
  }
};

}  // namespace

KernelSet plain_kernels() {
  KernelSet set;
  set.name = "plain";
  set.in32 = {Plain32::kLanes, align_lanes<Plain32>};
  return set;
}

}  // namespace rackproof::align
