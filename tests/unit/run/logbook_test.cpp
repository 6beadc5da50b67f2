#include "harness/run/logbook.hpp"

#include <catch2/catch.hpp>

#include "harness/wire/journal.hpp"
#include "reports/model/report_json.hpp"
#include "reports/model/words.hpp"
#include "tests/fakes/fake_clock.hpp"
#include "tests/fakes/fake_warden.hpp"

using namespace rackproof;
using nlohmann::json;

namespace {

struct Book {
  // The only entry since the last call.
  wire::Entry entry() {
    REQUIRE(warden.lines().size() == read + 1);
    const auto found = wire::parse_entry(warden.lines()[read++]);
    REQUIRE(found);
    return *found;
  }

  fakes::FakeClock clock;
  fakes::FakeWarden warden{clock, std::make_shared<fakes::FakeDisk>(), {}};
  run::Logbook logbook{warden, clock, 0};
  std::size_t read = 0;
};

}  // namespace

TEST_CASE("the documents of the report go into the journal whole") {
  Book book;
  model::NodeInventory node;
  node.host = "node\"1";
  node.facts["cpu.model"] = {model::Scalar(std::string("x\ny")), "test", ""};
  book.logbook.node(node);
  auto entry = book.entry();
  CHECK(entry.j == "node");
  CHECK(model::node_from_json(entry.body.at("node").dump()) == node);

  model::Finding finding;
  finding.id = "late-rank";
  finding.text = "said";
  book.logbook.finding(finding);
  entry = book.entry();
  CHECK(entry.j == "finding");
  CHECK(model::finding_from_json(entry.body.at("finding").dump()) == finding);

  model::PlatformTable table;
  table.id = "box";
  book.logbook.platform(table);
  entry = book.entry();
  CHECK(entry.j == "platform");
  CHECK(model::platform_from_json(entry.body.at("table").dump()) == table);

  book.logbook.host_platform("node1", "box");
  entry = book.entry();
  CHECK(entry.j == "host_platform");
  CHECK(entry.body.at("host") == "node1");
  CHECK(entry.body.at("platform") == "box");
}

TEST_CASE("the beginning names tool, run and suite") {
  Book book;
  model::ToolInfo tool;
  tool.version = "1";
  model::RunInfo run;
  run.id = "r";
  model::SuiteInfo suite;
  suite.id = "smoke";
  book.logbook.run(tool, run, suite);
  const auto entry = book.entry();
  CHECK(entry.j == "run");
  CHECK(model::tool_from_json(entry.body.at("tool").dump()) == tool);
  CHECK(model::run_from_json(entry.body.at("run").dump()) == run);
  CHECK(model::suite_from_json(entry.body.at("suite").dump()) == suite);
}

TEST_CASE("ranks that did not arrive have a line as well") {
  Book book;
  book.logbook.ranks({{0, "node0", 10, "1", "c"}, {2, "node1", 12, "1", "c"}},
                     {{"r", 1, 0, 3, 0, "/run", "zero"}, {"r", 1, 2, 3, 0, "/run", "two"}}, 3);
  REQUIRE(book.warden.lines().size() == 3);
  const json absent = json::parse(book.warden.lines()[1]);
  CHECK(absent == json({{"j", "rank"}, {"rank", 1}, {"arrived", false}}));
  const json there = json::parse(book.warden.lines()[2]);
  CHECK(there.at("host") == "node1");
  CHECK(there.at("pid") == 12);
  CHECK(there.at("journal") == "two");
  CHECK(there.at("arrived") == true);
}

TEST_CASE("a plan is its steps, its cells, and the word that this was all") {
  Book book;
  plan::Plan plan;
  plan.infos.resize(2);
  plan.cells.resize(3);
  plan.cells[1].id = "c";
  book.logbook.plan(plan);
  const auto& lines = book.warden.lines();
  REQUIRE(lines.size() == 6);
  CHECK(json::parse(lines[0]).at("j") == "plan_step");
  CHECK(model::cell_from_json(json::parse(lines[3]).at("cell").dump()) == plan.cells[1]);
  CHECK(json::parse(lines[5]) == json({{"j", "planned"}, {"steps", 2}, {"cells", 3}}));
}

TEST_CASE("what happens carries the time since the run began") {
  Book book;
  book.clock.sleep(7.5);
  book.logbook.step("a", model::StepState::kDone, model::reason_of<model::StepReason>("why"));
  CHECK(book.entry().body ==
        json({{"j", "step"}, {"id", "a"}, {"state", "done"}, {"reason", "why"}, {"t", 7.5}}));
  book.logbook.roll_call("a", {1, 3});
  CHECK(book.entry().body.at("missing") == json({1, 3}));
  book.logbook.rank_lost(3, "node3", "silent", "a");
  CHECK(book.entry().body == json({{"j", "rank_lost"},
                                   {"rank", 3},
                                   {"host", "node3"},
                                   {"why", "silent"},
                                   {"reached", "a"},
                                   {"t", 7.5}}));
  book.logbook.ended(true, false);
  const json ended = book.entry().body;
  CHECK(ended.at("completed") == true);
  CHECK(ended.at("interrupted") == false);
  CHECK(ended.at("seconds") == 7.5);
  CHECK(ended.at("utc") == "2030-01-01T00:00:07.500Z");
}

TEST_CASE("a host name that is no UTF-8 does not break the journal") {
  Book book;
  book.logbook.rank_lost(1, "node\xff", "silent \xfe", "");
  CHECK(book.entry().j == "rank_lost");
}

TEST_CASE("what must survive a crash is waited for") {
  Book book;
  book.warden.open_journal("/run/journal");
  book.warden.fail_journal();
  CHECK_NOTHROW(book.logbook.step("a", model::StepState::kBegun, {}));
  CHECK_THROWS_AS(book.logbook.step("a", model::StepState::kDone, {}), warden::WardenError);
  CHECK_THROWS_AS(book.logbook.rank_lost(1, "h", "w", ""), warden::WardenError);
  CHECK_THROWS_AS(book.logbook.ended(true, false), warden::WardenError);
  CHECK_THROWS_AS(book.logbook.plan({}), warden::WardenError);
}
