#include "harness/ledger/rules.hpp"

#include <catch2/catch.hpp>

#include "harness/support/errors.hpp"
#include "tests/unit/ledger/fleet.hpp"

namespace rackproof::ledger {
namespace {

using ledger_test::kDay;
using ledger_test::kFirst;

TEST_CASE("since is an age before now or the beginning of a day") {
  CHECK(since_seconds("2d", kFirst) == kFirst - 2 * kDay);
  CHECK(since_seconds("2026-03-01", 0) == kFirst);
  for (const char* bad : {"2026-13-01", "2026-03", "yesterday", "30"}) {
    CHECK_THROWS_AS(since_seconds(bad, 0), support::UsageError);
  }
}

Sight sight(int day, const Place& place) {
  Sight out;
  out.run.began_utc = "day " + std::to_string(day);
  out.place = place;
  return out;
}

TEST_CASE("stays end where a part moves and not where an address was not read") {
  const std::vector<Sight> runs = {sight(5, {"n1", "3", "a", ""}), sight(4, {"n2", "0", "b", ""}),
                                   sight(3, {"n1", "3", "a", ""}), sight(2, {"n1", "3", "", "S"}),
                                   sight(1, {"n1", "3", "a", ""})};
  const std::vector<Stay> stays = stays_of(runs);
  REQUIRE(stays.size() == 3);
  CHECK(stays[0].place == Place{"n1", "3", "a", "S"});
  CHECK(stays[0].first_utc == "day 1");
  CHECK(stays[0].last_utc == "day 3");
  CHECK(stays[0].runs == 3);
  CHECK(stays[1].place.host == "n2");
  CHECK(stays[2].first_utc == "day 5");
  CHECK(stays_of({}).empty());
}

Worst failed(const std::string& name, bool lately, std::size_t runs,
             std::optional<double> shortfall) {
  Worst part;
  part.code = name;
  part.last.place.host = name;
  part.last.tally.required.fail = lately ? 1 : 0;
  part.last.tally.required.pass = 1;
  part.failed = runs;
  part.worst.emplace().shortfall = shortfall;
  return part;
}

TEST_CASE("the worst are those that failed last, most often, wrongly and by most") {
  std::vector<Worst> parts = {failed("f", false, 9, std::nullopt), failed("e", true, 1, 0.1),
                              failed("d", true, 1, 0.1),           failed("c", true, 1, 0.5),
                              failed("b", true, 1, std::nullopt),  failed("a", true, 2, 0.01)};
  worst_first(parts);
  std::string order;
  for (const Worst& part : parts) order += part.code;
  CHECK(order == "abcdef");
}

RunRef run_at_second(double seconds) {
  RunRef run;
  run.began_seconds = run.evidence_seconds = seconds;
  return run;
}

TEST_CASE("a host is due without an accepted run, without a whole one, or with an old one") {
  DueHost host;
  CHECK(due_of(host, 0) == Due::kNever);
  host.accepted = run_at_second(100);
  CHECK(due_of(host, 0) == Due::kPartly);
  host.whole = run_at_second(50);
  CHECK(due_of(host, 50) == std::nullopt);
  CHECK(due_of(host, 51) == Due::kOld);
}

TEST_CASE("whoever is due for longest comes first") {
  std::vector<DueHost> hosts = {{"d", Due::kOld, {}, run_at_second(9), run_at_second(9)},
                                {"c", Due::kPartly, {}, run_at_second(9), {}},
                                {"b", Due::kNever, {}, {}, {}},
                                {"a", Due::kNever, {}, {}, {}}};
  longest_due_first(hosts);
  std::string order;
  for (const DueHost& host : hosts) order += host.host;
  CHECK(order == "abcd");
}

TEST_CASE("of each quantity the newest value is kept whatever its unit was") {
  CellIn untested;
  untested.quantity = {"gemm", "gemm.rate", "dtype=bf16", ""};
  CellIn measured = untested;
  measured.quantity.unit = "FLOP/s";
  CellIn other = measured;
  other.quantity.parameters = "dtype=fp16";
  const auto newest = newest_of_each({untested, measured, other});
  REQUIRE(newest.size() == 2);
  CHECK(newest[0].quantity.unit.empty());
  CHECK(newest[1].quantity.parameters == "dtype=fp16");
}

}  // namespace
}  // namespace rackproof::ledger
