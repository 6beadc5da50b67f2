#include "harness/redaction/redaction.hpp"

#include <catch2/catch.hpp>

#include "reports/json/report_json.hpp"

using namespace rackproof;
using Catch::Contains;

namespace {

model::Report report_of(const std::string& host) {
  model::Report report;
  model::NodeInventory node;
  node.host = host;
  node.facts["host.name"] = {contract::Scalar(host), "/proc", ""};
  node.facts["machine.serial"] = {contract::Scalar(std::string("SN-4711")), "/sys", ""};
  node.facts["library.cublas"] = {contract::Scalar(std::string("12.9.1.4")), "dlopen", ""};
  node.devices.push_back({"GPU-8f0e1d2c-1111-2222-3333-444455556666", 0, {}});
  report.nodes.push_back(node);
  report.run.command = {"/home/ada/rackproof", "run", "--label", "at=" + host};
  report.platform_of_host[host] = "host-generic";
  model::Cell cell;
  cell.id = "step/" + host;
  cell.step = "step";
  cell.metric = "fake.rate";
  cell.subject.host = host;
  cell.verdict.reason = host + " said SN-4711 to 10.0.0.1";
  report.cells.push_back(cell);
  return report;
}

std::string redact(const model::Report& report, redaction::Aliases& aliases) {
  return redaction::redacted(report, model::to_json(report), aliases);
}

}  // namespace

TEST_CASE("no name is left, and each has one alias everywhere") {
  const model::Report report = report_of("rack7-n1.site.example");
  redaction::Aliases aliases("key");
  const std::string text = redact(report, aliases);
  CHECK(redaction::leaks(text, aliases).empty());
  for (const char* raw : {"rack7", "site.example", "SN-4711", "8f0e1d2c", "ada", "10.0.0.1"}) {
    CHECK_THAT(text, !Contains(raw));
  }
  CHECK_THAT(text, Contains("12.9.1.4"));
  const model::Report clean = model::report_from_json(text);
  const std::string alias = clean.nodes.front().host;
  CHECK(clean.cells.front().subject.host == alias);
  CHECK(clean.cells.front().id == "step/" + alias);
  CHECK(clean.platform_of_host.count(alias) == 1);
  CHECK_THAT(clean.nodes.front().devices.front().uuid, Catch::StartsWith("GPU-"));
}

TEST_CASE("switches and cables are named no more than hosts, and a mere number stays") {
  model::Report report = report_of("n1");
  auto& facts = report.nodes.front().facts;
  facts["fabric.mlx5_0.leaf"] = {contract::Scalar(std::string("MF0;berlin-leaf2:MQM9700/U1")),
                                 "/home/ada/fabric.txt:3", ""};
  facts["fabric.mlx5_0.cable_serial"] = {contract::Scalar(std::string("MT2325VS01234")), "f:3", ""};
  facts["fabric.mlx5_1.leaf"] = {contract::Scalar(std::string("31")), "f:4", ""};
  report.cells.front().verdict.reason =
      "n1 (NIC mlx5_0, MF0;berlin-leaf2:MQM9700/U1 port 31, cable MT2325VS01234)";
  redaction::Aliases aliases("key");
  const std::string text = redact(report, aliases);
  for (const char* raw : {"berlin", "MT2325VS01234", "ada"}) CHECK_THAT(text, !Contains(raw));
  CHECK_THAT(text, Contains("port 31, cable part"));
}

TEST_CASE("the same key gives the same aliases, another key others") {
  redaction::Aliases first("key");
  redaction::Aliases again("key");
  redaction::Aliases other("another");
  CHECK(redact(report_of("n1"), first) == redact(report_of("n1"), again));
  CHECK(redact(report_of("n1"), first) != redact(report_of("n1"), other));
}

TEST_CASE("a host may be called like a word of the format") {
  for (const char* host : {"host", "node", "run", "step", "fake"}) {
    redaction::Aliases aliases("key");
    const model::Report clean = model::report_from_json(redact(report_of(host), aliases));
    CHECK(clean.cells.size() == 1);
    CHECK(clean.nodes.front().host != host);
  }
}

TEST_CASE("what is left in a text is found") {
  redaction::Aliases aliases("key");
  aliases.of(redaction::Form::kHost, "n1");
  aliases.of(redaction::Form::kHost, "longname");
  CHECK(redaction::leaks("an n12 and a hash 77n19f", aliases).empty());
  CHECK(redaction::leaks("on N1.", aliases) == std::vector<std::string>{"n1"});
  CHECK(redaction::leaks("xxLongNamexx", aliases) == std::vector<std::string>{"longname"});
}
