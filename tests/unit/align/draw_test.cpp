#include "benches/align/draw.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

using namespace rackproof::align;

TEST_CASE("lengths are drawn in integers alone: these, on every machine") {
  Draw draw(7);
  std::vector<std::int64_t> lengths;
  for (int i = 0; i < 8; ++i) lengths.push_back(draw_length(draw));
  CHECK(lengths == std::vector<std::int64_t>{250, 87, 459, 175, 446, 472, 518, 183});
}

TEST_CASE("lengths have the median and the mean of those of proteins") {
  Draw draw(11);
  constexpr int kCount = 200'000;
  double sum = 0;
  int below = 0;
  double squares = 0;
  for (int i = 0; i < kCount; ++i) {
    const auto length = static_cast<double>(draw_length(draw));
    REQUIRE(length >= 1);
    sum += length;
    below += length < 294 ? 1 : 0;
    squares += std::pow(std::log(length / 294), 2);
  }
  // Five standard errors: of the mean 0.57, of the share 0.0011.
  CHECK(sum / kCount == Approx(360).margin(3));
  CHECK(static_cast<double>(below) / kCount == Approx(0.5).margin(0.006));
  CHECK(std::sqrt(squares / kCount) == Approx(0.6364).margin(0.006));
}

TEST_CASE("residues are as frequent as they should be") {
  const Composition proteins(Alphabet::kProtein, true);
  std::vector<int> counts(21);
  for (int word = 0; word < 65536; ++word)
    ++counts[proteins.residue(static_cast<std::uint16_t>(word))];
  // A, W and L by Robinson and Robinson; X as documented.
  CHECK(counts[0] == Approx(65536 * 0.07805).margin(4));
  CHECK(counts[17] == Approx(65536 * 0.01330).margin(2));
  CHECK(counts[10] == Approx(65536 * 0.09019).margin(6));
  CHECK(counts[20] == 32);
  const Composition bases(Alphabet::kDna, false);
  std::vector<int> four(5);
  for (int word = 0; word < 65536; ++word) ++four[bases.residue(static_cast<std::uint16_t>(word))];
  CHECK(four == std::vector<int>{16384, 16384, 16384, 16384, 0});
}
