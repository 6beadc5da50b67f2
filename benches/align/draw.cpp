#include "benches/align/draw.hpp"

#include <algorithm>
#include <array>

namespace rackproof::align {
namespace {

constexpr std::size_t kWords = std::size_t{1} << 16;
constexpr std::size_t kUnknowns = 32;

// Of 100,000 residues, in the order of letters_of(kProtein): A. B. Robinson and L. R. Robinson,
// Proc. Natl. Acad. Sci. USA 88 (1991), 8880-8884, as NCBI's BLAST has them.
constexpr std::array<std::int64_t, 20> kAminoAcids = {7805, 5129, 4487, 5364, 1925, 4264, 6295,
                                                      7377, 2199, 5142, 9019, 5744, 2243, 3856,
                                                      5203, 7120, 5841, 1330, 3216, 6441};
constexpr std::array<std::int64_t, 4> kBases = {1, 1, 1, 1};

// The integer part of a square root.
constexpr std::uint64_t root(std::uint64_t square) {
  std::uint64_t found = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 31U; bit > 0; bit >>= 1U) {
    const std::uint64_t tried = found | bit;
    if (tried * tried <= square) found = tried;
  }
  return found;
}

constexpr unsigned kFraction = 30;

// 2 to the power of 1/2, 1/4, ..., each with kFraction binary places.
constexpr std::array<std::uint64_t, 16> powers() {
  std::array<std::uint64_t, 16> all{};
  std::uint64_t power = std::uint64_t{2} << kFraction;
  for (std::uint64_t& one : all) {
    power = root(power << kFraction);
    one = power;
  }
  return all;
}

// `factor` times 2 to the power of `exponent`, which has 16 binary places.
std::int64_t scaled(std::int64_t factor, std::int64_t exponent) {
  static constexpr std::array<std::uint64_t, 16> kPowers = powers();
  const std::int64_t whole = exponent >> 16U;
  std::uint64_t value = static_cast<std::uint64_t>(factor) << 16U;
  for (unsigned place = 0; place < kPowers.size(); ++place) {
    if (((exponent >> (15U - place)) & 1) != 0)
      value = (value * (kPowers[place] >> 2U)) >> (kFraction - 2U);
  }
  value =
      whole >= 0 ? value << static_cast<unsigned>(whole) : value >> static_cast<unsigned>(-whole);
  return static_cast<std::int64_t>(value >> 16U);
}

}  // namespace

std::int64_t draw_length(Draw& draw) {
  constexpr std::int64_t kMedian = 294;
  // 0.6364 / ln 2 in units of 2^-16: the standard deviation of the binary logarithm. exp(0.6364^2 /
  // 2) is 360/294.
  constexpr std::int64_t kDeviation = 60170;
  // The sum of twelve uniform numbers has a standard deviation of one, and is as good as normal.
  std::int64_t sum = 0;
  for (int i = 0; i < 6; ++i) {
    const std::uint64_t word = draw.word();
    sum += static_cast<std::int64_t>(word >> 32U) + static_cast<std::int64_t>(word & 0xffffffffU);
  }
  const std::int64_t normal = (sum - (std::int64_t{6} << 32U)) >> 16U;  // 16 binary places
  return std::max(std::int64_t{1}, scaled(kMedian, (normal * kDeviation) >> 16U));
}

Composition::Composition(Alphabet alphabet, bool with_unknown) {
  const std::vector<std::int64_t> parts =
      alphabet == Alphabet::kProtein
          ? std::vector<std::int64_t>(kAminoAcids.begin(), kAminoAcids.end())
          : std::vector<std::int64_t>(kBases.begin(), kBases.end());
  std::int64_t all = 0;
  for (const std::int64_t part : parts) all += part;
  const std::size_t known = kWords - (with_unknown ? kUnknowns : 0);
  by_word_.assign(kWords, unknown_of(alphabet));
  std::int64_t below = 0;
  std::size_t next = 0;
  for (std::size_t letter = 0; letter < parts.size(); ++letter) {
    below += parts[letter];
    const auto end = known * static_cast<std::size_t>(below) / static_cast<std::size_t>(all);
    for (; next < end; ++next) by_word_[next] = static_cast<Residue>(letter);
  }
}

void Composition::fill(Draw& draw, Residue* to, std::int64_t count) const {
  std::uint64_t word = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (i % 4 == 0) word = draw.word();
    to[i] = residue(static_cast<std::uint16_t>(word));
    word >>= 16U;
  }
}

}  // namespace rackproof::align
