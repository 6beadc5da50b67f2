#include "harness/compare/turns.hpp"

#include <catch2/catch.hpp>

namespace rackproof::compare {
namespace {

using Facts = std::vector<std::string>;

Key key(const std::string& metric) {
  return {"gemm", metric, "", "FLOP/s", contract::SubjectKind::kDevice};
}

Change change(const std::string& metric, std::size_t at, double shift, Facts facts) {
  Change one;
  one.key = key(metric);
  one.at = at;
  one.worse = shift < 0;
  one.shift = shift;
  one.facts = std::move(facts);
  return one;
}

// Ten runs; "skipped" is in none of 3 and 4.
std::vector<Sample> runs() {
  std::vector<Sample> all(10);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].run = "run" + std::to_string(i);
    for (const char* metric : {"a", "b", "c"}) all[i].numbers[key(metric)].of["n0"] = 1;
    if (i != 3 && i != 4) all[i].numbers[key("skipped")].of["n0"] = 1;
  }
  return all;
}

}  // namespace

TEST_CASE("changes between the same two runs are one turn, with the facts they have in common") {
  Trend trend;
  trend.changes = {change("a", 5, -0.02, {"driver: 1 -> 2", "kernel: 5 -> 6"}),
                   change("b", 5, -0.5, {"driver: 1 -> 2"}), change("c", 5, 0.1, {}),
                   change("c", 8, -0.1, {}), change("skipped", 5, -0.1, {"driver: 1 -> 2"})};
  const auto turns = turns_of(runs(), trend);
  REQUIRE(turns.size() == 4);
  CHECK(turns[0].at == 8);
  CHECK(turns[0].worse);
  // The largest first.
  REQUIRE(turns[1].changes.size() == 2);
  CHECK(turns[1].changes[0]->key.metric == "b");
  CHECK((turns[1].before == 4 && turns[1].at == 5));
  CHECK(turns[1].facts == Facts{"driver: 1 -> 2"});
  CHECK(own_facts(turns[1], *turns[1].changes[1]) == Facts{"kernel: 5 -> 6"});
  CHECK(own_facts(turns[1], *turns[1].changes[0]).empty());
  // Its own last run before is another one.
  CHECK((turns[2].before == 2 && turns[2].at == 5));
  CHECK_FALSE(turns[3].worse);
}

TEST_CASE("a turn of changes without a common fact has none") {
  Trend trend;
  trend.changes = {change("a", 5, -0.02, {"driver: 1 -> 2"}), change("b", 5, -0.5, {})};
  const auto turns = turns_of(runs(), trend);
  REQUIRE(turns.size() == 1);
  CHECK(turns[0].facts.empty());
  CHECK(own_facts(turns[0], *turns[0].changes[1]) == Facts{"driver: 1 -> 2"});
}

TEST_CASE("a run is told by its name and when it began") {
  Sample run;
  run.run = "night16";
  CHECK(run_text(run) == "night16");
  run.began_utc = "2026-03-17T02:00:00.000Z";
  CHECK(run_text(run) == "night16, 2026-03-17 02:00");
}

}  // namespace rackproof::compare
