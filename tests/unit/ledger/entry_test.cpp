#include "harness/ledger/entry.hpp"

#include <catch2/catch.hpp>

#include "harness/support/errors.hpp"
#include "tests/unit/ledger/fleet.hpp"

namespace rackproof::ledger {
namespace {

using model::Outcome;
using namespace ledger_test;

const PartSeen& part_of(const Entry& entry, const std::string& code) {
  for (const PartSeen& part : entry.parts) {
    if (part.code == code) return part;
  }
  FAIL("no part " << code);
  return entry.parts.front();
}

model::Report two_gpus() {
  model::Report report = run_on(1);
  model::NodeInventory& host = add_host(report, "n1");
  host.facts["machine.serial"] = fact("MX1");
  add_gpu(host, "GPU-a", 0, "165");
  add_gpu(host, "GPU-b", 1);
  return report;
}

TEST_CASE("parts have their place and what became of them") {
  model::Report report = two_gpus();
  add_cell(report, node("n1"), Outcome::kPass);
  add_cell(report, device("n1", "GPU-a"), Outcome::kFail, 60);
  add_cell(report, device("n1", "GPU-a"), Outcome::kPass, 90, "copy.rate");
  add_cell(report, device("n1", "GPU-b"), Outcome::kFail).required = false;
  for (const char* table : {"hgx-h200", "rack-switch"}) report.platforms.emplace_back().id = table;
  const Entry entry = entry_of(report, "d", "/r");
  CHECK(entry.rack == "rack7");
  CHECK(entry.platform == "hgx-h200, rack-switch");
  CHECK(part_of(entry, "n1").place.serial == "MX1");
  const PartSeen& gpu = part_of(entry, "GPU-a");
  CHECK(gpu.place == Place{"n1", "0", "0000:10:00.0", "165"});
  CHECK(name_of(gpu.kind, gpu.place) == "n1 GPU 0");
  CHECK(gpu.tally.required.fail == 1);
  CHECK(gpu.tally.required.pass == 1);
  CHECK(gpu.tally.worst == Approx(0.25));
  CHECK(outcome_of(gpu.tally) == Outcome::kFail);
  CHECK(outcome_of(part_of(entry, "GPU-b").tally) == std::nullopt);
  REQUIRE(entry.failures.size() == 1);
  CHECK(entry.failures[0].reason == "below the limit");
  CHECK(entry.failures[0].shortfall == Approx(0.25));
}

TEST_CASE("a link counts for both of its ends and for neither as its own") {
  model::Report report = two_gpus();
  model::Subject link = device("n1", "GPU-a");
  link.kind = contract::SubjectKind::kLink;
  link.peer_host = "n1";
  link.peer_device = "GPU-b";
  add_cell(report, link, Outcome::kFail, 10);
  const Entry entry = entry_of(report, "d", "/r");
  for (const char* code : {"GPU-a", "GPU-b"}) {
    CHECK(part_of(entry, code).tally.failed_links == 1);
    CHECK(outcome_of(part_of(entry, code).tally) == std::nullopt);
  }
}

TEST_CASE("findings are of the part that they name") {
  model::Report report = two_gpus();
  report.findings.push_back(
      {"hardware-event", model::Severity::kIsolate, "n1/GPU-b", "Xid 79", "", {}});
  report.findings.push_back({"localised", model::Severity::kWarning, "n1 GPU 0", "slow", "", {}});
  report.findings.push_back({"cells-waived", model::Severity::kInfo, "n1", "told", "", {}});
  report.findings.push_back({"not-all-there", model::Severity::kError, "the run", "less", "", {}});
  const Entry entry = entry_of(report, "d", "/r");
  REQUIRE(entry.findings.size() == 2);
  CHECK(entry.parts[entry.findings[0].part].code == "GPU-b");
  CHECK(entry.parts[entry.findings[1].part].code == "GPU-a");
  CHECK(outcome_of(part_of(entry, "GPU-b").tally) == Outcome::kFail);
  CHECK(outcome_of(part_of(entry, "GPU-a").tally) == std::nullopt);
}

TEST_CASE("a waived cell has the terms of the waiver that is about it and not over") {
  model::Report report = two_gpus();
  add_cell(report, device("n1", "GPU-a"), Outcome::kWaived).verdict.reason_id =
      model::reason_id::kWaivedBySite;
  model::CellWaiver over;
  over.until = "2026-02-01";
  over.approved_by = "nobody";
  model::CellWaiver other;
  other.subject = "GPU-b";
  other.until = "2026-12-31";
  other.approved_by = "nobody";
  model::CellWaiver used;
  used.metric = "gemm.*";
  used.until = "2026-12-31";
  used.approved_by = "J. Doe";
  used.ticket = "OPS-17";
  report.run.waivers = {over, other, used};
  const Entry entry = entry_of(report, "d", "/r");
  REQUIRE(entry.waivers.size() == 1);
  CHECK(entry.waivers[0].until == "2026-12-31");
  CHECK(entry.waivers[0].approved_by == "J. Doe");
  CHECK(entry.waivers[0].ticket == "OPS-17");
  report.cells[0].verdict.reason_id = model::reason_id::kWaivedBySuite;
  CHECK(entry_of(report, "d", "/r").waivers[0].until.empty());
}

TEST_CASE("how far a value is on the wrong side is a share below one") {
  model::Verdict verdict;
  verdict.observed = 60;
  verdict.limit_low = 80;
  CHECK(shortfall_of(verdict) == Approx(0.25));
  verdict.limit_low.reset();
  verdict.limit_high = 30;
  CHECK(shortfall_of(verdict) == Approx(0.5));
  verdict.deficit = 0.07;
  CHECK(shortfall_of(verdict) == Approx(0.07));
  model::Verdict wrong;
  wrong.observed = 90;
  wrong.limit_low = 80;
  CHECK(shortfall_of(wrong) == std::nullopt);
  wrong.observed.reset();
  CHECK(shortfall_of(wrong) == std::nullopt);
}

TEST_CASE("a report with one cell twice is refused") {
  model::Report report = two_gpus();
  add_cell(report, device("n1", "GPU-a"), Outcome::kPass);
  add_cell(report, device("n1", "GPU-a"), Outcome::kPass);
  CHECK_THROWS_WITH(entry_of(report, "d", "/r"),
                    Catch::Contains("/r: has the cell") && Catch::Contains("twice"));
}

}  // namespace
}  // namespace rackproof::ledger
