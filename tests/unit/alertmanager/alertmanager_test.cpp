#include "reports/alertmanager/alertmanager.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "reports/json/report_json.hpp"
#include "reports/model/words.hpp"
#include "tests/unit/rendered.hpp"

namespace rackproof::alertmanager {

using namespace rendered;
using model::Acceptance;
using model::Outcome;
using model::Severity;
using nlohmann::json;

namespace {

json alerts_in(const model::Report& report) { return json::parse(render(report)); }

std::string label_in(const json& alert, const char* name) {
  return alert.at("labels").value(name, "");
}

/// A rejected run of a host with two GPUs.
model::Report rejected_run() {
  model::Report report;
  report.run.id = "r1";
  report.run.labels = {{"rack", "7"}};
  report.run.began_utc = "2030-01-31T12:00:00.250Z";
  report.run.ended_utc = "2030-01-31T13:00:00.000Z";
  report.suite.id = "acceptance";
  report.acceptance = Acceptance::kRejected;
  report.acceptance_reason = "1 of 2 required cells fails";
  model::NodeInventory& node = report.nodes.emplace_back();
  node.host = "node1";
  node.devices = {{"GPU-a", 0, {}}, {"GPU-b", 1, {}}};
  model::Cell cell = cell_of("node1", Outcome::kFail);
  cell.subject.kind = contract::SubjectKind::kDevice;
  cell.subject.device = "GPU-b";
  cell.verdict.reason_id = "below-limit";
  report.cells = {cell, cell_of("node1", Outcome::kPass)};
  return report;
}

model::Finding finding_about(const std::string& subject, const std::string& id, Severity severity) {
  return {id, severity, subject, "something of " + subject, "", {}};
}

}  // namespace

TEST_CASE("the sample report for Alertmanager is the golden one") {
  golden::check("report/sample.alerts.json",
                render(model::report_from_json(golden::read("report/sample.report.json"))));
}

TEST_CASE("an accepted run tells nobody anything") {
  model::Report report = rejected_run();
  report.acceptance = Acceptance::kAccepted;
  report.cells.erase(report.cells.begin());
  report.findings = {finding_about("node1", "unsteady", Severity::kWarning)};
  CHECK(render(report) == "[]\n");
}

TEST_CASE("a rejected run is one alert, and each part that failed another") {
  const json alerts = alerts_in(rejected_run());
  REQUIRE(alerts.size() == 2);
  CHECK(alerts[0]["labels"] == json({{"alertname", "RackproofNotAccepted"},
                                     {"acceptance", "rejected"},
                                     {"rack", "7"},
                                     {"run", "r1"},
                                     {"severity", "critical"},
                                     {"suite", "acceptance"}}));
  CHECK(alerts[0]["annotations"]["summary"] ==
        "REJECTED 1 host, 2 GPUs: 1 of 2 required cells fails");
  CHECK(alerts[0]["startsAt"] == "2030-01-31T13:00:00.000Z");
  CHECK_FALSE(alerts[0].contains("generatorURL"));
  CHECK(alerts[1]["labels"] == json({{"alertname", "RackproofPartFailed"},
                                     {"device", "GPU-b"},
                                     {"gpu", "1"},
                                     {"host", "node1"},
                                     {"part", "node1 GPU 1 (GPU-b)"},
                                     {"rack", "7"},
                                     {"run", "r1"},
                                     {"severity", "critical"},
                                     {"subject", "node1/GPU-b"},
                                     {"suite", "acceptance"}}));
  CHECK(alerts[1]["annotations"]["summary"] == "node1 GPU 1 (GPU-b): 1 too slow (below-limit)");
  CHECK(has(alerts[1]["annotations"]["description"], "limit >= 10 GB/s"));
  CHECK_FALSE(alerts[1]["annotations"]["action"].get<std::string>().empty());
}

TEST_CASE("what is incomplete or only verified is a warning") {
  for (const auto acceptance : {Acceptance::kIncomplete, Acceptance::kVerified}) {
    model::Report report = rejected_run();
    report.acceptance = acceptance;
    report.cells.clear();
    const json alerts = alerts_in(report);
    REQUIRE(alerts.size() == 1);
    CHECK(label_in(alerts[0], "severity") == "warning");
    CHECK(label_in(alerts[0], "acceptance") == contract::word(acceptance));
  }
}

TEST_CASE("findings of one id about a part are one alert, and about a part that failed none") {
  model::Report report = rejected_run();
  report.findings = {finding_about("node1/GPU-b", "flaky", Severity::kError),
                     finding_about("node1/GPU-a", "flaky", Severity::kError),
                     finding_about("node1/GPU-a", "flaky", Severity::kIsolate),
                     finding_about("node1/GPU-a", "rank-lost", Severity::kError),
                     finding_about("the run", "not-all-there", Severity::kError),
                     finding_about("the run", "partial-selection", Severity::kWarning)};
  const json alerts = alerts_in(report);
  REQUIRE(alerts.size() == 5);
  CHECK(has(alerts[1]["annotations"]["description"], "flaky: something of node1/GPU-b"));
  CHECK(label_in(alerts[2], "part") == "node1 GPU 0 (GPU-a)");
  CHECK(label_in(alerts[2], "gpu") == "0");
  CHECK(label_in(alerts[2], "finding") == "flaky");
  CHECK(label_in(alerts[2], "severity") == "critical");
  CHECK(label_in(alerts[3], "finding") == "rank-lost");
  CHECK(label_in(alerts[3], "severity") == "warning");
  CHECK(label_in(alerts[4], "subject") == "the run");
  CHECK(label_in(alerts[4], "host").empty());
  std::set<std::string> labels;
  for (const json& alert : alerts) labels.insert(alert["labels"].dump());
  CHECK(labels.size() == alerts.size());
}

TEST_CASE("a finding about a rank has the host of its evidence") {
  model::Report report = rejected_run();
  report.findings = {finding_about("rank 3 on node1", "rank-lost", Severity::kError),
                     finding_about("rank 4 on node9", "rank-lost", Severity::kError)};
  report.findings[0].evidence["host"] = std::string("node1");
  report.findings[1].evidence["host"] = std::string("node9");
  const json alerts = alerts_in(report);
  REQUIRE(alerts.size() == 4);
  CHECK(label_in(alerts[2], "host") == "node1");
  CHECK(label_in(alerts[3], "host").empty());
}

TEST_CASE("cells that are not required are nobody's alert") {
  model::Report report = rejected_run();
  report.cells[0].required = false;
  CHECK(alerts_in(report).size() == 1);
}

TEST_CASE("a link has both of its ends") {
  model::Report report = rejected_run();
  report.cells = {link_of("node1", "node2", 4e9, Outcome::kFail)};
  const json alerts = alerts_in(report);
  REQUIRE(alerts.size() == 2);
  CHECK(label_in(alerts[1], "host") == "node1");
  CHECK(label_in(alerts[1], "peer_host") == "node2");
  CHECK_FALSE(alerts[1]["labels"].contains("device"));
}

TEST_CASE("only the address of a page is one, and only a time a time") {
  model::Report report = rejected_run();
  const auto address_of = [&report](const std::string& url) {
    report.run.labels["url"] = url;
    return alerts_in(report)[0].value("generatorURL", "");
  };
  for (const char* good :
       {"https://ci.example/rack7/", "http://10.0.0.1:8080/a%20b?x=1", "https://ci.example"}) {
    CHECK(address_of(good) == good);
  }
  for (const char* bad : {"", "rack7", "file:///etc/passwd", "https://", "https://a:b/",
                          "https://a:", "https://a b/", "https://a/%2", "https://a/%zz",
                          "https://a/\n", "javascript:alert(1)", "https://u@a/", "https://a/[1]"}) {
    CHECK(address_of(bad).empty());
  }
  report.run.ended_utc.clear();
  CHECK(alerts_in(report)[0]["startsAt"] == report.run.began_utc);
  report.run.began_utc = "yesterday";
  CHECK_FALSE(alerts_in(report)[0].contains("startsAt"));
}

TEST_CASE("hostile text stays in its value, and empty labels are left out") {
  model::Report report = hostile();
  report.run.labels["rack"] = kHostile;
  report.run.labels["url"] = kHostile;
  report.acceptance = Acceptance::kRejected;
  const std::string text = render(report);
  CHECK_FALSE(has(text, "\x1b"));
  CHECK_FALSE(has(text, "\\u00"));
  CHECK_FALSE(has(text, "\xE2\x80\xAE"));
  const json alerts = json::parse(text);
  REQUIRE(alerts.size() > 1);
  for (const json& alert : alerts) {
    CHECK_FALSE(alert.contains("generatorURL"));
    CHECK_FALSE(alert.contains("startsAt"));
    for (const auto& [name, value] : alert["labels"].items()) {
      CHECK(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos);
      CHECK_FALSE(value.get<std::string>().empty());
    }
  }
}

}  // namespace rackproof::alertmanager
