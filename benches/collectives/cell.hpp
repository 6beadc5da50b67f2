#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "benches/collectives/expect.hpp"
#include "benches/collectives/factors.hpp"
#include "benches/collectives/transport.hpp"
#include "benches/kit/inject.hpp"
#include "benches/kit/progress.hpp"
#include "benches/protocol/record.hpp"

namespace rackproof::collectives {

/// One thing to measure. `redop` is set for the operations that reduce.
struct CellSpec {
  Operation operation = Operation::kAllReduce;
  Dtype dtype = Dtype::kFloat;
  std::optional<RedOp> redop;
  std::int64_t bytes = 0;  ///< the size asked for; see shape_of for the one that is measured
  bool in_place = false;
  Launch launch = Launch::kPlain;
  Registration registration = Registration::kNone;
};

/// "all_reduce 4096 B float sum": names the cell to people.
std::string label(const CellSpec& spec);

/// How often to measure. Every batch ends whole, so a few iterations more than asked are possible.
struct MeasuringRule {
  std::int64_t warmup = 5;
  std::int64_t iterations = 50;  ///< at least so many
  std::int64_t max_iterations = 20'000;
  double min_seconds = 0.1;  ///< and at least so long, checks included, unless max_iterations
                             ///< comes first
  std::uint64_t seed = 1;
};

/// Where the first wrong element of a cell was. `iteration` counts every operation of the cell from
/// 0, warm-up included.
struct WrongPlace {
  int rank = 0;
  std::int64_t iteration = 0;
  WrongElement element;
};

/// The same on every rank.
struct CellResult {
  Shape shape;
  std::vector<double> seconds;  ///< each timed iteration: the longest that any rank needed for it
  std::int64_t per_sample = 1;  ///< operations whose mean a sample is
  /// Where it is more than one: iterations that were timed one by one, for what the mean hides;
  /// empty where none can be.
  std::vector<double> single_seconds;
  std::int64_t operations = 0;  ///< checked ones, warm-up included
  std::int64_t compared = 0;    ///< elements, over all ranks
  std::int64_t wrong = 0;
  std::optional<WrongPlace> first_wrong;
  contract::Parameters chosen;  ///< what the library chose for this cell, where it says so
};

/// Called between batches with the done part of the cell, 0 to 1.
using Progress = std::function<void(double fraction)>;

/// What one rank found in the outputs of a cell. `iteration` is that of the first wrong element.
struct RankFindings {
  Findings found;
  std::int64_t iteration = 0;
};

/// Findings as numbers that can be gathered, kFindingsFields for each rank: bit patterns travel in
/// halves, since a double holds 32 bits exactly, and not 64.
inline constexpr std::size_t kFindingsFields = 9;
std::vector<double> pack(const RankFindings& findings);

/// Adds up the packed findings of all ranks, rank by rank.
void unpack(const std::vector<double>& all, CellResult& result);

/// The done part of a cell, 0 to 1, after `taken` samples and `elapsed` seconds.
double done_part(const MeasuringRule& rule, std::int64_t taken, double elapsed);

/// The seed of everything in a cell.
std::uint64_t seed_of(const CellSpec& spec, std::uint64_t seed);

/// How the iterations of one batch are laid out: each has a slot, that is an input and an output
/// buffer of its own, and the first `lead` are run and checked, but their times are dropped, since
/// the ranks do not leave the barrier before a batch at the same moment. Messages too large for
/// several slots to stay in the nearest cache have one, and no lead.
struct BatchPlan {
  int slots = 1;
  int lead = 0;
  /// Operations that are timed as one, after the lead a whole number of times. Where it is more
  /// than one, those of every other batch are timed one by one, for what a mean hides.
  int every = 1;
};
BatchPlan plan_batch(const Shape& shape, std::size_t element_bytes);

/// Measures and verifies one cell; every member of the group must call it with the same arguments.
///
/// A batch is: give each input a new stamp, overwrite each output with what no result is, barrier,
/// run and time the operations back to back, compare every element of every output, and agree with
/// the others on whether to go on. Only the operation itself is inside the timed interval. In a
/// batch of one slot the operation first runs untimed on the same buffers, and then the output gets
/// spots of poison, one in each KiB, so that the timed one is seen to write. Throws
/// kit::Unavailable, on all ranks, when one of them lacks the memory. Each call of the transport is
/// told in `word`, before and after, and outside of the timed interval.
CellResult measure_cell(Transport& transport, const CellSpec& spec, const MeasuringRule& rule,
                        const std::optional<kit::Injection>& injection, const Progress& progress,
                        kit::ProgressWriter& word);

}  // namespace rackproof::collectives
