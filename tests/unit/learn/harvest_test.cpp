#include "harness/learn/harvest.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/learn/support.hpp"

namespace contract = rackproof::contract;
namespace learn = rackproof::learn;
namespace model = rackproof::model;
using namespace rackproof::learn_test;

TEST_CASE("like cells of all runs and subjects come together") {
  const auto kinds = learn::harvest({report(1, 100), report(2, 101), report(3, 99, "node2")});
  REQUIRE(kinds.size() == 1);
  const auto& [kind, values] = *kinds.begin();
  CHECK(kind.backend == "cuda");
  CHECK(kind.hosts == 1);
  CHECK(learn::label(kind) == "stream.triad type=double (cuda, 1 host)");
  REQUIRE(values.size() == 3);
  CHECK(values[2].host == "node2");
  CHECK(values[0].edge == Approx(99.5));
}

TEST_CASE("a number that an amending report keeps counts once") {
  model::Report before = report(1, 100);
  before.cells[0].measurements[0].attempt = "a";
  model::Report after = before;
  after.run.id = "run2";
  after.cells[0].evidence_utc = before.run.began_utc;
  CHECK(learn::harvest({before, after}).begin()->second.size() == 1);
  CHECK(learn::harvest({after}).begin()->second.size() == 1);
  after.cells[0].measurements[0].attempt = "b";
  CHECK(learn::harvest({before, after}).begin()->second.size() == 2);
}

TEST_CASE("where less is better the bad end is the high one") {
  model::Report one = report(1, 100);
  one.cells[0].measurements[0].better = contract::Better::kLess;
  CHECK(learn::harvest({one}).begin()->second[0].edge == Approx(100.5));
  one.cells[0].verdict.interval_high.reset();
  CHECK(learn::harvest({one}).begin()->second[0].edge == 100);
}

TEST_CASE("what did not pass, and was not left unjudged, teaches nothing") {
  for (const auto outcome :
       {model::Outcome::kFail, model::Outcome::kUntested, model::Outcome::kWaived}) {
    model::Report one = report(1, 100);
    one.cells[0].verdict.outcome = outcome;
    CHECK(learn::harvest({one}).empty());
  }
  model::Report unjudged = report(1, 100);
  unjudged.cells[0].verdict.outcome = model::Outcome::kUnjudged;
  CHECK(learn::harvest({unjudged}).size() == 1);
  unjudged.cells[0].verdict.observed.reset();
  CHECK(learn::harvest({unjudged}).empty());
}

TEST_CASE("links within a node and between nodes are not alike") {
  model::Report one = report(1, 100);
  one.cells.push_back(one.cells[0]);
  for (model::Cell& cell : one.cells) {
    cell.subject = {};
    cell.subject.kind = contract::SubjectKind::kLink;
    cell.subject.host = cell.subject.peer_host = "node1";
  }
  one.cells[1].subject.peer_host = "node2";
  const auto kinds = learn::harvest({one});
  REQUIRE(kinds.size() == 2);
  CHECK(kinds.begin()->first.hosts == 1);
  CHECK(kinds.rbegin()->first.hosts == 2);
}
