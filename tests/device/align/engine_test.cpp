#include "benches/align/cuda_engine.hpp"
#include "benches/kit/results.hpp"

#include <catch2/catch.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "benches/kit/errors.hpp"
#include "benches/kit/host.hpp"
#include "tests/unit/align/scores.hpp"
#include "tests/unit/align/sequences.hpp"

using namespace rackproof;
using namespace rackproof::align;
namespace cuda = kit::cuda;

namespace {

// Each block of a played device computes whole tiles: sequences are as short as they can be.
struct Bench {
  cuda::Device device = cuda::select("");
  Crew crew{{kit::allowed_cpus().front()}};

  CudaEngine engine(const Scoring& scoring, const std::string& way, Fault fault = Fault::kNone) {
    return {device, way, scoring, fault, crew};
  }
  std::int64_t wrong_with(const Scoring& scoring, const Workload& work, const std::string& way) {
    CudaEngine on = engine(scoring, way);
    return wrong(work, scoring, aligned(work, on));
  }
};

const Scoring kUsual{matrix_named("BLOSUM62"), {11, 1}};

// A block of pairs and some more, the last of them without a second subject.
void add_subjects(Workload& work, Draw& draw, std::int64_t count, std::int64_t longest,
                  Alphabet alphabet = Alphabet::kProtein) {
  for (std::int64_t i = 0; i < count; ++i) {
    work.database.add(drawn(draw, 1 + draw.below(longest), alphabet));
  }
}

// A subject that is nearly a part of a query, so that its alignment goes through all of it.
void add_kin(Workload& work, Draw& draw, std::span<const Residue> part) {
  std::vector<Residue> kin = drawn(draw, 5);
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (i % 19 == 3) continue;
    kin.push_back(part[i]);
    if (i % 23 == 5) kin.insert(kin.end(), 2, part[i]);
  }
  work.database.add(kin);
}

// A base again and again, and pieces of it: scores up to and over what 16 bits hold.
Workload large_scores(std::int64_t longest) {
  Workload work;
  const std::vector<Residue> base(static_cast<std::size_t>(longest), Residue{0});
  REQUIRE(longest >= 335);
  // Another stream is the first one's.
  work.queries.add({base.data(), 335});
  work.queries.add(base);
  for (const std::size_t length : {321U, 326U, 327U, 328U, 329U, 335U, 12U}) {
    work.database.add({base.data(), length});
  }
  return work;
}

}  // namespace

TEST_CASE("each tile gives every score of the reference, with one strip and with several") {
  Bench bench;
  for (const Way& way : ways_for(kUsual)) {
    CAPTURE(name_of(way));
    Draw draw(3);
    Workload work;
    const std::int64_t width = way.tile.width();
    for (const std::int64_t length : {std::int64_t{1}, width, 2 * width + 3}) {
      work.queries.add(drawn(draw, length));
    }
    add_subjects(work, draw, 2 * pairs_of_block(way.tile) + 1, 21);
    // Across the columns of several lanes, and from strip to strip.
    add_kin(work, draw, work.queries.at(1).first(60));
    const auto several = work.queries.at(2);
    add_kin(work, draw, several.subspan(static_cast<std::size_t>(width) - 25, 50));
    add_kin(work, draw, several.last(40));
    add_subjects(work, draw, 1, 5);
    REQUIRE(work.database.size() % 2 == 1);
    REQUIRE(work.database.size() > 2 * pairs_of_block(way.tile));
    CHECK(bench.wrong_with(kUsual, work, name_of(way)) == 0);
  }
}

TEST_CASE("an alignment goes on from strip to strip") {
  Bench bench;
  Draw draw(4);
  Workload work;
  work.queries.add(drawn(draw, 270));
  add_kin(work, draw, work.queries.at(0));
  add_kin(work, draw, work.queries.at(0));
  add_subjects(work, draw, 3, 40);
  for (const std::string way :
       {"4x16-bytes", "4x16-words", "4x16-bytes-half2", "4x16-words-half2"}) {
    CAPTURE(way);
    CHECK(bench.wrong_with(kUsual, work, way) == 0);
  }
}

