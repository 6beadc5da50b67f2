#pragma once

#include <optional>
#include <vector>

#include "benches/kit/cublas/matmul.hpp"

namespace rackproof::cublas {

/// How long to look for the fastest algorithm.
struct Search {
  int candidates = 32;  ///< as many of the heuristic's list at most; 1 takes its first
  double seconds = 5;   ///< about so long; the first of the list is always tried
};

/// An algorithm that ran.
struct Timed {
  int place = 0;  ///< in the heuristic's list, from 1
  Algorithm algorithm;
  double seconds = 0;  ///< of one product: the median of the last rounds where it was in them
};

struct Tuned {
  Algorithm best;
  Algorithm first;           ///< the heuristic's own choice, of those that run
  double best_seconds = 0;   ///< of one product, as the last round saw it
  double first_seconds = 0;  ///< the same of `first`, in the same round
  int offered = 0;
  int tried = 0;             ///< those included that the library refused to run
  std::vector<Timed> timed;  ///< all others, as the heuristic lists them
  double noise = 0;  ///< half the distance between the quartiles of the best one's rounds, over
                     ///< their median
  double search_seconds = 0;
};

/// Times the algorithms that the heuristic offers, with the operands as they are, and keeps the
/// best: one pass over all, then the first and the three fastest in turns, so that all of those
/// meet the same clocks. Nothing when the library has no kernel for the problem. What is in `c` is
/// overwritten.
std::optional<Tuned> tune(Matmul& matmul, const Operand& a, const Operand& b, void* c,
                          const Search& search, const kit::cuda::Stream& stream);

/// Places of the `most` smallest of `seconds` in order, with place 0 (the first of the heuristic)
/// before them in any case; a negative time means that it could not run.
std::vector<std::size_t> finalists(const std::vector<double>& seconds, std::size_t most);

}  // namespace rackproof::cublas
