#include "benches/align/kernels.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <vector>

#include "benches/align/reference.hpp"
#include "benches/kit/buffer.hpp"
#include "tests/unit/align/sequences.hpp"

using namespace rackproof;
using namespace rackproof::align;

namespace {

std::vector<std::int32_t> run_lanes(const Kernel& kernel, const Scoring& scoring,
                                    const std::vector<Residue>& query,
                                    const std::vector<std::vector<Residue>>& subjects) {
  const auto lanes = static_cast<std::size_t>(kernel.lanes);
  std::vector<const std::uint8_t*> pointers(lanes, query.data());
  std::vector<std::int64_t> lengths(lanes, 0);
  std::vector<std::int32_t> scores(lanes, -77);
  const auto rows = static_cast<std::int64_t>(query.size());
  const kit::Buffer<std::byte> scratch(scratch_bytes(rows));
  Job job;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    pointers[i] = subjects[i].data();
    lengths[i] = static_cast<std::int64_t>(subjects[i].size());
    job.columns = std::max(job.columns, lengths[i]);
  }
  job.query = query.data();
  job.rows = rows;
  job.table = scoring.matrix.scores.data();
  job.letters = static_cast<int>(letters_of(scoring.matrix.alphabet).size());
  job.first = scoring.gap.first();
  job.next = scoring.gap.next();
  job.subjects = pointers.data();
  job.lengths = lengths.data();
  job.scratch = scratch.data();
  job.scores = scores.data();
  kernel.run(job);
  scores.resize(subjects.size());
  return scores;
}

// Against the reference; `most` is what the kernel can say.
void compare_lanes(const Kernel& kernel, std::int32_t most, const Scoring& scoring,
                   const std::vector<Residue>& query,
                   const std::vector<std::vector<Residue>>& subjects) {
  const std::vector<std::int32_t> scores = run_lanes(kernel, scoring, query, subjects);
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    const std::int32_t want = reference_score(scoring, query, subjects[i]);
    CHECK(scores[i] == (want >= most ? kTooMuch : want));
  }
}

constexpr std::int32_t kMost8 = 255;
constexpr std::int32_t kMost16 = 65535;
constexpr std::int32_t kMost32 = std::numeric_limits<std::int32_t>::max();

template <class Look>
void each_kernel(Look look) {
  const KernelSets all = kernel_sets();
  REQUIRE(all.count > 0);
  for (int i = 0; i < all.count; ++i) {
    const KernelSet& set = all.sets[i];
    CAPTURE(set.name);
    if (set.in8.run != nullptr) look(set.in8, kMost8);
    if (set.in16.run != nullptr) look(set.in16, kMost16);
    look(set.in32, kMost32);
  }
}

}  // namespace

TEST_CASE(
    "kernels of every instruction set here give the scores of the reference for drawn sequences") {
  each_kernel([](const Kernel& kernel, std::int32_t most) {
    CAPTURE(kernel.lanes, most);
    Draw draw(21);
    for (const Alphabet alphabet : {Alphabet::kProtein, Alphabet::kDna}) {
      for (const Gap gap : {Gap{11, 1}, Gap{1, 1}, Gap{3, 9}, Gap{100, 27}}) {
        const Scoring scoring{
            alphabet == Alphabet::kDna ? dna_matrix(2, -3) : matrix_named("PAM30"), gap};
        for (int round = 0; round < 4; ++round) {
          const auto query = drawn(draw, 1 + draw.below(60), alphabet);
          std::vector<std::vector<Residue>> subjects;
          const std::int64_t count = 1 + draw.below(kernel.lanes);
          for (std::int64_t i = 0; i < count; ++i) {
            subjects.push_back(drawn(draw, 1 + draw.below(70), alphabet));
          }
          compare_lanes(kernel, most, scoring, query, subjects);
        }
      }
    }
  });
}

TEST_CASE("lengths of all remainders, and lanes without a subject, change nothing") {
  const Scoring scoring{matrix_named("BLOSUM62"), {11, 1}};
  each_kernel([&](const Kernel& kernel, std::int32_t most) {
    CAPTURE(kernel.lanes, most);
    Draw draw(4);
    for (std::int64_t length = 1; length <= 17; ++length) {
      compare_lanes(kernel, most, scoring, drawn(draw, length), {drawn(draw, 18 - length)});
    }
    std::vector<std::vector<Residue>> all;
    for (int lane = 0; lane < kernel.lanes; ++lane) all.push_back(drawn(draw, 1 + lane));
    compare_lanes(kernel, most, scoring, drawn(draw, 33), all);
  });
}

TEST_CASE("a score that does not fit is told as too much in its lane alone, from its limit on") {
  const Scoring scoring{dna_matrix(127, -127), {1, 1}};
  each_kernel([&](const Kernel& kernel, std::int32_t most) {
    CAPTURE(kernel.lanes, most);
    // 254 is what 8 bits hold, 65,532 what 16 do; copies of two and of 516 bases, and of one more.
    const std::int64_t fits = most == kMost8 ? 2 : 516;
    std::vector<Residue> query(static_cast<std::size_t>(fits) + 1, 0);
    const std::vector<Residue> shorter(static_cast<std::size_t>(fits), 0);
    compare_lanes(kernel, most, scoring, query, {query, shorter, {1}});
    const auto scores = run_lanes(kernel, scoring, query, {query, shorter, {1}});
    CHECK((scores[0] == kTooMuch) == (most != kMost32));
    CHECK(scores[1] == 127 * fits);
  });
}

TEST_CASE("in 8 bits the score one below the limit is right and the limit is too much") {
  const KernelSets all = kernel_sets();
  for (int i = 0; i < all.count; ++i) {
    if (all.sets[i].in8.run == nullptr) continue;
    for (const int match : {51, 127}) {
      const Scoring scoring{dna_matrix(match, -1), {11, 1}};
      for (std::int64_t length = 1; length < 8; ++length) {
        const std::vector<Residue> same(static_cast<std::size_t>(length), 2);
        compare_lanes(all.sets[i].in8, kMost8, scoring, same, {same});
      }
    }
  }
}

TEST_CASE("a gap that costs thousands is right in 16 and 32 bits") {
  const Scoring scoring{matrix_named("BLOSUM62"), {1000, 1000}};
  Draw draw(8);
  each_kernel([&](const Kernel& kernel, std::int32_t most) {
    if (most == kMost8) return;
    compare_lanes(kernel, most, scoring, drawn(draw, 50), {drawn(draw, 50), residues("WWWWWWWWW")});
  });
}
