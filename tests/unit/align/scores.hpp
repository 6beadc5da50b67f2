#pragma once

#include <cstdint>

#include "benches/align/measure.hpp"
#include "benches/align/proof.hpp"
#include "benches/align/reference.hpp"

namespace rackproof::align {

/// What an engine makes of all of the work.
inline Scores aligned(const Workload& work, Engine& engine) {
  Scores scores(work.queries.size(), work.database.size());
  engine.load(work);
  for (std::int64_t query = 0; query < work.queries.size(); ++query) {
    (void)engine.align(query, scores.of_query(query));
  }
  return scores;
}

/// How many of them are not those of the reference.
inline std::int64_t wrong(const Workload& work, const Scoring& scoring, const Scores& scores) {
  std::int64_t count = 0;
  for (std::int64_t query = 0; query < work.queries.size(); ++query) {
    for (std::int64_t subject = 0; subject < work.database.size(); ++subject) {
      const std::int32_t want =
          reference_score(scoring, work.queries.at(query), work.database.at(subject));
      count += scores.at(query, subject) == want ? 0 : 1;
    }
  }
  return count;
}

}  // namespace rackproof::align
