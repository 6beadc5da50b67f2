#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "benches/align/crew.hpp"
#include "benches/align/workload.hpp"
#include "benches/protocol/record.hpp"

namespace rackproof::align {

/// No score: what is in the place of one that nobody has written yet.
inline constexpr std::int32_t kUnwritten = -1;

/// Scores of all subjects against each query: those of a query one behind the other.
class Scores {
 public:
  Scores(std::int64_t queries, std::int64_t subjects)
      : subjects_(subjects), values_(static_cast<std::size_t>(queries * subjects), kUnwritten) {}

  std::int32_t* of_query(std::int64_t query) { return values_.data() + query * subjects_; }
  std::int32_t at(std::int64_t query, std::int64_t subject) const {
    return values_[static_cast<std::size_t>(query * subjects_ + subject)];
  }
  std::int64_t subjects() const { return subjects_; }
  std::int64_t size() const { return static_cast<std::int64_t>(values_.size()); }
  std::int32_t* data() { return values_.data(); }
  const std::vector<std::int32_t>& values() const { return values_; }
  /// Makes all of them unwritten again.
  void forget() { values_.assign(values_.size(), kUnwritten); }

 private:
  std::int64_t subjects_;
  std::vector<std::int32_t> values_;
};

/// Oracle 1: copies of queries score what their residues are worth.
void check_copies(const Workload& work, const Scores& scores, protocol::Check& check);

/// Oracle 2, and that each pass gives what the first gave: two sets of scores of the same work are
/// equal, and all of them written. `what` names the second one in a message.
void check_equal(const Workload& work, const Scores& want, const Scores& got, std::string_view what,
                 protocol::Check& check);
/// That all of them are written.
void check_written(const Workload& work, const Scores& scores, protocol::Check& check);

/// One alignment of the work.
struct Pair {
  std::int64_t query = 0;
  std::int64_t subject = 0;
};

/// Pairs drawn from a seed until they have `cells` cells, each query an equal part and one pair at
/// least.
std::vector<Pair> draw_sample(const Workload& work, std::uint64_t seed, std::int64_t cells);
double cells_of(const Workload& work, const std::vector<Pair>& sample);

/// Oracle 3: the scalar reference gives the same scores for a sample.
void check_sample(const Workload& work, const Scoring& scoring, const std::vector<Pair>& sample,
                  const Scores& scores, Crew& crew, protocol::Check& check);

/// Oracle 4: 32 hex digits over the scores of the first `subjects` and their places, the same on
/// every device that is right.
std::string digest(const Scores& scores, std::int64_t subjects);

}  // namespace rackproof::align
