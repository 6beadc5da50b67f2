#include <catch2/catch.hpp>

#include "benches/kit/reporter.hpp"
#include "tests/unit/kit/lines.hpp"

using namespace rackproof;
using namespace rackproof::kit;

namespace {

struct Table {
  std::string text;
  std::unique_ptr<Reporter> reporter =
      make_table_reporter([this](std::string_view line) { text += line; }, {});

  Table() {
    reporter->check({"good", true, "equal", 1, 0, {}});
    reporter->check({"bad", false, "equal", 8, 1, protocol::FirstWrong{"b[3]", "1", "2"}});
  }

  std::string row(const std::string& unit, double value, const std::string& check = "good",
                  contract::Parameters parameters = {}) {
    protocol::Metric metric;
    metric.name = "probe.rate";
    metric.unit = unit;
    metric.value = value;
    metric.samples = {value, value / 2, value / 4};
    metric.check = check;
    metric.parameters = std::move(parameters);
    reporter->metric(metric);
    return lines_of(text).back();
  }
};

}  // namespace

TEST_CASE("a row is scaled for people") {
  Table table;
  CHECK(has(table.row("B/s", 44.13e9), " 44.13 GB/s "));
  CHECK(has(table.row("B/s", 1e12), " 1.000 TB/s "));
  CHECK(has(table.row("B/s", 12), " 12.00 B/s "));
  CHECK(has(table.row("s", 3.5e-6), " 3.500 us "));
  CHECK(has(table.row("s", 5e-10), " 0.5000 ns "));
  CHECK(has(table.row("s", 90), " 90.00 s "));
  CHECK(has(table.row("ratio", 0.25), " 0.2500 ratio "));
  CHECK(has(table.row("count", 0), " 0 count "));
}

TEST_CASE("a row has its samples and its check") {
  Table table;
  const std::string good = table.row("B/s", 4e9);
  CHECK(has(good, "1.000     2.000     4.000      3  ok"));
  CHECK(has(table.row("B/s", 4e9, "bad"), "FAILED"));
  CHECK(has(table.text, "# WRONG ANSWER bad: equal: 1 of 8 wrong; first at b[3]: got 1, want 2"));
}

TEST_CASE("each parameter has a column, and other parameters a new header") {
  Table table;
  const auto headers = [&] {
    int count = 0;
    for (const auto& line : lines_of(table.text)) count += has(line, "# metric") ? 1 : 0;
    return count;
  };
  table.row("B/s", 1, "good", {{"size", std::int64_t{8}}, {"type", std::string("double")}});
  CHECK(has(table.text, "size"));
  table.row("B/s", 1, "good", {{"size", std::int64_t{16}}, {"type", std::string("float")}});
  CHECK(headers() == 1);
  table.row("B/s", 1, "good", {{"size", std::int64_t{16}}});
  CHECK(headers() == 2);
}

TEST_CASE("notes, devices and the end are comments") {
  Table table;
  table.reporter->note("two\nlines", {{"threads", std::int64_t{2}}});
  CHECK(lines_of(table.text).back() == "# two lines (threads=2)");
  table.reporter->device({"GPU-1", "H100", {{"sms", std::int64_t{132}}}});
  CHECK(lines_of(table.text).back() == "# device GPU-1: H100 (sms=132)");
  table.reporter->end({"wrong-answer", 4, 2});
  CHECK(lines_of(table.text).back() == "# wrong-answer in 2.000 s, 1 of 2 checks passed");
}

TEST_CASE("an injected fault is shouted") {
  Table table;
  protocol::Hello hello;
  hello.fault_injected = "bitflip:1:2";
  table.reporter->hello(hello);
  CHECK(has(table.text, "# FAULT INJECTED on purpose: bitflip:1:2"));
}
