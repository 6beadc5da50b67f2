#include "benches/align/host_engine.hpp"

#include <catch2/catch.hpp>

#include "benches/kit/host.hpp"
#include "tests/unit/align/scores.hpp"
#include "tests/unit/align/sequences.hpp"

using namespace rackproof;
using namespace rackproof::align;

namespace {

std::vector<int> two_threads() {
  const int cpu = kit::allowed_cpus().front();
  return {cpu, cpu};
}

// Many more subjects than lanes, among them one whose score takes 16 bits and one that takes 32.
Workload mixed() {
  Workload work;
  Draw draw(17);
  const std::vector<Residue> tryptophans(6000, residues("W")[0]);
  work.queries.add(drawn(draw, 40));
  work.queries.add(tryptophans);
  for (int i = 0; i < 700; ++i) work.database.add(drawn(draw, 1 + draw.below(50)));
  work.database.add({tryptophans.data(), 100});
  work.database.add(tryptophans);
  for (int i = 0; i < 100; ++i) work.database.add(drawn(draw, 1 + draw.below(50)));
  return work;
}

}  // namespace

TEST_CASE(
    "every subject has its score with every set of kernels here, in as many bits as it takes") {
  const Scoring scoring{matrix_named("BLOSUM62"), {11, 1}};
  const Workload work = mixed();
  Crew crew(two_threads());
  const KernelSets all = kernel_sets();
  for (int i = 0; i < all.count; ++i) {
    CAPTURE(all.sets[i].name);
    HostEngine engine(all.sets[i], scoring, Fault::kNone, crew);
    CHECK(wrong(work, scoring, aligned(work, engine)) == 0);
    if (all.sets[i].in8.run != nullptr) {
      CHECK(engine.again_in16() == 2);
      CHECK(engine.again_in32() == 1);
    }
    CHECK(std::get<std::string>(engine.facts().at("kernels")) == all.sets[i].name);
  }
}

TEST_CASE("a gap that is too dear for 8 bits begins in 16") {
  const Scoring scoring{matrix_named("BLOSUM62"), {200, 1}};
  const Workload work = mixed();
  Crew crew(two_threads());
  const KernelSets all = kernel_sets();
  HostEngine engine(all.sets[all.count - 1], scoring, Fault::kNone, crew);
  CHECK(wrong(work, scoring, aligned(work, engine)) == 0);
  CHECK(engine.again_in16() == 0);
}

TEST_CASE("each fault of the engine makes scores wrong, and a lost block none at all") {
  const Scoring scoring{matrix_named("BLOSUM62"), {11, 1}};
  Crew crew(two_threads());
  const Workload work = drawn_workload(scoring.matrix, 1, 64, crew);
  const KernelSet kernels = kernel_sets().sets[kernel_sets().count - 1];
  const auto scores_with = [&](Fault fault) {
    HostEngine engine(kernels, scoring, fault, crew);
    return aligned(work, engine);
  };
  const Scores right = scores_with(Fault::kNone);
  for (const Fault fault : {Fault::kTable, Fault::kTile, Fault::kStop, Fault::kLetter}) {
    CHECK(scores_with(fault).values() != right.values());
  }
  // A copy is then worth less, and no other subject is.
  const Scores misspelt = scores_with(Fault::kLetter);
  for (std::int64_t subject = 0; subject < work.database.size(); ++subject) {
    const bool copy = subject == work.copies.front().subject;
    CHECK((misspelt.at(0, subject) == right.at(0, subject)) == !copy);
  }
  const Scores lost = scores_with(Fault::kTile);
  CHECK(lost.at(0, work.copies.front().subject) == kUnwritten);
  CHECK(lost.at(1, work.copies.front().subject) == right.at(1, work.copies.front().subject));
}
