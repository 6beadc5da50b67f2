#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "benches/kit/inject.hpp"
#include "benches/steps/expected.hpp"

namespace rackproof::steps {

/// A tensor that came over the network, where it lies, and what it must hold.
struct Tensor {
  std::int64_t layer = 0;         ///< of the model
  std::string name;               ///< "attention.output"
  std::int64_t micro_batch = -1;  ///< -1: made of all
  float* data = nullptr;
  Expected expected = {};
  bool turns = true;  ///< false: weights, which have the same sign in every step
};

/// "layer 3, attention.output, micro-batch 1".
std::string place_of(const Tensor& tensor);

/// What was found so far on one rank.
struct Findings {
  std::int64_t compared = 0;
  std::int64_t wrong = 0;
  bool all_counted = true;
  struct First {
    std::string where;  ///< tensor, row and column
    float got = 0;
    std::int64_t want = 0;
  };
  std::optional<First> first;
};

/// Proves every element of the tensors of one rank. Operands are integers whose sums are exact in a
/// float whatever the order, so each element has one right answer. The first results are held
/// against it by Freivalds' test; those after must have the same bits, by a digest of each row,
/// which costs one read. Steps take turns in their sign, so that a tensor that nobody wrote is
/// seen.
class Proof {
 public:
  explicit Proof(std::uint64_t seed) : seed_(seed) {}

  /// The data must outlive this.
  void add(Tensor tensor);
  /// Elements of all tensors.
  std::int64_t elements() const;

  /// Flips a bit of the element with that number, counted through all tensors.
  void inject(const kit::Injection& injection);

  /// After a step whose results have `sign` (1 or -1): the whole proof.
  void check_exactly(int sign);
  /// The same by digests, once all were right; otherwise it is the whole proof again.
  void check(int sign);

  const Findings& findings() const { return findings_; }

 private:
  struct Kept {
    Tensor tensor;
    std::vector<std::uint64_t> digests;  ///< of the right result; empty before there was one
  };
  void find_wrong(const Tensor& tensor, const std::vector<std::int64_t>& rows, int sign);

  std::uint64_t seed_;
  std::vector<Kept> kept_;
  Findings findings_;
};

}  // namespace rackproof::steps
