#include "harness/resume/again.hpp"

#include <catch2/catch.hpp>
#include <tuple>

#include "reports/model/reason_id.hpp"

using namespace rackproof;
using resume::measures;

namespace {

model::Subject node(const std::string& host) {
  model::Subject subject;
  subject.host = host;
  return subject;
}

model::Subject device(const std::string& host, const std::string& id) {
  model::Subject subject = node(host);
  subject.kind = contract::SubjectKind::kDevice;
  subject.device = id;
  return subject;
}

model::Subject link_between(const model::Subject& near, const model::Subject& far) {
  model::Subject subject = near;
  subject.kind = contract::SubjectKind::kLink;
  subject.peer_host = far.host;
  subject.peer_device = far.device;
  return subject;
}

model::Subject group(const std::vector<std::string>& hosts) {
  model::Subject subject;
  subject.kind = contract::SubjectKind::kGroup;
  subject.group = "some";
  subject.members = hosts;
  return subject;
}

}  // namespace

TEST_CASE("a node measures its devices and the links between them") {
  CHECK(resume::measures(node("a"), node("a")));
  CHECK(resume::measures(node("a"), device("a", "g0")));
  CHECK(resume::measures(node("a"), link_between(device("a", "g0"), device("a", "g1"))));
  CHECK_FALSE(resume::measures(node("a"), node("b")));
  CHECK_FALSE(resume::measures(node("a"), device("b", "g0")));
  CHECK_FALSE(resume::measures(node("a"), link_between(device("a", "g0"), device("b", "g0"))));
}

TEST_CASE("a device measures itself alone, and a group itself and the links inside") {
  CHECK(resume::measures(device("a", "g0"), device("a", "g0")));
  CHECK_FALSE(resume::measures(device("a", "g0"), device("a", "g1")));
  CHECK_FALSE(resume::measures(device("a", "g0"), node("a")));
  CHECK(resume::measures(group({"a", "b"}), group({"a", "b"})));
  CHECK(resume::measures(group({"a", "b"}), link_between(node("a"), node("b"))));
  CHECK_FALSE(resume::measures(group({"a", "b"}), link_between(node("a"), node("c"))));
  CHECK_FALSE(resume::measures(group({"a", "b"}), node("a")));
}

namespace {

model::Report report_of_hosts(const std::vector<std::string>& hosts) {
  model::Report report;
  for (const std::string& host : hosts) report.nodes.emplace_back().host = host;
  for (const auto& [id, bench, backend, placement] :
       {std::tuple("stream", "stream", "host", "node"),
        std::tuple("gemm", "gemm", "cuda", "device"), std::tuple("nccl", "pairs", "nccl", "world"),
        std::tuple("mpi", "pairs", "mpi", "world")}) {
    model::StepInfo& step = report.steps.emplace_back();
    step.id = id;
    step.bench = bench;
    step.backend = backend;
    step.placement = placement;
  }
  return report;
}

model::Cell& add_cell(model::Report& report, const std::string& step, const model::Subject& subject,
                      model::Outcome outcome) {
  model::Cell& cell = report.cells.emplace_back();
  cell.step = step;
  cell.subject = subject;
  cell.verdict.outcome = outcome;
  return cell;
}

using HostsOfSteps = std::map<std::string, std::vector<std::string>>;

HostsOfSteps failed_in(const model::Report& report) {
  return resume::hosts_of_failed(report, {"pairs-mpi"});
}

}  // namespace

TEST_CASE("nothing is left of what passed, or is waived without a number") {
  model::Report report = report_of_hosts({"a"});
  add_cell(report, "stream", node("a"), model::Outcome::kPass);
  add_cell(report, "stream", node("a"), model::Outcome::kVerified);
  add_cell(report, "gemm", device("a", "0"), model::Outcome::kWaived);
  CHECK(failed_in(report).empty());
  // A number that does not pass is excused by its waiver, and not good.
  report.cells.back().measurements.emplace_back();
  CHECK(failed_in(report) == HostsOfSteps{{"gemm", {"a"}}});
}

TEST_CASE("what did not pass is of the hosts that it is about") {
  model::Report report = report_of_hosts({"a", "b", "c", "d"});
  add_cell(report, "stream", node("c"), model::Outcome::kUnjudged);
  add_cell(report, "stream", node("b"), model::Outcome::kPass);
  add_cell(report, "gemm", device("b", "0"), model::Outcome::kFail);
  add_cell(report, "gemm", device("a", "1"), model::Outcome::kUntested);
  add_cell(report, "nccl", link_between(device("d", "0"), device("b", "0")), model::Outcome::kFail);
  CHECK(failed_in(report) ==
        HostsOfSteps{{"gemm", {"a", "b"}}, {"nccl", {"b", "d"}}, {"stream", {"c"}}});
  add_cell(report, "nccl", group({"a", "b", "c"}), model::Outcome::kFail);
  CHECK(failed_in(report).at("nccl") == std::vector<std::string>{"a", "b", "c", "d"});
}

TEST_CASE("a step is of all hosts where one of them alone tells too little") {
  const std::vector<std::string> all = {"a", "b", "c"};
  model::Report inside = report_of_hosts(all);
  add_cell(inside, "mpi", link_between(node("a"), node("b")), model::Outcome::kFail);
  CHECK(failed_in(inside) == HostsOfSteps{{"mpi", all}});
  model::Report world = report_of_hosts(all);
  add_cell(world, "nccl", device("a", "0"), model::Outcome::kFail);
  CHECK(failed_in(world) == HostsOfSteps{{"nccl", all}});
  model::Report accused = report_of_hosts(all);
  add_cell(accused, "gemm", device("a", "0"), model::Outcome::kFail).verdict.reason_id =
      model::reason_id::kPeerOutlier;
  CHECK(failed_in(accused) == HostsOfSteps{{"gemm", all}});
}
