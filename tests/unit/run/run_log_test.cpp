#include "harness/run/run_log.hpp"

#include <catch2/catch.hpp>

#include "harness/journal/entry_json.hpp"
#include "reports/model/words.hpp"
#include "tests/fakes/fake_clock.hpp"
#include "tests/fakes/fake_warden.hpp"

using namespace rackproof;

namespace {

struct Book {
  // The only entry since the last call.
  journal::Entry entry() {
    REQUIRE(warden.lines().size() == read + 1);
    const auto found = journal::read_entry(warden.lines()[read++]);
    REQUIRE(found);
    return *found;
  }

  fakes::FakeClock clock;
  fakes::FakeWarden warden{clock, std::make_shared<fakes::FakeDisk>(), {}};
  run::RunLog run_log{warden, clock, 0};
  std::size_t read = 0;
};

template <class T>
bool is(const journal::Entry& entry, const T& expected) {
  return entry == journal::Entry(expected);
}

}  // namespace

TEST_CASE("an entry goes into the journal whole") {
  Book book;
  model::NodeInventory node;
  node.host = "node\"1";
  node.facts["cpu.model"] = {contract::Scalar(std::string("x\ny")), "test", ""};
  book.run_log.append(journal::Node{node});
  CHECK(is(book.entry(), journal::Node{node}));
  book.run_log.append(journal::HostPlatform{"node1", "box"});
  CHECK(is(book.entry(), journal::HostPlatform{"node1", "box"}));
}

TEST_CASE("ranks that did not arrive have a line as well") {
  Book book;
  book.run_log.ranks({{0, "node0", 10, "1", "c"}, {2, "node1", 12, "1", "c"}},
                     {{"r", 1, 0, 3, 0, "/run", "zero"}, {"r", 1, 2, 3, 1, "/run", "two"}}, 3);
  REQUIRE(book.warden.lines().size() == 3);
  book.read = 2;
  CHECK(is(book.entry(), journal::Rank{2, true, "node1", 12, 1, "two"}));
  CHECK(is(*journal::read_entry(book.warden.lines()[1]), journal::Rank{1}));
}

TEST_CASE("a plan is its steps, its cells, and the word that this was all") {
  Book book;
  plan::Plan plan;
  plan.infos.resize(2);
  plan.cells.resize(3);
  plan.cells[1].id = "c";
  book.run_log.plan(plan);
  const auto& lines = book.warden.lines();
  REQUIRE(lines.size() == 6);
  CHECK(is(*journal::read_entry(lines[0]), journal::PlanStep{}));
  CHECK(is(*journal::read_entry(lines[3]), journal::Cell{plan.cells[1]}));
  CHECK(is(*journal::read_entry(lines[5]), journal::Planned{2, 3}));
}

TEST_CASE("what happens carries the time since the run began") {
  Book book;
  book.clock.sleep(7.5);
  const auto reason = model::reason_of<model::StepReason>("why");
  book.run_log.step("a", model::StepState::kDone, reason);
  CHECK(is(book.entry(), journal::Step{"a", model::StepState::kDone, reason, 7.5}));
  book.run_log.roll_call("a", {1, 3});
  CHECK(is(book.entry(), journal::RollCall{"a", {1, 3}, 7.5}));
  book.run_log.rank_lost(3, "node3", "silent", "a");
  CHECK(is(book.entry(), journal::RankLost{3, "node3", "silent", "a", 7.5}));
  book.run_log.stopping("interrupted");
  CHECK(is(book.entry(), journal::Stopping{"interrupted", 7.5, "2030-01-01T00:00:07.500Z"}));
  book.run_log.ended(true, false);
  CHECK(is(book.entry(), journal::Ended{true, false, 7.5, "2030-01-01T00:00:07.500Z"}));
}

TEST_CASE("what must survive a crash is waited for") {
  Book book;
  book.warden.open_journal("/run/journal");
  book.warden.fail_journal();
  CHECK_NOTHROW(book.run_log.step("a", model::StepState::kBegun, {}));
  CHECK_NOTHROW(book.run_log.append(journal::Node{}));
  CHECK_THROWS_AS(book.run_log.step("a", model::StepState::kDone, {}), warden::WardenError);
  CHECK_THROWS_AS(book.run_log.rank_lost(1, "h", "w", ""), warden::WardenError);
  CHECK_THROWS_AS(book.run_log.stopping("asked"), warden::WardenError);
  CHECK_THROWS_AS(book.run_log.ended(true, false), warden::WardenError);
  CHECK_THROWS_AS(book.run_log.plan({}), warden::WardenError);
}
