#pragma once

#include <cstdint>
#include <cstring>

#include "benches/align/kernels.hpp"

namespace rackproof::align {
namespace {

// Internal linkage: each file that includes this has its own, compiled with its own flags.

constexpr int kTableRow = 32;  // kRow, whose header brings inline functions
constexpr std::uint8_t kPad = kTableRow - 1;
constexpr int kGather = 8;  // columns that are fetched at once

// The residues of the next columns, those of one column side by side.
template <int kLanes>
void gather(const Job& job, std::int64_t column, std::uint8_t (&to)[kGather][kLanes]) {
  std::uint64_t words[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) {
    const std::int64_t left = job.lengths[lane] - column;
    if (left >= kGather) {
      std::memcpy(&words[lane], job.subjects[lane] + column, kGather);
      continue;
    }
    std::uint64_t word = 0;
    for (int i = 0; i < kGather; ++i) {
      const std::uint64_t residue = i < left ? job.subjects[lane][column + i] : kPad;
      word |= residue << (8 * i);
    }
    words[lane] = word;
  }
  for (int i = 0; i < kGather; ++i) {
    for (int lane = 0; lane < kLanes; ++lane) {
      to[i][lane] = static_cast<std::uint8_t>(words[lane] >> (8 * i));
    }
  }
}

// What stays of the rows to the left: the best that ends in a cell, and the best that ends there in
// a gap of the query.
template <class P>
struct Edge {
  typename P::Vector best;
  typename P::Vector gap;
};

// kColumns columns of each subject against all rows of the query, with what a residue of the query
// scores in each column looked up before. All values count from the lowest that an element can
// have, and stop there: it is the zero below which no local alignment goes.
//
// Where a gap of the one sequence follows a gap of the other, their order does not change the
// score. So a gap of the query opens from `here`, which may end in a gap of the subject, and never
// the other way round: a column waits for its neighbour's gap in one place less. The best alignment
// ends in a match.
template <class P>
typename P::Vector strip(const Job& job, const typename P::Vector (*profile)[P::kColumns],
                         Edge<P>* edges, typename P::Vector top) {
  using Vector = typename P::Vector;
  static_assert(P::kColumns % 2 == 0);
  const Vector first = P::cost(job.first);
  const Vector next = P::cost(job.next);
  Vector above[P::kColumns];
  Vector gaps[P::kColumns];
  for (int c = 0; c < P::kColumns; ++c) above[c] = gaps[c] = P::lowest();
  Vector last = P::lowest();
  for (std::int64_t row = 0; row < job.rows; ++row) {
    const Vector* const scores = profile[job.query[row]];
    Edge<P>& edge = edges[row];
    Vector corner = last;
    Vector gap = edge.gap;
    last = edge.best;
    Vector matched[P::kColumns];
#pragma GCC unroll 8
    for (int c = 0; c < P::kColumns; ++c) {
      matched[c] = P::add(corner, scores[c]);
      if (c % 2 == 1) top = P::larger(top, P::larger(matched[c - 1], matched[c]));
      const Vector here = P::larger(matched[c], gaps[c]);
      corner = above[c];
      above[c] = P::larger(here, gap);
      const Vector opened = P::subtract(here, first);
      gap = P::larger(P::subtract(gap, next), opened);
      gaps[c] = P::larger(P::subtract(gaps[c], next), opened);
    }
    edge.best = above[P::kColumns - 1];
    edge.gap = gap;
  }
  return top;
}

// P is a vector type with its arithmetic: kLanes, kColumns (of a strip, even, at most kGather),
// lowest(), cost(), add(), subtract() and larger(), Index and index_of() of the residues of a
// column, scores_of() a row of the table, and kMost, the score that says nothing any more.
template <class P>
void align_lanes(const Job& job) {
  using Vector = typename P::Vector;
  auto* const edges = static_cast<Edge<P>*>(job.scratch);
  for (std::int64_t row = 0; row < job.rows; ++row) edges[row] = {P::lowest(), P::lowest()};
  Vector top = P::lowest();
  alignas(64) std::uint8_t residues[kGather][P::kLanes];
  Vector profile[kTableRow][P::kColumns];
  for (std::int64_t column = 0; column < job.columns; column += kGather) {
    gather<P::kLanes>(job, column, residues);
    for (int c = 0; c < kGather && column + c < job.columns; c += P::kColumns) {
      for (int i = 0; i < P::kColumns; ++i) {
        const typename P::Index index = P::index_of(residues[c + i]);
        for (int letter = 0; letter < job.letters; ++letter) {
          profile[letter][i] = P::scores_of(job.table + letter * kTableRow, index);
        }
      }
      top = strip<P>(job, profile, edges, top);
    }
  }
  alignas(64) typename P::Element tops[P::kLanes];
  std::memcpy(tops, &top, sizeof(top));
  for (int lane = 0; lane < P::kLanes; ++lane) {
    const std::int32_t score = static_cast<std::int32_t>(tops[lane]) - P::kZero;
    job.scores[lane] = score >= P::kMost ? kTooMuch : score;
  }
}

}  // namespace
}  // namespace rackproof::align
