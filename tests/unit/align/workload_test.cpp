#include "benches/align/workload.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "benches/align/reference.hpp"
#include "benches/kit/host.hpp"
#include "tests/unit/align/sequences.hpp"

using namespace rackproof;
using namespace rackproof::align;

namespace {

Workload drawn_of(std::uint64_t seed, std::int64_t subjects, int threads,
                  const Matrix& matrix = matrix_named("BLOSUM62")) {
  Crew crew(std::vector<int>(static_cast<std::size_t>(threads), kit::allowed_cpus().front()));
  return drawn_workload(matrix, seed, subjects, crew);
}

}  // namespace

TEST_CASE("a workload depends on its seed alone, not on who draws it") {
  const Workload one = drawn_of(3, 5000, 1);
  const Workload three = drawn_of(3, 5000, 3);
  CHECK(one.database.residues == three.database.residues);
  CHECK(one.database.offsets == three.database.offsets);
  CHECK(one.queries.residues == three.queries.residues);
  CHECK(one.database.residues != drawn_of(4, 5000, 1).database.residues);
}

TEST_CASE("a larger workload begins with a smaller one") {
  const Workload few = drawn_of(3, kFewestDrawn, 1);
  const Workload more = drawn_of(3, 2 * kFewestDrawn + 77, 1);
  REQUIRE(few.database.size() == kFewestDrawn);
  CHECK(std::equal(few.database.offsets.begin(), few.database.offsets.end(),
                   more.database.offsets.begin()));
  CHECK(std::equal(few.database.residues.begin(), few.database.residues.end(),
                   more.database.residues.begin()));
}

TEST_CASE("a workload has the queries, the subjects and the mean length that it says") {
  const Workload work = drawn_of(1, 20'000, 1);
  REQUIRE(work.queries.size() == 8);
  for (std::int64_t i = 0; i < 8; ++i)
    CHECK(work.queries.length(i) == kQueryLengths[static_cast<std::size_t>(i)]);
  CHECK(work.database.size() == 20'000);
  CHECK(static_cast<double>(work.database.total()) / 20'000 == Approx(360).margin(10));
  CHECK(work.cells() ==
        static_cast<double>(work.queries.total()) * static_cast<double>(work.database.total()));
  CHECK(work.cells(0) == 144.0 * static_cast<double>(work.database.total()));
}

TEST_CASE("fewer queries are the shortest, and copies are of those") {
  Crew crew({kit::allowed_cpus().front()});
  const Workload work = drawn_workload(matrix_named("BLOSUM62"), 1, kLeastSubjects, crew, 2);
  REQUIRE(work.queries.size() == 2);
  CHECK(work.queries.longest() == kQueryLengths[1]);
  REQUIRE(work.copies.size() == 8);
  for (const Copy& copy : work.copies) CHECK(copy.query < 2);
  CHECK(work.database.longest() < 2000);
}

TEST_CASE("each query has a copy among the subjects, which scores what is said of it") {
  const Scoring scoring{matrix_named("BLOSUM62"), {11, 1}};
  for (const std::int64_t subjects : {kLeastSubjects, std::int64_t{1000}}) {
    const Workload work = drawn_of(9, subjects, 1);
    REQUIRE(work.copies.size() == 8);
    for (const Copy& copy : work.copies) {
      if (work.queries.length(copy.query) > 1000) continue;
      CHECK(reference_score(scoring, work.queries.at(copy.query), work.database.at(copy.subject)) ==
            copy.score);
    }
  }
  CHECK(drawn_of(9, 40'000, 1).copies.size() == 20);
}

TEST_CASE("each thousandth subject is so like a query that no drawn one is") {
  const Scoring scoring{matrix_named("BLOSUM62"), {11, 1}};
  const Workload work = drawn_of(2, 3000, 1);
  for (const std::int64_t subject : {250, 1250, 2250}) {
    std::int32_t most = 0;
    std::int32_t other = 0;
    for (std::int64_t query = 0; query < work.queries.size(); ++query) {
      most = std::max(most,
                      reference_score(scoring, work.queries.at(query), work.database.at(subject)));
      other = std::max(
          other, reference_score(scoring, work.queries.at(query), work.database.at(subject + 1)));
    }
    // 30 residues at least, of which three fourths match.
    CHECK(most > 60);
    CHECK(most > other);
  }
}

TEST_CASE("a workload of DNA has bases alone") {
  const Workload work = drawn_of(1, 100, 1, dna_matrix(2, -3));
  for (const Residue residue : work.database.residues) REQUIRE(residue <= 4);
  CHECK(work.copies.front().score == 2 * 144);
}

TEST_CASE("given sequences get a copy of each query whose score is known") {
  Sequences queries;
  queries.add(residues("WCL"), "known");
  queries.add(residues("WXL"), "unknown");
  Sequences database;
  database.add(residues("AAAA"), "subject");
  const Workload work = given_workload(matrix_named("BLOSUM62"), queries, database);
  REQUIRE(work.copies.size() == 1);
  CHECK(work.copies[0].score == 24);
  CHECK(work.copies[0].subject == 1);
  CHECK(work.database.name(1) == "copy of query known");
  CHECK(work.database.text(1, Alphabet::kProtein) == "WCL");
}