TEST_CASE("what does not fit into 16 bits is computed again in 32") {
  Bench bench;
  // With BLAST's 11,1 a match of 100 still fits into a byte.
  const Scoring scoring{dna_matrix(100, -3), {11, 1}};
  const Numbers numbers = numbers_of(scoring, Arithmetic::kIntegers);
  REQUIRE(numbers.bytes);
  const std::int32_t most = numbers.most - numbers.base;
  for (const std::string way : {"4x16-bytes", "16x32-words"}) {
    CAPTURE(way);
    // The longer query takes three strips in 32 bits.
    const Workload work = large_scores(way == "4x16-bytes" ? 340 : 1040);
    CudaEngine engine = bench.engine(scoring, way);
    const Scores scores = aligned(work, engine);
    CHECK(wrong(work, scoring, scores) == 0);
    std::int64_t larger = 0;
    for (const std::int32_t score : scores.values()) larger += score > most ? 1 : 0;
    CHECK(larger > 0);
    CHECK(engine.again_in32() == larger);
    CHECK(std::get<std::int64_t>(engine.facts().at("again_in_32_bits")) == larger);
  }
}

TEST_CASE("what floating point does not hold exactly is computed again in 32 bits") {
  Bench bench;
  Draw draw(5);
  // Copies of a base that are worth 2,047, which fits, 2,048, which may be more, and so on.
  for (const auto& [match, fits] : {std::pair{23, 89}, {64, 31}}) {
    CAPTURE(match);
    const Scoring scoring{dna_matrix(match, -3), {11, 1}};
    Workload work;
    work.queries.add(std::vector<Residue>(static_cast<std::size_t>(fits) + 40, Residue{0}));
    for (const int length : {fits - 1, fits, fits + 1, fits + 2, fits + 39, 5, 1}) {
      work.database.add(std::vector<Residue>(static_cast<std::size_t>(length), Residue{0}));
    }
    add_subjects(work, draw, 4, 30, Alphabet::kDna);
    for (const std::string way : {"4x16-bytes-half2", "8x20-words-half2"}) {
      CAPTURE(way);
      CudaEngine engine = bench.engine(scoring, way);
      CHECK(wrong(work, scoring, aligned(work, engine)) == 0);
      CHECK(engine.again_in32() == 3);
    }
  }
}

TEST_CASE("scores of any matrix and gap are right where a table of words can hold them") {
  Bench bench;
  Draw draw(6);
  Workload work;
  work.queries.add(drawn(draw, 70));
  add_kin(work, draw, work.queries.at(0));
  add_subjects(work, draw, 20, 30);
  for (const Scoring& scoring :
       {Scoring{matrix_named("PAM30"), {9, 1}}, Scoring{matrix_named("BLOSUM62"), {1, 1}},
        Scoring{matrix_named("BLOSUM62"), {1000, 1000}},
        Scoring{matrix_named("PAM250"), {3, 20}}}) {
    CAPTURE(scoring.matrix.name, scoring.gap.existence, scoring.gap.extension);
    CHECK(bench.wrong_with(scoring, work, "4x16-words") == 0);
    CHECK(bench.wrong_with(scoring, work, "4x16-words-half2") == 0);
    if (numbers_of(scoring, Arithmetic::kIntegers).bytes) continue;
    CHECK_THROWS_AS(bench.engine(scoring, "4x16-bytes"), kit::UsageError);
    CHECK_THROWS_AS(bench.engine(scoring, "4x16-bytes-half2"), kit::UsageError);
  }
  const Scoring much{dna_matrix(100, -1), {1000, 1000}};
  CHECK_THROWS_AS(bench.engine(much, "4x16-words-half2"), kit::UsageError);
}

TEST_CASE("DNA is aligned like proteins") {
  Bench bench;
  Draw draw(7);
  const Scoring scoring{dna_matrix(2, -3), {5, 2}};
  Workload work;
  work.queries.add(drawn(draw, 100, Alphabet::kDna));
  add_subjects(work, draw, 30, 60, Alphabet::kDna);
  work.database.add(work.queries.at(0));
  CHECK(bench.wrong_with(scoring, work, "4x16-bytes") == 0);
  CHECK(bench.wrong_with(scoring, work, "4x16-bytes-half2") == 0);
}

