#include "benches/align/sequences.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/align/sequences.hpp"

using namespace rackproof::align;

TEST_CASE("sequences lie one behind the other and know their names and lengths") {
  Sequences all;
  CHECK(all.size() == 0);
  CHECK(all.longest() == 0);
  all.add(residues("ARND"), "first");
  all.add(residues("W"), "second");
  CHECK(all.size() == 2);
  CHECK(all.total() == 5);
  CHECK(all.length(1) == 1);
  CHECK(all.longest() == 4);
  CHECK(all.text(0, Alphabet::kProtein) == "ARND");
  CHECK(all.name(1) == "second");
  Sequences nameless;
  nameless.add(residues("AC"));
  CHECK(nameless.name(0) == "0");
}

TEST_CASE("each sequence is turned round where it lies, and twice is what it was") {
  Sequences all;
  all.add(residues("ARND"));
  all.add(residues("CQE"));
  const std::vector<Residue> before = all.residues;
  reverse_each(all);
  CHECK(all.text(0, Alphabet::kProtein) == "DNRA");
  CHECK(all.text(1, Alphabet::kProtein) == "EQC");
  reverse_each(all);
  CHECK(all.residues == before);
}
