#include "harness/prove/injections.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <utility>

#include "harness/config/bench.hpp"

using namespace rackproof;
using prove::Injection;

namespace {

const Injection& named(const std::vector<Injection>& all, const std::string& name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Injection& one) { return one.name == name; });
  REQUIRE(found != all.end());
  return *found;
}

prove::Setting whole(int ranks, int devices = 0) {
  return {ranks,
          {"prove-host", "stream-host", "gemm-host", "burn-host", "align-host", "collectives-mpi",
           "pairs-mpi", "stream-cuda", "align-cuda", "collectives-nccl"},
          devices};
}

std::vector<Injection> injections(const prove::Setting& setting) {
  return prove::injections(setting,
                           config::load_programs(RACKPROOF_BINARY_DIR "/share/rackproof/benches"));
}

}  // namespace

TEST_CASE("four ranks prove all that needs no GPU") {
  const auto all = injections(whole(4));
  for (const Injection& one : all) {
    INFO(one.name);
    const bool device = one.step.backend == "cuda" || one.step.backend == "nccl";
    CHECK(one.missing.empty() != device);
    const bool last = one.guilty == std::set<int>{3};
    CHECK((one.guilty.empty() || last || one.name == "two groups"));
  }
  CHECK(all.front().name == "control");
  CHECK(all.back().name == "lost rank");
}

TEST_CASE("what a setting lacks is said") {
  const auto alone = injections(whole(1));
  CHECK(named(alone, "slow rank").missing.find("at least 4 ranks") != std::string::npos);
  CHECK_FALSE(named(alone, "lost rank").missing.empty());
  CHECK_FALSE(named(alone, "flipped bit in pairs-mpi").missing.empty());
  CHECK(named(alone, "flipped bit in gemm-host").missing.empty());
  prove::Setting bare = whole(4);
  bare.programs.erase("gemm-host");
  CHECK(named(injections(bare), "flipped bit in gemm-host").missing ==
        "this build has no gemm-host");
}

TEST_CASE("all that align can be asked to do wrong is planted, on cores and GPUs") {
  const auto all = injections(whole(1, 1));
  for (const std::string program : {"align-host", "align-cuda"}) {
    for (const auto& [name, fault] : {std::pair{"wrong score in ", "table"},
                                      {"lost tile in ", "tile"},
                                      {"early stop in ", "stop"},
                                      {"wrong letter in ", "letter"}}) {
      const Injection& one = named(all, name + program);
      CHECK(one.missing.empty());
      CHECK(one.step.arguments.back() == fault);
      CHECK(one.demand.reasons == named(all, "flipped bit in " + program).demand.reasons);
    }
  }
}

TEST_CASE("a program that a bench describes is made wrong by itself, as it says") {
  config::BenchProgram mine;
  mine.bench = "mine";
  mine.backend = "host";
  mine.brief = {"--short"};
  mine.metric = "mine.rate";
  mine.parameters = {{"bytes", contract::Scalar(std::int64_t{8})}};
  mine.faults = {{"lost half", "half of it is left out", {"--half"}}};
  prove::Setting setting;
  setting.programs = {"mine-host"};
  const auto all = prove::injections(setting, {mine});
  const Injection& flip = named(all, "flipped bit in mine-host");
  CHECK(flip.missing.empty());
  CHECK(flip.step.arguments == std::vector<std::string>{"--short", "--inject", "bitflip:77:3"});
  REQUIRE(flip.step.expect.size() == 1);
  CHECK(flip.step.expect[0].metric == "mine.rate");
  CHECK(flip.step.expect[0].each.at("bytes") ==
        std::vector<contract::Scalar>{contract::Scalar(std::int64_t{8})});
  const Injection& half = named(all, "lost half in mine-host");
  CHECK(half.step.arguments == std::vector<std::string>{"--short", "--half"});
  CHECK(half.planted == "half of it is left out");
  mine.placement = config::Placement::kWorld;
  mine.members = 3;
  setting.ranks = 2;
  CHECK(named(prove::injections(setting, {mine}), "lost half in mine-host").missing ==
        "it needs at least 3 ranks of a launcher");
}

TEST_CASE("GPUs are proven by one rank alone, groups of them where there are two") {
  CHECK(named(injections(whole(1, 1)), "flipped bit in stream-cuda").missing.empty());
  CHECK(named(injections(whole(1, 1)), "flipped bit in align-cuda").missing.empty());
  CHECK_FALSE(named(injections(whole(4, 8)), "flipped bit in stream-cuda").missing.empty());
  CHECK_FALSE(named(injections(whole(1, 1)), "flipped bit in collectives-nccl").missing.empty());
  CHECK(named(injections(whole(1, 2)), "flipped bit in collectives-nccl").missing.empty());
}

TEST_CASE("the suite holds what can be planted, and its budget all of it") {
  const auto all = injections(whole(1));
  const config::Suite suite = prove::suite_of(all);
  const auto possible = std::count_if(all.begin(), all.end(),
                                      [](const Injection& one) { return one.missing.empty(); });
  CHECK(suite.steps.size() == static_cast<std::size_t>(possible));
  double sum = 0;
  for (const config::Step& step : suite.steps) {
    CHECK(step.expect.size() == 1);
    CHECK(step.id.find(' ') == std::string::npos);
    sum += step.deadline_seconds + step.grace_seconds;
  }
  CHECK(suite.time_budget_seconds > sum);
  CHECK(suite.info.policy.peer_outlier_fails);
}

TEST_CASE("of few ranks the slow half fails, of more it is a group that is named") {
  const Injection few = named(injections(whole(4)), "two groups");
  CHECK(few.guilty == std::set<int>{1, 3});
  CHECK(few.demand.outcome == rackproof::model::Outcome::kFail);
  const Injection many = named(injections(whole(8)), "two groups");
  CHECK(many.guilty.empty());
  CHECK(many.demand.outcome == rackproof::model::Outcome::kVerified);
}