TEST_CASE("a way is chosen for each query, and what is loaded anew is what is aligned") {
  Bench bench;
  Draw draw(8);
  Workload work;
  work.queries.add(drawn(draw, 9));
  work.queries.add(drawn(draw, 30));
  add_subjects(work, draw, 12, 10);
  CudaEngine engine = bench.engine(kUsual, "");
  const Scores scores = aligned(work, engine);
  CHECK(wrong(work, kUsual, scores) == 0);
  REQUIRE(engine.ways().size() == 2);
  const std::string tiles = std::get<std::string>(engine.facts().at("tiles"));
  CHECK(tiles == "9: " + name_of(engine.ways()[0]) + ", 30: " + name_of(engine.ways()[1]));
  const std::vector<Engine::Choice> choices = engine.choices();
  REQUIRE(choices.size() == 2);
  CHECK(choices[0].text.find("query of 9 residues") == 0);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    CHECK(choices[i].rates.size() == way_names().size());
    CHECK(std::get<double>(choices[i].rates.at(name_of(engine.ways()[i]))) > 0);
  }
  reverse_each(work.queries);
  reverse_each(work.database);
  CHECK(aligned(work, engine).values() == scores.values());
}

TEST_CASE("each fault makes scores wrong, and a lost block none at all") {
  Bench bench;
  Draw draw(9);
  Workload work;
  work.queries.add(drawn(draw, 40));
  work.queries.add(drawn(draw, 30));
  add_subjects(work, draw, 70, 12);
  for (std::int64_t query = 0; query < 2; ++query) {
    work.copies.push_back(
        {query, work.database.size(), *score_of_copy(kUsual.matrix, work.queries.at(query))});
    work.database.add(work.queries.at(query));
  }
  const auto scores_with = [&](Fault fault) {
    CudaEngine engine = bench.engine(kUsual, "4x16-bytes", fault);
    return aligned(work, engine);
  };
  const Scores right = scores_with(Fault::kNone);
  CHECK(wrong(work, kUsual, right) == 0);
  CHECK(scores_with(Fault::kTable).values() != right.values());
  CHECK(scores_with(Fault::kStop).values() != right.values());
  CHECK(scores_with(Fault::kLetter).values() != right.values());
  const Scores lost = scores_with(Fault::kTile);
  const std::int64_t copy = work.copies.front().subject;
  CHECK(lost.at(0, copy) == kUnwritten);
  CHECK(lost.at(1, copy) == right.at(1, copy));
  std::int64_t missing = 0;
  for (const std::int32_t score : lost.values()) missing += score == kUnwritten ? 1 : 0;
  CHECK(missing == 64);
}

TEST_CASE("a letter that is another in the memory of the device is named") {
  Bench bench;
  Draw draw(10);
  Workload work;
  work.queries.add(drawn(draw, 20));
  add_subjects(work, draw, 5, 30);
  protocol::Check right = kit::check_of("align.memory", "");
  CudaEngine engine = bench.engine(kUsual, "4x16-bytes");
  (void)aligned(work, engine);
  engine.check_memory(right);
  CHECK(right.compared > 0);
  CHECK(right.wrong == 0);
  protocol::Check check = kit::check_of("align.memory", "");
  CudaEngine faulty = bench.engine(kUsual, "4x16-bytes", Fault::kLetter);
  (void)aligned(work, faulty);
  faulty.check_memory(check);
  CHECK(check.wrong == 1);
  REQUIRE(check.first_wrong.has_value());
  CHECK(check.first_wrong->where.find("subject 0 (") == 0);
  CHECK(check.first_wrong->where.find("residue 0 in the memory of the device") !=
        std::string::npos);
  CHECK(check.first_wrong->want == std::string(1, work.database.text(0, Alphabet::kProtein)[0]));
  CHECK(check.first_wrong->got != check.first_wrong->want);
}

TEST_CASE("what lies on the device is at most one and a half times the database") {
  Bench bench;
  const Workload work = drawn_workload(kUsual.matrix, 1, 40'000, bench.crew, 4);
  for (const std::string way : {"8x32-bytes", "16x32-words"}) {
    CudaEngine engine = bench.engine(kUsual, way);
    engine.load(work);
    CHECK(engine.device_bytes() > work.database.total());
    CHECK(static_cast<double>(engine.device_bytes()) <
          1.5 * static_cast<double>(work.database.total()));
  }
}
