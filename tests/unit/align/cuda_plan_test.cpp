#include "benches/align/cuda_plan.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "benches/kit/host.hpp"
#include "tests/unit/align/sequences.hpp"

using namespace rackproof;
using namespace rackproof::align;

namespace {

std::vector<std::uint16_t> rows_of(const Packed& packed, const Sequences& database,
                                   std::int64_t first, std::int64_t end,
                                   Alphabet alphabet = Alphabet::kProtein) {
  const int cpu = kit::allowed_cpus().front();
  Crew crew({cpu, cpu});
  const std::int64_t count =
      packed.begins[static_cast<std::size_t>(end)] - packed.begins[static_cast<std::size_t>(first)];
  std::vector<std::uint16_t> rows(static_cast<std::size_t>(count));
  pack_rows(database, alphabet, packed, first, end, rows.data(), crew);
  return rows;
}

// The letters of the subject at a place, without what is behind its end.
std::vector<Residue> letters_at(const Packed& packed, const std::vector<std::uint16_t>& rows,
                                std::size_t place, Residue padding) {
  std::vector<Residue> letters;
  for (std::int64_t row = packed.begins[place / 2]; row < packed.begins[place / 2 + 1]; ++row) {
    const unsigned both = rows[static_cast<std::size_t>(row)];
    const auto letter = static_cast<Residue>(both >> (place % 2 * 8) & 0xFFU);
    if (letter != padding) letters.push_back(letter);
  }
  return letters;
}

}  // namespace

TEST_CASE("a packed database has every letter once, in pairs of falling length") {
  Sequences database;
  Draw draw(1);
  for (int i = 0; i < 601; ++i) database.add(drawn(draw, 1 + draw.below(90)));
  const Packed made = pack(database);
  REQUIRE(made.pairs() == 301);
  const std::vector<std::uint16_t> rows = rows_of(made, database, 0, 301);
  REQUIRE(made.subjects.size() == 602);
  CHECK(made.subjects.back() == -1);
  CHECK(made.rows() == static_cast<std::int64_t>(rows.size()));
  CHECK(made.longest() == made.begins[1]);
  std::set<std::int32_t> seen;
  std::int64_t before = database.longest();
  for (std::size_t place = 0; place < 601; ++place) {
    const std::int32_t subject = made.subjects[place];
    CHECK(seen.insert(subject).second);
    CHECK(database.length(subject) <= before);
    // Equal ones as they were.
    if (place > 0 && database.length(subject) == before) {
      CHECK(subject > made.subjects[place - 1]);
    }
    before = database.length(subject);
    const auto want = database.at(subject);
    REQUIRE(letters_at(made, rows, place, 21) == std::vector<Residue>(want.begin(), want.end()));
  }
  CHECK(letters_at(made, rows, 601, 21).empty());
  for (std::size_t pair = 0; pair < 301; ++pair) {
    const std::int64_t count = made.begins[pair + 1] - made.begins[pair];
    CHECK(count % kRowsTogether == 0);
    CHECK(count - database.length(made.subjects[2 * pair]) < kRowsTogether);
  }
}

TEST_CASE("pieces of a packed database are those of the whole") {
  Sequences database;
  Draw draw(2);
  for (int i = 0; i < 1201; ++i) database.add(drawn(draw, 1 + draw.below(30)));
  const Packed made = pack(database);
  const std::vector<std::uint16_t> all = rows_of(made, database, 0, made.pairs());
  std::vector<std::uint16_t> joined;
  for (const auto& [first, end] : {std::pair{0, 1}, {1, 300}, {300, 601}}) {
    const std::vector<std::uint16_t> piece = rows_of(made, database, first, end);
    joined.insert(joined.end(), piece.begin(), piece.end());
  }
  CHECK(joined == all);
  CHECK(pack({}).longest() == 0);
}

TEST_CASE("behind the end of DNA is what is no base") {
  Sequences database;
  database.add(residues("ACGTN", Alphabet::kDna));
  const Packed made = pack(database);
  const std::vector<std::uint16_t> want = {0x500, 0x501, 0x502, 0x503, 0x504, 0x505, 0x505, 0x505};
  CHECK(rows_of(made, database, 0, 1, Alphabet::kDna) == want);
}

