#include "benches/align/proof.hpp"
#include "benches/kit/results.hpp"

#include <catch2/catch.hpp>

#include "benches/align/reference.hpp"
#include "benches/kit/host.hpp"
#include "tests/unit/align/sequences.hpp"

using namespace rackproof;
using namespace rackproof::align;

namespace {

const Scoring& usual() {
  static const Scoring all{matrix_named("BLOSUM62"), {11, 1}};
  return all;
}

Workload work_of_two() {
  Sequences queries;
  queries.add(residues("WCLARND"), "q0");
  queries.add(residues("HHHHWW"), "q1");
  Sequences database;
  Draw draw(1);
  for (int i = 0; i < 20; ++i) database.add(drawn(draw, 30 + i), "s" + std::to_string(i));
  return given_workload(usual().matrix, queries, database);
}

Scores right(const Workload& work) {
  Scores scores(work.queries.size(), work.database.size());
  for (std::int64_t query = 0; query < work.queries.size(); ++query) {
    for (std::int64_t subject = 0; subject < work.database.size(); ++subject) {
      scores.of_query(query)[subject] =
          reference_score(usual(), work.queries.at(query), work.database.at(subject));
    }
  }
  return scores;
}

template <class Look>
protocol::Check checked(Look look) {
  protocol::Check check = kit::check_of("name", "detail");
  look(check);
  kit::decide(check);
  return check;
}

}  // namespace

TEST_CASE("right scores pass each oracle, and each compares something") {
  const Workload work = work_of_two();
  const Scores scores = right(work);
  Crew crew({kit::allowed_cpus().front()});
  const auto sample = draw_sample(work, 3, 3000);
  const protocol::Check checks[] = {
      checked([&](auto& check) { check_copies(work, scores, check); }),
      checked([&](auto& check) { check_written(work, scores, check); }),
      checked([&](auto& check) { check_equal(work, scores, scores, "", check); }),
      checked([&](auto& check) { check_sample(work, usual(), sample, scores, crew, check); }),
  };
  for (const protocol::Check& check : checks) {
    CHECK(check.passed);
    CHECK(check.compared > 0);
    CHECK(check.wrong == 0);
  }
  CHECK(checks[0].compared == 2);
  CHECK(checks[1].compared == 44);
}

TEST_CASE("a check that compared nothing is no proof") {
  CHECK_FALSE(checked([](auto&) {}).passed);
}

TEST_CASE("a wrong score is named with its query, its subject and both scores") {
  const Workload work = work_of_two();
  const Scores scores = right(work);
  Scores other = scores;
  other.of_query(1)[5] += 3;
  const protocol::Check equal =
      checked([&](auto& check) { check_equal(work, scores, other, "pass 2, ", check); });
  CHECK_FALSE(equal.passed);
  CHECK(equal.wrong == 1);
  REQUIRE(equal.first_wrong);
  CHECK(equal.first_wrong->where == "pass 2, query q1 (6 residues), subject s5 (35 residues)");
  CHECK(equal.first_wrong->got == std::to_string(scores.at(1, 5) + 3));
  CHECK(equal.first_wrong->want == std::to_string(scores.at(1, 5)));
}

TEST_CASE("a score that nobody wrote is wrong, though two passes agree about it") {
  const Workload work = work_of_two();
  Scores scores = right(work);
  scores.of_query(0)[7] = kUnwritten;
  const protocol::Check written = checked([&](auto& check) { check_written(work, scores, check); });
  CHECK(written.wrong == 1);
  REQUIRE(written.first_wrong);
  CHECK(written.first_wrong->got == "no score");
  CHECK(written.first_wrong->want == "a score");
  CHECK(checked([&](auto& check) { check_equal(work, scores, scores, "", check); }).wrong == 1);
  scores.forget();
  CHECK(checked([&](auto& check) { check_written(work, scores, check); }).wrong == 44);
}

TEST_CASE("a copy that scores another value is found without an alignment") {
  const Workload work = work_of_two();
  Scores scores = right(work);
  --scores.of_query(0)[work.copies[0].subject];
  CHECK(checked([&](auto& check) { check_copies(work, scores, check); }).wrong == 1);
}

TEST_CASE("a sample has the cells that were asked for, of each query") {
  const Workload work = work_of_two();
  const auto sample = draw_sample(work, 3, 5000);
  CHECK(cells_of(work, sample) >= 5000);
  CHECK(cells_of(work, sample) < 5000 + 2 * 7 * 50);
  std::int64_t of_second = 0;
  for (const Pair& pair : sample) of_second += pair.query;
  CHECK(of_second > 0);
  CHECK(of_second < static_cast<std::int64_t>(sample.size()));
  CHECK(draw_sample(work, 3, 1).size() == 2);
}

TEST_CASE("a sampled score that the reference does not give is found") {
  const Workload work = work_of_two();
  Scores scores = right(work);
  const auto sample = draw_sample(work, 3, 1);
  ++scores.of_query(sample[1].query)[sample[1].subject];
  Crew crew({kit::allowed_cpus().front()});
  CHECK(checked([&](auto& check) {
          check_sample(work, usual(), sample, scores, crew, check);
        }).wrong == 1);
}

TEST_CASE("a digest depends on each score and on its place") {
  Scores scores(2, 3);
  const std::string unwritten = digest(scores, 3);
  CHECK(unwritten.size() == 32);
  CHECK(protocol::is_digest(unwritten));
  scores.of_query(0)[1] = 5;
  scores.of_query(1)[2] = 6;
  const std::string some = digest(scores, 3);
  CHECK(some != unwritten);
  scores.of_query(0)[1] = 6;
  scores.of_query(1)[2] = 5;
  CHECK(digest(scores, 3) != some);
}

TEST_CASE("a digest of the first subjects is that of a smaller database") {
  Scores larger(2, 3);
  Scores smaller(2, 2);
  for (const int query : {0, 1}) {
    for (const int subject : {0, 1}) {
      larger.of_query(query)[subject] = smaller.of_query(query)[subject] = 7 * query + subject;
    }
    larger.of_query(query)[2] = 9;
  }
  CHECK(digest(larger, 2) == digest(smaller, 2));
  CHECK(digest(larger, 2) == digest(smaller, 9));
  CHECK(digest(larger, 3) != digest(smaller, 2));
}
