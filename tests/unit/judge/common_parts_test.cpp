#include "harness/judge/common_parts.hpp"

#include <catch2/catch.hpp>

#include "reports/model/finding_id.hpp"

namespace contract = rackproof::contract;
namespace judge = rackproof::judge;
namespace model = rackproof::model;

namespace {

model::Finding naming(const char* id, const std::string& subject, std::int64_t failed) {
  model::Finding finding;
  finding.id = id;
  finding.severity = model::Severity::kWarning;
  finding.subject = subject;
  finding.text = subject + " is behind it";
  finding.evidence["links_failed"] = failed;
  return finding;
}

model::Report with_a_gpu() {
  model::Report report;
  model::NodeInventory& node = report.nodes.emplace_back();
  node.host = "gb-07";
  node.devices.push_back({"GPU-a", 3, {}});
  return report;
}

model::Cell cell_of(contract::SubjectKind kind) {
  model::Cell cell;
  cell.subject.kind = kind;
  cell.subject.host = "gb-07";
  cell.subject.device = "GPU-a";
  return cell;
}

}  // namespace

TEST_CASE("what failed links have in common is said before them, hosts first and each once") {
  model::Report report = with_a_gpu();
  report.findings = {naming(model::finding_id::kLocalised, "gb-07 GPU 3", 7),
                     naming(model::finding_id::kLocalised, "gb-09", 7),
                     naming(model::finding_id::kSlowHost, "gb-09", 0),
                     naming(model::finding_id::kLocalised, "gb-11", 0)};
  const model::Cell link = cell_of(contract::SubjectKind::kLink);
  CHECK(judge::common_parts(report, {&link}) ==
        "gb-09: gb-09 is behind it; gb-07 GPU 3 is behind it; ");
}

TEST_CASE("a device whose own cells failed is named by them, a host is not") {
  model::Report report = with_a_gpu();
  report.findings = {naming(model::finding_id::kLocalised, "gb-07 GPU 3", 7)};
  const model::Cell device = cell_of(contract::SubjectKind::kDevice);
  CHECK(judge::common_parts(report, {&device}).empty());
  report.findings = {naming(model::finding_id::kLocalised, "gb-07", 7)};
  CHECK(judge::common_parts(report, {&device}) == "gb-07 is behind it; ");
  const model::Cell node = cell_of(contract::SubjectKind::kNode);
  CHECK(judge::common_parts(report, {&node}) == "gb-07 is behind it; ");
  CHECK(judge::common_parts({}, {}).empty());
}