TEST_CASE("numbers are such that no cell is less than nothing, and no byte more than it holds") {
  const auto integers = [](const Scoring& scoring) {
    return numbers_of(scoring, Arithmetic::kIntegers);
  };
  const Numbers usual = integers({matrix_named("BLOSUM62"), {11, 1}});
  CHECK(usual.first == 12);
  CHECK(usual.next == 1);
  CHECK(usual.base == 12);
  CHECK(usual.most == 32767 - 11);
  CHECK(usual.words);
  CHECK(usual.bytes);
  // A residue costs up to 17 and a gap 10.
  const Numbers harsh = integers({matrix_named("PAM30"), {9, 1}});
  CHECK(harsh.base == 17);
  CHECK(!harsh.bytes);
  const Numbers dear = integers({matrix_named("BLOSUM62"), {1000, 1000}});
  CHECK(dear.base == 2000);
  CHECK(dear.words);
  CHECK(!dear.bytes);
  CHECK(integers({dna_matrix(115, -12), {11, 1}}).bytes);
  CHECK(!integers({dna_matrix(116, -12), {11, 1}}).bytes);
  CHECK(!integers({dna_matrix(115, -13), {11, 1}}).bytes);
}

TEST_CASE("numbers in floating point are exact, and begin at nothing") {
  const auto halves = [](const Scoring& scoring) {
    return numbers_of(scoring, Arithmetic::kHalves);
  };
  const Numbers usual = halves({matrix_named("BLOSUM62"), {11, 1}});
  CHECK(usual.first == 12);
  CHECK(usual.base == 0);
  CHECK(usual.most == 2047);
  CHECK(usual.words);
  CHECK(usual.bytes);
  CHECK(!halves({matrix_named("PAM30"), {9, 1}}).bytes);
  // A score and a gap together have to be exact too: 2,047 is, 2,048 may be more.
  CHECK(halves({dna_matrix(47, -1), {1000, 1000}}).words);
  CHECK(!halves({dna_matrix(48, -1), {1000, 1000}}).words);
}

TEST_CASE("ways have names of their own, and words of integers can compute with anything") {
  const std::vector<std::string> names = way_names();
  CHECK(std::set<std::string>(names.begin(), names.end()).size() == 5 * kTiles.size() - 1);
  CHECK(names.front() == "4x16-bytes");
  CHECK(names[2] == "4x16-bytes-half2");
  CHECK(names[5] == "8x20-mixed");
  CHECK(ways_for({matrix_named("BLOSUM62"), {11, 1}}).size() == names.size());
  const std::vector<Way> harsh = ways_for({matrix_named("PAM30"), {9, 1}});
  CHECK(harsh.size() == 2 * kTiles.size());
  for (const Way& way : harsh) CHECK(way.table == Table::kWords);
  const std::vector<Way> dear = ways_for({dna_matrix(48, -1), {1000, 1000}});
  CHECK(dear.size() == kTiles.size());
  for (const Way& way : dear) {
    CHECK(way.table == Table::kWords);
    CHECK(way.arithmetic == Arithmetic::kIntegers);
  }
}

TEST_CASE("another word in any place gives another digest") {
  CHECK(digest_of(1, 0) != digest_of(2, 0));
  CHECK(digest_of(1, 0) != digest_of(1, 1));
  // What changes places changes the sum.
  CHECK(digest_of(5, 0) + digest_of(9, 1) != digest_of(9, 0) + digest_of(5, 1));
}

TEST_CASE("batches are whole blocks with no more rows than there are edges") {
  const Tile tile{16, 32};
  REQUIRE(pairs_of_block(tile) == 8);
  std::vector<std::int64_t> begins = {0};
  for (int i = 0; i < 35; ++i) begins.push_back(begins.back() + 400 - 10 * i);
  const auto rows = [&](const Batch& batch) {
    return begins[static_cast<std::size_t>(batch.end)] -
           begins[static_cast<std::size_t>(batch.first)];
  };
  const std::vector<Batch> batches = batches_of(begins, {0, 35}, tile, 5000);
  REQUIRE(batches.size() == 3);
  std::int64_t next = 0;
  for (const Batch& batch : batches) {
    CHECK(batch.first == next);
    CHECK((batch.end == 35 || (batch.end - batch.first) % 8 == 0));
    CHECK(rows(batch) <= 5000);
    next = batch.end;
  }
  CHECK(next == 35);
  // One block is as many as it takes.
  CHECK(batches_of(begins, {0, 35}, tile, 1).size() == 5);
  CHECK(batches_of(begins, {8, 24}, tile, 100'000).size() == 1);
  CHECK(batches_of(begins, {8, 8}, tile, 100'000).empty());
}
