#include "benches/align/cuda_plan.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "benches/kit/host.hpp"
#include "tests/unit/align/sequences.hpp"

using namespace rackproof;
using namespace rackproof::align;

namespace {

Packed packed(const Sequences& database, Alphabet alphabet = Alphabet::kProtein) {
  const int cpu = kit::allowed_cpus().front();
  Crew crew({cpu, cpu});
  return pack(database, alphabet, crew);
}

// The letters of the subject at a place, without what is behind its end.
std::vector<Residue> letters_at(const Packed& packed, std::size_t place, Residue padding) {
  std::vector<Residue> letters;
  for (std::int64_t row = packed.begins[place / 2]; row < packed.begins[place / 2 + 1]; ++row) {
    const unsigned both = packed.rows[static_cast<std::size_t>(row)];
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
  const Packed made = packed(database);
  REQUIRE(made.pairs() == 301);
  REQUIRE(made.subjects.size() == 602);
  CHECK(made.subjects.back() == -1);
  CHECK(made.begins.back() == static_cast<std::int64_t>(made.rows.size()));
  std::set<std::int32_t> seen;
  std::int64_t before = database.longest();
  for (std::size_t place = 0; place < 601; ++place) {
    const std::int32_t subject = made.subjects[place];
    CHECK(seen.insert(subject).second);
    CHECK(database.length(subject) <= before);
    before = database.length(subject);
    const auto want = database.at(subject);
    REQUIRE(letters_at(made, place, 21) == std::vector<Residue>(want.begin(), want.end()));
  }
  CHECK(letters_at(made, 601, 21).empty());
  for (std::size_t pair = 0; pair < 301; ++pair) {
    const std::int64_t rows = made.begins[pair + 1] - made.begins[pair];
    CHECK(rows % kRowsTogether == 0);
    CHECK(rows - database.length(made.subjects[2 * pair]) < kRowsTogether);
  }
}

TEST_CASE("behind the end of DNA is what is no base") {
  Sequences database;
  database.add(residues("ACGTN", Alphabet::kDna));
  const Packed made = packed(database, Alphabet::kDna);
  const std::vector<std::uint16_t> want = {0x500, 0x501, 0x502, 0x503, 0x504, 0x505, 0x505, 0x505};
  CHECK(made.rows == want);
}

TEST_CASE("numbers are such that no cell is less than nothing, and no byte more than it holds") {
  const Numbers usual = numbers_of({matrix_named("BLOSUM62"), {11, 1}});
  CHECK(usual.first == 12);
  CHECK(usual.next == 1);
  CHECK(usual.base == 12);
  CHECK(usual.most == 32767 - 11);
  CHECK(usual.bytes);
  // A residue costs up to 17 and a gap 10.
  const Numbers harsh = numbers_of({matrix_named("PAM30"), {9, 1}});
  CHECK(harsh.base == 17);
  CHECK(!harsh.bytes);
  const Numbers dear = numbers_of({matrix_named("BLOSUM62"), {1000, 1000}});
  CHECK(dear.base == 2000);
  CHECK(!dear.bytes);
  CHECK(numbers_of({dna_matrix(115, -12), {11, 1}}).bytes);
  CHECK(!numbers_of({dna_matrix(116, -12), {11, 1}}).bytes);
  CHECK(!numbers_of({dna_matrix(115, -13), {11, 1}}).bytes);
}

TEST_CASE("ways have names of their own, and words can compute with anything") {
  const std::vector<std::string> names = way_names();
  CHECK(std::set<std::string>(names.begin(), names.end()).size() == 3 * kTiles.size() - 1);
  CHECK(names.front() == "4x16-bytes");
  CHECK(names[3] == "8x20-mixed");
  CHECK(ways_for({}).size() == kTiles.size());
  for (const Way& way : ways_for({})) CHECK(way.table == Table::kWords);
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
