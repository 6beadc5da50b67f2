#include "reports/model/finding.hpp"

#include <catch2/catch.hpp>

namespace rackproof::model {
namespace {

Finding odd_governor() {
  Finding finding;
  finding.id = "config-mismatch";
  finding.severity = Severity::kIsolate;
  finding.subject = "node3";
  finding.text = "cpu.governor is powersave";
  finding.evidence["fact"] = std::string("cpu.governor");
  return finding;
}

}  // namespace

TEST_CASE("a suppressed finding is told with its reason and judges nothing") {
  Finding finding = odd_governor();
  CHECK(suppress(finding, {{"config-*", "node*", "cpu.*", "ordered parts", "2026-11-22"}},
                 "2026-11-22T23:59:59Z"));
  CHECK(finding.severity == Severity::kInfo);
  CHECK(finding.text == "cpu.governor is powersave; suppressed until 2026-11-22: ordered parts");
}

TEST_CASE("a suppression ends after its last day and the finding says so") {
  Finding finding = odd_governor();
  CHECK_FALSE(suppress(finding, {{"", "", "cpu.governor", "ordered parts", "2026-11-22"}},
                       "2026-11-23T00:00:00Z"));
  CHECK(finding.severity == Severity::kIsolate);
  CHECK(finding.text == "cpu.governor is powersave; its suppression ended on 2026-11-22");
}

TEST_CASE("a suppression of something else leaves a finding as it is") {
  for (const Suppression& other : {Suppression{"gpu-missing", "", "", "r", "2099-01-01"},
                                   Suppression{"", "node4", "", "r", "2099-01-01"},
                                   Suppression{"", "", "gpu.*", "r", "2099-01-01"}}) {
    Finding finding = odd_governor();
    CHECK_FALSE(suppress(finding, {other}, "2026-11-22"));
    CHECK(finding == odd_governor());
  }
  Finding without_fact = odd_governor();
  without_fact.evidence.clear();
  CHECK_FALSE(suppress(without_fact, {{"", "", "*", "r", "2099-01-01"}}, "2026-11-22"));
}

}  // namespace rackproof::model
