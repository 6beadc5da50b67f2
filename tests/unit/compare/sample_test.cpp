#include "harness/compare/sample.hpp"

#include <catch2/catch.hpp>

namespace rackproof::compare {
namespace {

using config::ComparisonRule;

model::Cell cell_of(const model::Subject& subject, std::optional<double> observed) {
  model::Cell cell;
  cell.step = "gemm";
  cell.metric = "gemm.rate";
  cell.parameters["dtype"] = std::string("bf16");
  cell.subject = subject;
  cell.verdict.observed = observed;
  model::Measurement& measurement = cell.measurements.emplace_back();
  measurement.unit = "FLOP/s";
  measurement.better = contract::Better::kMore;
  return cell;
}

model::Report report_of(std::vector<model::Cell> cells) {
  model::Report report;
  report.run.labels["rack"] = "7";
  report.tool.version = "1.0";
  for (const char* host : {"n1", "n2"}) {
    model::NodeInventory& node = report.nodes.emplace_back();
    node.host = host;
    node.facts["kernel"] = {contract::Scalar(std::string("6.1")), "uname", ""};
    node.facts["machine.id"] = {contract::Scalar(std::string(host)), "a file", ""};
    node.facts["cores"] = {contract::Scalar(std::int64_t{host[1] - '0'}), "hwloc", ""};
    node.devices.push_back({std::string("GPU-") + host, 0, {}});
    node.devices[0].facts["gpu.driver"] = {contract::Scalar(std::string("550")), "NVML", ""};
    node.devices[0].facts["gpu.vbios"] = {std::nullopt, "NVML", "not supported"};
  }
  report.cells = std::move(cells);
  return report;
}

ComparisonRule rule(const char* fact, ComparisonRule::Of of, ComparisonRule::Must must) {
  ComparisonRule out;
  out.fact = fact;
  out.of = of;
  out.must = must;
  return out;
}

const config::ComparisonRules kTable = {
    rule("machine.id", ComparisonRule::Of::kNode, ComparisonRule::Must::kDiffer),
    rule("kernel", ComparisonRule::Of::kNode, ComparisonRule::Must::kAgree),
    rule("cores", ComparisonRule::Of::kNode, ComparisonRule::Must::kAgree),
    rule("gpu.*", ComparisonRule::Of::kDevice, ComparisonRule::Must::kAgree)};

model::Subject device_of(const std::string& host) {
  model::Subject subject;
  subject.kind = contract::SubjectKind::kDevice;
  subject.host = host;
  subject.device = "GPU-" + host;
  return subject;
}

}  // namespace

TEST_CASE("numbers are by quantity and subject, and what has none is counted") {
  const model::Subject first = device_of("n1");
  const model::Subject second = device_of("n2");
  const Sample sample =
      sample_of(report_of({cell_of(first, 5e12), cell_of(second, std::nullopt)}), kTable, "x.json");
  REQUIRE(sample.numbers.size() == 1);
  const auto& [key, numbers] = *sample.numbers.begin();
  CHECK(key.parameters == "dtype=bf16");
  CHECK(key.unit == "FLOP/s");
  CHECK(numbers.of == std::map<std::string, double>{{"n1/GPU-n1", 5e12}});
  CHECK(sample.without_number == 1);
}

TEST_CASE(
    "a number that a report keeps from the run that it amends is of that run's day, and not of "
    "this one") {
  model::Cell kept = cell_of(device_of("n1"), 5e12);
  kept.evidence_utc = "2026-01-01T00:00:00.000Z";
  const Sample sample =
      sample_of(report_of({kept, cell_of(device_of("n2"), 4e12)}), kTable, "x.json");
  REQUIRE(sample.numbers.size() == 1);
  CHECK(sample.numbers.begin()->second.of == std::map<std::string, double>{{"n2/GPU-n2", 4e12}});
  CHECK(sample.measured_before == 1);
  CHECK(sample.without_number == 0);
}

TEST_CASE(
    "facts that may explain are those that ought to be equal, and what the run was made with") {
  const Sample sample = sample_of(report_of({cell_of(device_of("n1"), 5e12)}), kTable, "x.json");
  const auto& facts = sample.facts_of.at("n1/GPU-n1");
  CHECK(facts.at("kernel") == "6.1");
  CHECK(facts.at("gpu.driver") == "550");
  CHECK(facts.at("label.rack") == "7");
  CHECK(facts.at("rackproof.version") == "1.0");
  CHECK(facts.count("machine.id") == 0);
  CHECK(facts.count("gpu.vbios") == 0);
}

TEST_CASE("a group has the facts that all its hosts share") {
  model::Subject world;
  world.kind = contract::SubjectKind::kGroup;
  world.group = "world";
  world.members = {"n1", "n2"};
  const Sample sample = sample_of(report_of({cell_of(world, 5e12)}), kTable, "x.json");
  const auto& facts = sample.facts_of.begin()->second;
  CHECK(facts.at("kernel") == "6.1");
  CHECK(facts.count("cores") == 0);
}

}  // namespace rackproof::compare
