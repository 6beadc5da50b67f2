#include "harness/telemetry/file_columns.hpp"

#include <catch2/catch.hpp>

#include "harness/telemetry/missing.hpp"
#include "tests/unit/telemetry/scratch.hpp"

namespace rackproof::telemetry {
namespace {

double one(FileColumns& columns, std::uint64_t index = 0, bool all = false) {
  double value = 0;
  columns.read({index, all}, std::span(&value, 1));
  return value;
}

FileColumns column_of(const std::string& path, FileColumn more = {}) {
  more.column.name = "counter";
  more.path = path;
  return FileColumns({more});
}

}  // namespace

TEST_CASE("a file is a number, or nothing with the reason") {
  const Scratch scratch;
  const std::string path = scratch.path("counter");
  FileColumns columns = column_of(path);
  CHECK(why_missing(one(columns)) == "No such file or directory");
  for (const char* nonsense : {"", "\n", "N/A (no PMA)", "12x", "0x10", "1 2", "-", "1e5", "-1"}) {
    INFO(nonsense);
    write_text(path, nonsense);
    FileColumns fresh = column_of(path);
    CHECK(why_missing(one(fresh)) == "what was read is no such value");
  }
  write_text(path, "0\n");
  CHECK(one(columns) == 0);
  write_text(path, "18446744073709551615\n");
  CHECK(one(columns) == 0x1p64);
}

TEST_CASE("numbers beyond what the sensor can say are nonsense") {
  const Scratch scratch;
  write_text(scratch.path("t"), "300000");
  FileColumn bounds;
  bounds.most = 250'000;
  bounds.least = -100'000;
  bounds.scale = 1e-3;
  FileColumns columns = column_of(scratch.path("t"), bounds);
  CHECK_FALSE(is_value(one(columns)));
  write_text(scratch.path("t"), "-5500");
  CHECK(one(columns) == Approx(-5.5));
}

TEST_CASE("a counter that begins again goes on") {
  const Scratch scratch;
  FileColumn energy;
  energy.wraps_at = 1000;
  FileColumns columns = column_of(scratch.path("e"), energy);
  std::vector<double> seen;
  for (const char* text : {"900", "990", "40", "41", "3"}) {
    write_text(scratch.path("e"), text);
    seen.push_back(one(columns));
  }
  CHECK(seen == std::vector<double>{900, 990, 1040, 1041, 2003});
}

TEST_CASE("what is dear is read at some samples and at the last") {
  const Scratch scratch;
  write_text(scratch.path("c"), "7");
  FileColumn seldom;
  seldom.every = 10;
  FileColumns columns = column_of(scratch.path("c"), seldom);
  CHECK(one(columns, 0) == 7);
  CHECK(is_not_due(one(columns, 1)));
  CHECK(one(columns, 20) == 7);
  CHECK(one(columns, 21, true) == 7);
}

}  // namespace rackproof::telemetry
