#include <catch2/catch.hpp>

#include "harness/inventory/collectors.hpp"
#include "tests/unit/inventory/machine.hpp"

namespace rackproof::inventory {
namespace {

FactSheet state_of(const FileTree& tree) {
  FactSheet sheet;
  collect_kernel_state(tree, sheet);
  return sheet;
}

FactSheet state_of(const Machine& machine) { return state_of(FileTree(machine.root())); }

}  // namespace

TEST_CASE("isolated cores and mitigations of a recorded machine") {
  const FactSheet sheet = state_of(Machine("dgx-h100"));
  CHECK(text_in(sheet, "cpu.isolated") == "2-3");
  CHECK(text_in(sheet, "cpu.nohz_full") == "none");
  CHECK(text_in(sheet, "cpu.smt_control") == "on");
  CHECK(text_in(sheet, "cpu.idle_driver") == "intel_idle");
  CHECK(text_in(sheet, "cpu.vulnerability.meltdown") == "Not affected");
  CHECK(text_in(sheet, "cpu.vulnerability.spectre_v2").starts_with("Mitigation: Enhanced"));
  CHECK(why_in(sheet, "time.synchronised") == "the files of another machine are being read");
}

TEST_CASE("kernel modules with their version or whether they are loaded") {
  const FactSheet sheet = state_of(Machine("dgx-h100"));
  CHECK(text_in(sheet, "module.nvidia") == "570.86.15");
  CHECK(text_in(sheet, "module.mlx5_core") == "loaded");
  CHECK(text_in(sheet, "module.gdrdrv") == "not loaded");
}

TEST_CASE("a kernel that tells nothing gives reasons") {
  const FactSheet sheet = state_of(Machine());
  CHECK(why_in(sheet, "cpu.vulnerabilities") == "the kernel does not list them");
  CHECK(why_in(sheet, "module.nvidia") == "the kernel shows no modules");
  CHECK(why_in(sheet, "cpu.isolated") == "No such file or directory");
}

TEST_CASE("this machine says whether its clock is synchronised") {
  const FactSheet sheet = state_of(FileTree(""));
  const model::Fact* fact = sheet.find("time.synchronised");
  REQUIRE(fact);
  CHECK((fact->value.has_value() || !fact->unreadable.empty()));
  if (fact->value) CHECK(number_in(sheet, "time.maximum_error_seconds") >= 0);
}

}  // namespace rackproof::inventory
