#include <catch2/catch.hpp>

#include "harness/inventory/collectors.hpp"
#include "tests/unit/inventory/machine.hpp"

namespace rackproof::inventory {
namespace {

FactSheet modules_of(const Machine& machine) {
  FactSheet sheet;
  collect_memory_modules(FileTree(machine.root()), sheet);
  return sheet;
}

void put(std::string& raw, std::size_t at, std::size_t count, std::uint64_t value) {
  for (std::size_t i = 0; i < count; ++i) raw[at + i] = static_cast<char>(value >> 8 * i & 0xffU);
}

/// A structure of SMBIOS type 17, version 3.
std::string slot(std::uint64_t size, std::uint64_t extended_mebibytes, std::uint64_t speed) {
  std::string raw(0x5c, '\0');
  raw[0] = 17;
  raw[1] = 0x5c;
  put(raw, 0x0c, 2, size);
  put(raw, 0x1c, 4, extended_mebibytes);
  put(raw, 0x20, 2, speed);
  return raw;
}

std::string entry(int number) {
  return "/sys/firmware/dmi/entries/17-" + std::to_string(number) + "/raw";
}

}  // namespace

TEST_CASE("memory modules from the tables of the firmware") {
  const Machine machine;
  machine.write(entry(0), slot(0x7fff, 65536, 4800));
  machine.write(entry(1), slot(0x7fff, 65536, 4400));
  machine.write(entry(2), slot(16384, 0, 4800));
  machine.write(entry(3), slot(0, 0, 0));
  machine.write("/sys/firmware/dmi/entries/16-0/raw", "not a module");
  const FactSheet sheet = modules_of(machine);
  CHECK(number_in(sheet, "memory.module_slots") == 4);
  CHECK(number_in(sheet, "memory.modules") == 3);
  CHECK(text_in(sheet, "memory.module_bytes") == "1 x 17179869184, 2 x 68719476736");
  CHECK(number_in(sheet, "memory.speed_transfers_per_second") == 4.4e9);
}

TEST_CASE("a module in kibibytes and one of unknown size") {
  const Machine machine;
  machine.write(entry(0), slot(0x8000 | 512, 0, 0xffff));
  machine.write(entry(1), slot(0xffff, 0, 0));
  const FactSheet sheet = modules_of(machine);
  CHECK(text_in(sheet, "memory.module_bytes") == "1 x 524288");
  CHECK(why_in(sheet, "memory.speed_transfers_per_second") == "the firmware does not tell it");
}

TEST_CASE("a table that is cut off gives no module and no crash") {
  const Machine machine;
  machine.write(entry(0), "\x11\x5c");
  CHECK(number_in(modules_of(machine), "memory.modules") == 0);
}

TEST_CASE("errors that the memory controllers counted") {
  FactSheet sheet = modules_of(Machine("dgx-h100"));
  CHECK(number_in(sheet, "memory.errors_corrected") == 3);
  CHECK(number_in(sheet, "memory.errors_uncorrected") == 0);
  CHECK(why_in(sheet, "memory.modules") == "the firmware has no table of them");
  sheet = modules_of(Machine());
  CHECK(why_in(sheet, "memory.errors_corrected") == "no memory controller is watched (EDAC)");
}

}  // namespace rackproof::inventory
