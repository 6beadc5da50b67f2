#include "benches/steps/blame.hpp"

#include <catch2/catch.hpp>

namespace rackproof::steps {
namespace {

using Catch::Contains;

// A step of 100 ms: 90 of products, 4 of waiting for tensor all-reduces, 3 for the pipeline, 3
// else.
RankTimes healthy() {
  RankTimes times;
  times.total = 0.1;
  for (auto& work : times.work.seconds) work = {0.006, 0.012};
  times.waits = {0.004, 0, 0.003, 0};
  return times;
}

}  // namespace

TEST_CASE("nobody is blamed for a healthy step") {
  CHECK_FALSE(blame(std::vector<RankTimes>(4, healthy())));
  CHECK_FALSE(blame(std::vector<RankTimes>(2, RankTimes{})));
}

TEST_CASE("numbers of a rank survive being gathered") {
  RankTimes times = healthy();
  times.work.at(Work::kDown, Pass::kBackward) = 7;
  times.waits[3] = 8;
  const RankTimes back = unpack(pack(times).data());
  CHECK(pack(times).size() == kRankNumbers);
  CHECK(back.total == times.total);
  CHECK(back.work.at(Work::kDown, Pass::kBackward) == 7);
  CHECK(back.waits[3] == 8);
}

TEST_CASE("a rank that is late is named, not those that waited for it") {
  std::vector<RankTimes> ranks(4, healthy());
  for (RankTimes& rank : ranks) rank.total += 0.02;
  for (const std::size_t waiting : {0, 1, 3}) ranks[waiting].waits[0] += 0.02;
  const auto found = blame(ranks);
  REQUIRE(found);
  CHECK(found->part == Part::kLateRank);
  CHECK(found->rank == 2);
  CHECK(found->seconds == Approx(0.02));
  CHECK_THAT(text_of(*found), Contains("late rank: rank 2 spends 20.0 ms"));
}

TEST_CASE("a product that is slow on one rank is named with pass and rank") {
  std::vector<RankTimes> ranks(2, healthy());
  for (RankTimes& rank : ranks) rank.total += 0.018;
  ranks[1].work.at(Work::kDown, Pass::kForward) += 0.018;
  ranks[0].waits[0] += 0.018;
  const auto found = blame(ranks);
  REQUIRE(found);
  CHECK(found->part == Part::kSlowProduct);
  CHECK(found->rank == 1);
  CHECK_THAT(text_of(*found), Contains("slow GEMM: mlp.down forward takes rank 1 18.0 ms"));
}

TEST_CASE("messages that nothing hides are named by what most of the waiting was for") {
  std::vector<RankTimes> ranks(4, healthy());
  for (RankTimes& rank : ranks) {
    rank.total += 0.03;
    rank.waits[static_cast<std::size_t>(Wait::kGradients)] += 0.03;
  }
  const auto found = blame(ranks);
  REQUIRE(found);
  CHECK(found->part == Part::kExposed);
  CHECK(found->wait == Wait::kGradients);
  CHECK(found->seconds == Approx(0.034));
  CHECK_THAT(text_of(*found), Contains("exposed communication") && Contains("gradients"));
}

TEST_CASE("waiting for neighbouring stages is the pipeline's bubble, and not blamed") {
  std::vector<RankTimes> ranks(4, healthy());
  for (RankTimes& rank : ranks) {
    rank.total += 0.05;
    rank.waits[static_cast<std::size_t>(Wait::kPipeline)] += 0.05;
  }
  CHECK_FALSE(blame(ranks));
}

TEST_CASE("what ranks wait is the mean of all kinds, as a share of the step") {
  std::vector<RankTimes> ranks(2, healthy());
  ranks[0].waits = {0.01, 0.01, 0.01, 0.01};
  ranks[1].waits = {};
  CHECK(waited_of(ranks).first == Approx(0.02));
  CHECK(waited_of(ranks).second == Approx(0.2));
  CHECK(waited_of({}).second == 0);
}

}  // namespace rackproof::steps
