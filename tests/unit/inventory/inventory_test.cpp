#include "harness/inventory/inventory.hpp"

#include <catch2/catch.hpp>

#include "reports/catalogue/quantity.hpp"
#include "tests/unit/inventory/machine.hpp"

namespace rackproof::inventory {
namespace {

void check_honest(const model::NodeInventory& node) {
  for (const auto& [name, fact] : node.facts) {
    INFO(name);
    CHECK(fact.value.has_value() != !fact.unreadable.empty());
    CHECK_FALSE(fact.source.empty());
    const catalogue::Quantity* const described = catalogue::find_fact(name);
    REQUIRE(described != nullptr);
    // A limit may be "unlimited"; what has no unit is never a number.
    const bool number = fact.value && (std::holds_alternative<std::int64_t>(*fact.value) ||
                                       std::holds_alternative<double>(*fact.value));
    CHECK((!number || !described->unit.empty()));
  }
}

}  // namespace

TEST_CASE("every fact is described, and has a source, and a value or a reason") {
  check_honest(collect(Machine("epyc-two-sockets").root()));
  check_honest(collect(Machine("grace").root()));
  check_honest(collect(Machine("dgx-h100").root()));
  check_honest(collect(Machine().root()));
  check_honest(collect(Machine().root() + "/does/not/exist"));
}

TEST_CASE("a recorded machine does not mix with this one") {
  const model::NodeInventory node = collect(Machine("epyc-two-sockets").root());
  CHECK(node.host == "epyc01");
  CHECK_FALSE(node.facts.at("library.libc").value);
  CHECK_FALSE(node.facts.at("topology.cores").value);
  CHECK(collect(Machine().root()).host == "unknown-host");
}

TEST_CASE("this machine") {
  const model::NodeInventory node = collect();
  check_honest(node);
  CHECK_FALSE(node.host.empty());
  CHECK(model::number_of(node, "memory.total_bytes").value_or(0) > 0);
  CHECK(model::number_of(node, "cpu.threads").value_or(0) >= 1);
  CHECK(model::number_of(node, "topology.threads").value_or(0) >= 1);
  CHECK(model::text_of(node, "library.libc").value_or("").find("glibc 2.") == 0);
  CHECK(model::text_of(node, "library.hwloc").value_or("").find("2.") == 0);
}

TEST_CASE("the same machine twice has the same names") {
  const Machine machine("grace");
  CHECK(collect(machine.root()) == collect(machine.root()));
}

}  // namespace rackproof::inventory
