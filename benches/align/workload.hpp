#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "benches/align/crew.hpp"
#include "benches/align/scoring.hpp"
#include "benches/align/sequences.hpp"

namespace rackproof::align {

/// A subject that holds a whole query: what it scores is known without aligning.
struct Copy {
  std::int64_t query = 0;
  std::int64_t subject = 0;
  std::int32_t score = 0;
};

/// All of the database is aligned with all of the queries.
struct Workload {
  Sequences queries;
  Sequences database;
  std::vector<Copy> copies;

  /// Cells of one query against the whole database, and of all of them.
  double cells(std::int64_t query) const {
    return static_cast<double>(queries.length(query)) * static_cast<double>(database.total());
  }
  double cells() const {
    return static_cast<double>(queries.total()) * static_cast<double>(database.total());
  }
};

/// Residues of the queries that are drawn: lengths that published rates are given for.
inline constexpr std::array<std::int64_t, 8> kQueryLengths = {144,  222,  375,  729,
                                                              1500, 2504, 3564, 5478};
inline constexpr std::int64_t kDrawnQueries = kQueryLengths.size();
inline constexpr std::int64_t kLeastSubjects = 64;

/// Subjects that a machine draws at least where nobody says how many.
inline constexpr std::int64_t kFewestDrawn = 16384;

/// Queries and database out of a seed, the same for any number of threads; of a larger database the
/// first subjects are those of a smaller one, from `kFewestDrawn` on. Among the subjects are
/// whole copies of queries within random residues, one for each query and for each 2000 subjects at
/// least; and each thousandth is a mutated piece of a query. The shortest `queries` of them alone
/// are drawn.
Workload drawn_workload(const Matrix& matrix, std::uint64_t seed, std::int64_t subjects, Crew& crew,
                        std::int64_t queries = kDrawnQueries);

/// Queries and database of files: a copy of each query is put behind the subjects where its score
/// is known.
Workload given_workload(const Matrix& matrix, Sequences queries, Sequences database);

}  // namespace rackproof::align
