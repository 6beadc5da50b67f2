#include <catch2/catch.hpp>

#include "harness/ledger/overview.hpp"

namespace rackproof::ledger {
namespace {

using model::Outcome;

PartThen gpu_then(const std::string& code, const std::string& host, const std::string& name,
                  std::optional<Outcome> outcome) {
  return {PartKind::kGpu, code, {host, name, "", ""}, outcome};
}

PartThen host_then(const std::string& name) {
  return {PartKind::kHost, name, {name, "", "", ""}, {}};
}

TEST_CASE("between two runs of the same parts nothing changed") {
  const std::vector<PartThen> parts = {host_then("n1"), gpu_then("a", "n1", "0", Outcome::kFail)};
  CHECK(changes_between({parts}, {parts}).empty());
}

TEST_CASE("what became of a part between two runs, the gravest first") {
  const std::vector<PartThen> before = {host_then("n1"),
                                        host_then("n2"),
                                        gpu_then("fails", "n1", "0", Outcome::kPass),
                                        gpu_then("gone", "n1", "1", Outcome::kPass),
                                        gpu_then("undecided", "n1", "2", Outcome::kFail),
                                        gpu_then("moved", "n1", "3", Outcome::kPass),
                                        gpu_then("recovered", "n1", "4", Outcome::kFail)};
  const std::vector<PartThen> now = {host_then("n1"),
                                     host_then("n2"),
                                     gpu_then("fails", "n1", "0", Outcome::kFail),
                                     gpu_then("undecided", "n1", "2", Outcome::kUntested),
                                     gpu_then("moved", "n2", "3", Outcome::kPass),
                                     gpu_then("recovered", "n1", "4", Outcome::kWaived),
                                     gpu_then("came", "n1", "1", Outcome::kPass)};
  const std::vector<PartChange> changes = changes_between({before}, {now});
  std::vector<std::pair<Turn, std::string>> seen;
  for (const PartChange& change : changes) seen.emplace_back(change.turn, change.code);
  CHECK(seen == std::vector<std::pair<Turn, std::string>>{{Turn::kFails, "fails"},
                                                          {Turn::kGone, "gone"},
                                                          {Turn::kUndecided, "undecided"},
                                                          {Turn::kMoved, "moved"},
                                                          {Turn::kCame, "came"},
                                                          {Turn::kRecovered, "recovered"}});
  REQUIRE(changes[3].before);
  CHECK(changes[3].before->host == "n1");
  CHECK(changes[3].place.host == "n2");
}

TEST_CASE("a host that is gone stands for what was in it, and for no part that is elsewhere now") {
  const std::vector<PartThen> before = {host_then("n1"), host_then("n2"),
                                        gpu_then("a", "n2", "0", Outcome::kPass),
                                        gpu_then("b", "n2", "1", Outcome::kPass)};
  const std::vector<PartThen> now = {host_then("n1"), gpu_then("b", "n1", "0", Outcome::kPass)};
  const std::vector<PartChange> changes = changes_between({before}, {now});
  REQUIRE(changes.size() == 2);
  CHECK(changes[0].turn == Turn::kGone);
  CHECK(changes[0].kind == PartKind::kHost);
  CHECK(changes[0].with == 1);
  CHECK(changes[1].turn == Turn::kMoved);
}

TEST_CASE(
    "hosts that a run left out are neither gone nor new, and what is gone from others is told") {
  const RunThen whole = {{host_then("n1"), host_then("n2"),
                          gpu_then("a", "n1", "0", Outcome::kPass),
                          gpu_then("b", "n2", "0", Outcome::kPass)}};
  const RunThen partial = {{host_then("n1")}, false};
  std::vector<PartChange> changes = changes_between(whole, partial);
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].turn == Turn::kGone);
  CHECK(changes[0].code == "a");
  changes = changes_between(partial, whole);
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].turn == Turn::kCame);
  CHECK(changes_between(whole, {{host_then("n1")}}).size() == 2);
}

TEST_CASE("a part that is new and fails is told with both") {
  const std::vector<PartThen> now = {host_then("n1"), gpu_then("a", "n1", "0", Outcome::kFail)};
  const std::vector<PartChange> changes = changes_between({{host_then("n1")}}, {now});
  REQUIRE(changes.size() == 2);
  CHECK(changes[0].turn == Turn::kFails);
  CHECK(changes[1].turn == Turn::kCame);
}

}  // namespace
}  // namespace rackproof::ledger
