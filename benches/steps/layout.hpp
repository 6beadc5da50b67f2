#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "benches/steps/card.hpp"

namespace rackproof::steps {

/// How a model is cut over ranks. Their product is the number of ranks.
struct Layout {
  std::int64_t tensor = 1;    ///< t: each matrix over so many ranks
  std::int64_t pipeline = 1;  ///< p: the layers over so many stages
  std::int64_t data = 1;      ///< d: so many replicas, each with data of its own
  std::int64_t expert = 1;    ///< e: the experts over so many ranks, each with data of its own too
  bool sequence_parallel =
      false;             ///< all-reduces of tensor parallelism as reduce-scatter and all-gather
  bool sharded = false;  ///< replicas share the rows of each matrix, gathered when needed (FSDP)

  std::int64_t ranks() const { return tensor * pipeline * data * expert; }
  /// Ranks that hold the same dense weights, and different data: d e.
  std::int64_t replicas() const { return data * expert; }
  bool operator==(const Layout&) const = default;
};

/// "--tp 2 --pp 2".
std::string text_of(const Layout& layout);

/// Where a rank stands. Ranks of one tensor group are neighbours, since they talk most; then come
/// those of one expert group, the replicas and the stages.
struct Place {
  std::int64_t tensor = 0;
  std::int64_t expert = 0;
  std::int64_t data = 0;
  std::int64_t stage = 0;

  bool operator==(const Place&) const = default;
};
Place place_of(std::int64_t rank, const Layout& layout);
std::int64_t rank_of(const Place& place, const Layout& layout);

/// Why the layout does not fit the card, whatever the number of ranks, and what was expected; empty
/// where it fits.
std::string misfit(const Layout& layout, const Card& card);

/// The layouts of `ranks` ranks that fit the card, those nearest to `asked` first: nearest is the
/// least sum of the factors by which the four differ.
std::vector<Layout> fitting_layouts(const Layout& asked, const Card& card, std::int64_t ranks);

/// Throws kit::UsageError where the layout does not fit the card, or is not of `ranks` ranks; the
/// sentence ends with the nearest that fit.
void demand_fit(const Layout& layout, const Card& card, std::int64_t ranks);

}  // namespace rackproof::steps
