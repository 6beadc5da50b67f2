#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "benches/kit/progress.hpp"
#include "benches/pairs/kinds.hpp"
#include "benches/pairs/transport.hpp"

namespace rackproof::pairs {

/// How often to measure.
struct Rule {
  std::int64_t warmup = 2;    ///< batches that are checked, but whose times are dropped
  std::int64_t samples = 20;  ///< timed batches
  std::uint64_t seed = 1;
};

/// The first wrong word that a member received.
struct WrongWord {
  int rank = 0;    ///< who received it
  int source = 0;  ///< who sent it
  std::int64_t batch = 0;
  std::int64_t slot = 0;
  std::int64_t index = 0;  ///< of the word in the message
  std::uint64_t got = 0;
  std::uint64_t want = 0;

  bool operator==(const WrongWord&) const = default;
};

/// What one member knows of a match, or both together.
struct Outcome {
  std::vector<double> seconds;  ///< of each timed batch; 0 where the partner can tell
  std::int64_t compared = 0;    ///< words, warm-up included
  std::int64_t wrong = 0;
  std::optional<WrongWord> first_wrong;

  bool operator==(const Outcome&) const = default;
};

/// Plays one match: passes the batches of `spec` between this member and `peer`, who must call it
/// with the same arguments (and this one as peer). Each message has data of its own, known from the
/// seed, both ranks, the direction, the spec, the batch and its slot; what is to be received is
/// poisoned before each batch and compared word by word after it, outside the timed interval. A
/// fault, when given, goes into the first timed batch that this member receives. Each batch is an
/// operation that is told in `word`.
Outcome play(Transport& transport, int peer, const Spec& spec, const Rule& rule,
             const std::optional<kit::Injection>& fault, kit::ProgressWriter& word);

/// The key of what `from` sends to `to` in a batch.
std::uint64_t key_of(const Rule& rule, const Spec& spec, int from, int to, std::int64_t batch);

/// One view of both members: the longer time of each batch, and all that was compared.
Outcome together(const Outcome& lower, const Outcome& higher);

/// As numbers that a gather can carry, `rule.samples` + 10 of them, and back. Words travel in
/// halves: a double holds 32 bits exactly, and not 64.
std::vector<double> packed(const Outcome& outcome, const Rule& rule);
Outcome unpacked(std::span<const double> numbers, int rank);
std::size_t packed_size(const Rule& rule);

}  // namespace rackproof::pairs
