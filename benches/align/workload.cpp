#include "benches/align/workload.hpp"

#include <algorithm>
#include <utility>

#include "benches/align/draw.hpp"

namespace rackproof::align {
namespace {

using kit::pattern::key_of;

// Which words of the seed are for what.
enum Purpose : std::uint64_t { kQueries, kLengths, kResidues, kMutants };

constexpr std::int64_t kCopyEach = 2000;
constexpr std::int64_t kMutantEach = 1000;
constexpr std::int64_t kChunk = 256;

Sequences drawn_queries(Alphabet alphabet, std::uint64_t seed, std::int64_t count) {
  const Composition composition(alphabet, false);
  Sequences queries;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    Draw draw(key_of(key_of(seed, kQueries), i));
    std::vector<Residue> query(static_cast<std::size_t>(kQueryLengths[i]));
    composition.fill(draw, query.data(), kQueryLengths[i]);
    queries.add(query);
  }
  return queries;
}

// A piece of a query in which about a fourth of the residues are others, and some are missing or
// new.
std::vector<Residue> mutated_piece(const Sequences& queries, const Composition& composition,
                                   Draw& draw) {
  const auto query = queries.at(draw.below(queries.size()));
  const auto most = static_cast<std::int64_t>(query.size());
  const std::int64_t length = 30 + draw.below(most - 29);
  const std::int64_t begin = draw.below(most - length + 1);
  std::vector<Residue> piece;
  for (std::int64_t i = 0; i < length; ++i) {
    const std::int64_t chance = draw.below(100);
    if (chance < 2) continue;
    const bool other = chance < 27;
    piece.push_back(other ? composition.residue(draw) : query[static_cast<std::size_t>(begin + i)]);
    if (chance >= 98) piece.push_back(composition.residue(draw));
  }
  return piece;
}

// Where a copy lies in its subject: behind so many residues, and before so many.
struct Flanks {
  std::int64_t before = 0;
  std::int64_t after = 0;
};

class Drawing {
 public:
  Drawing(const Matrix& matrix, std::uint64_t seed, std::int64_t subjects, std::int64_t queries)
      : matrix_(matrix),
        seed_(seed),
        subjects_(subjects),
        composition_(matrix.alphabet, true),
        copy_stride_(
            std::min(kCopyEach, subjects / static_cast<std::int64_t>(kQueryLengths.size()))),
        copy_count_(subjects / copy_stride_) {
    work_.queries = drawn_queries(matrix.alphabet, seed, queries);
  }

  Workload made(Crew& crew) {
    set_lengths();
    Sequences& database = work_.database;
    database.residues.resize(static_cast<std::size_t>(database.total()));
    crew.run((subjects_ + kChunk - 1) / kChunk, [&](std::int64_t chunk, int) {
      const std::int64_t end = std::min(subjects_, (chunk + 1) * kChunk);
      for (std::int64_t i = chunk * kChunk; i < end; ++i) fill(i);
    });
    return std::move(work_);
  }

 private:
  // The query that subject `i` is a copy of; -1 for none.
  std::int64_t copied(std::int64_t i) const {
    const std::int64_t copy = i / copy_stride_;
    if (i % copy_stride_ != copy_stride_ / 2 || copy >= copy_count_) return -1;
    return copy % work_.queries.size();
  }
  static bool mutant(std::int64_t i) { return i % kMutantEach == kMutantEach / 4; }

  Draw draw_of(Purpose purpose, std::int64_t i) const {
    return Draw(key_of(key_of(seed_, purpose), static_cast<std::uint64_t>(i)));
  }

  std::vector<Residue> piece(std::int64_t i) const {
    Draw draw = draw_of(kMutants, i);
    return mutated_piece(work_.queries, composition_, draw);
  }

  Flanks flanks(std::int64_t i) const {
    Draw draw = draw_of(kLengths, i);
    return {draw.below(200), draw.below(200)};
  }

  void set_lengths() {
    for (std::int64_t i = 0; i < subjects_; ++i) {
      std::int64_t length = 0;
      if (const std::int64_t query = copied(i); query >= 0) {
        const Flanks around = flanks(i);
        length = around.before + work_.queries.length(query) + around.after;
        if (const auto score = score_of_copy(matrix_, work_.queries.at(query))) {
          work_.copies.push_back({query, i, *score});
        }
      } else if (mutant(i)) {
        length = static_cast<std::int64_t>(piece(i).size());
      } else {
        Draw draw = draw_of(kLengths, i);
        length = draw_length(draw);
      }
      work_.database.offsets.push_back(work_.database.total() + length);
    }
  }

  void fill(std::int64_t i) {
    Residue* const to =
        work_.database.residues.data() + work_.database.offsets[static_cast<std::size_t>(i)];
    if (copied(i) < 0 && mutant(i)) {
      const std::vector<Residue> residues = piece(i);
      std::copy(residues.begin(), residues.end(), to);
      return;
    }
    Draw draw = draw_of(kResidues, i);
    composition_.fill(draw, to, work_.database.length(i));
    if (const std::int64_t query = copied(i); query >= 0) {
      const auto whole = work_.queries.at(query);
      std::copy(whole.begin(), whole.end(), to + flanks(i).before);
    }
  }

  const Matrix& matrix_;
  std::uint64_t seed_;
  std::int64_t subjects_;
  Composition composition_;
  std::int64_t copy_stride_;
  std::int64_t copy_count_;
  Workload work_;
};

}  // namespace

Workload drawn_workload(const Matrix& matrix, std::uint64_t seed, std::int64_t subjects, Crew& crew,
                        std::int64_t queries) {
  return Drawing(matrix, seed, subjects, queries).made(crew);
}

Workload given_workload(const Matrix& matrix, Sequences queries, Sequences database) {
  Workload work;
  work.queries = std::move(queries);
  work.database = std::move(database);
  for (std::int64_t i = 0; i < work.queries.size(); ++i) {
    const auto score = score_of_copy(matrix, work.queries.at(i));
    if (!score) continue;
    work.copies.push_back({i, work.database.size(), *score});
    work.database.add(work.queries.at(i), "copy of query " + work.queries.name(i));
  }
  return work;
}

}  // namespace rackproof::align
