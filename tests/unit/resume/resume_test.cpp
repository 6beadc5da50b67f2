#include "harness/resume/resume.hpp"
#include "reports/model/words.hpp"

#include <catch2/catch.hpp>

using namespace rackproof;

namespace {

model::Attempt attempt(const std::string& step, int resumed, const model::Ending& ending) {
  model::Attempt out;
  out.step = step;
  out.resumed = resumed;
  out.ending = ending;
  return out;
}

model::StepInfo step_info(const std::string& id, const std::string& state,
                          const std::string& reason = "") {
  model::StepInfo out;
  out.id = id;
  out.state = contract::enumerator_of<model::StepState>(state).value();
  out.reason = model::reason_of<model::StepReason>(reason);
  return out;
}

}  // namespace

TEST_CASE("a run is continued as what it was, after what is done") {
  model::Report before;
  before.run.id = "r";
  before.run.segments = 2;
  before.run.labels = {{"rack", "7"}};
  before.run.required = {"gpu"};
  before.run.left_out_hosts = {"node8"};
  before.steps = {step_info("a", "done"), step_info("b", "stopped", "interrupted"),
                  step_info("c", "skipped", "left out by the selection"),
                  step_info("d", "skipped", "no host has a device"), step_info("e", "left-out")};
  before.steps[1].only_hosts = {"node7"};
  before.cells.resize(1);
  before.cells[0].id = "a:node0:rate[]";
  resume::Request request;
  resume::continue_from(before, request);
  CHECK(request.run_id == "r");
  CHECK(request.segment == 3);
  CHECK(request.labels == before.run.labels);
  CHECK(request.required == before.run.required);
  CHECK(request.left_out_hosts == before.run.left_out_hosts);
  CHECK(request.done_steps == std::set<std::string>{"a"});
  CHECK(request.failed_steps.empty());
  CHECK(request.selection.left_out == std::set<std::string>{"c", "e"});
  CHECK(request.selection.only_on ==
        std::map<std::string, std::vector<std::string>>{{"b", {"node7"}}});
  CHECK(request.owed_cells == std::vector<std::string>{"a:node0:rate[]"});
}

TEST_CASE("a step that is done has failed by the last attempts that it was done with") {
  model::Report before;
  before.steps = {step_info("well", "done"), step_info("again", "done"), step_info("badly", "done"),
                  step_info("stopped", "stopped")};
  before.attempts = {attempt("well", 0, model::ending::RankLost{"gone"}),
                     attempt("well", 1, model::ending::Completed{0}),
                     attempt("again", 1, model::ending::Signalled{11}),
                     attempt("again", 1, model::ending::Completed{0}),
                     attempt("badly", 1, model::ending::Completed{0}),
                     attempt("badly", 1, model::ending::Signalled{11}),
                     attempt("stopped", 1, model::ending::Signalled{11})};
  resume::Request request;
  resume::continue_from(before, request);
  CHECK(request.failed_steps == std::set<std::string>{"badly"});
}

TEST_CASE("what is to be repeated is not done before its last time") {
  model::Report before;
  before.steps = {step_info("b", "stopped")};
  before.steps[0].repeat = 3;
  before.steps[0].attempts_allowed = 3;
  const auto on = [](const std::string& host, int number) {
    model::Attempt out = attempt("b", 0, model::ending::Completed{0});
    out.subject.host = host;
    out.number = number;
    return out;
  };
  before.attempts = {on("node0", 1), on("node1", 1), on("node1", 2), on("node1", 3)};
  resume::Request request;
  resume::continue_from(before, request);
  CHECK(request.done_subjects == std::set<std::pair<std::string, std::string>>{{"b", "node1"}});
}

TEST_CASE("what was measured well in a step that is not done is done") {
  model::Report before;
  before.steps = {step_info("a", "done"), step_info("b", "stopped")};
  const auto on = [](const std::string& host, const std::string& of, const model::Ending& ending) {
    model::Attempt out = attempt(of, 0, ending);
    out.subject.host = host;
    return out;
  };
  before.attempts = {on("node0", "a", model::ending::Completed{0}),
                     on("node0", "b", model::ending::Completed{0}),
                     on("node1", "b", model::ending::Completed{4}),
                     on("node2", "b", model::ending::Completed{0}),
                     on("node2", "b", model::ending::RankLost{"gone"}),
                     on("node3", "b", model::ending::RankLost{"gone"}),
                     on("node3", "b", model::ending::Completed{0})};
  resume::Request request;
  resume::continue_from(before, request);
  CHECK(request.done_subjects ==
        std::set<std::pair<std::string, std::string>>{{"b", "node0"}, {"b", "node3"}});
}
