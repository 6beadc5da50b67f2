#include "benches/kit/options.hpp"

#include <catch2/catch.hpp>

#include "benches/kit/errors.hpp"
#include "tests/unit/kit/lines.hpp"

using namespace rackproof::kit;

namespace {

struct Line {
  bool quick = false;
  std::int64_t count = 3;
  double seconds = 1.5;
  std::string label = "none";
  std::string type = "double";
  std::vector<std::string> types{"double"};
  std::vector<std::string> shapes{"64x64"};
  std::int64_t size = 1024;
};

struct Program {
  Line line;
  Options options{"probe-host", "probes", "probe-host --count 2"};

  Program() {
    options.flag("quick", line.quick, "be quick");
    options.integer("count", line.count, 1, 100, "how many");
    options.number("seconds", line.seconds, 0, 60, "how long");
    options.text("label", line.label, "any words");
    options.choice("type", line.type, {"double", "float"}, "element type");
    options.choices("types", line.types, {"double", "float", "int8"}, "element types");
    options.list("shapes", line.shapes, "shapes");
    options.bytes("size", line.size, 8, std::int64_t{1} << 40, "bytes an array");
  }
};

std::string refusal(const std::vector<std::string>& words) {
  Program program;
  try {
    program.options.parse(words);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("options are read into their targets") {
  Program p;
  p.options.parse({"--quick", "--count", "7", "--seconds=0.25", "--label", "a b", "--type", "float",
                   "--types", "int8,double", "--shapes", "1x2,3x4", "--size", "32M"});
  CHECK(p.line.quick);
  CHECK(p.line.count == 7);
  CHECK(p.line.seconds == 0.25);
  CHECK(p.line.label == "a b");
  CHECK(p.line.type == "float");
  CHECK(p.line.types == std::vector<std::string>{"int8", "double"});
  CHECK(p.line.shapes == std::vector<std::string>{"1x2", "3x4"});
  CHECK(p.line.size == 32 << 20);
}

TEST_CASE("no words leave the defaults") {
  Program p;
  p.options.parse({});
  CHECK_FALSE(p.line.quick);
  CHECK(p.line.count == 3);
  CHECK(p.line.types == std::vector<std::string>{"double"});
}

TEST_CASE("each bad word has one plain sentence") {
  CHECK(refusal({"--count", "0"}) == "--count takes 1 to 100, not 0");
  CHECK(has(refusal({"--count", "x"}), "--count takes a whole number 1 to 100, not 'x'"));
  CHECK(has(refusal({"--count", "7.5"}), "not '7.5'"));
  CHECK(has(refusal({"--count", "99999999999999999999"}), "whole number"));
  CHECK(has(refusal({"--count="}), "--count"));
  CHECK(has(refusal({"--count"}), "--count"));
  CHECK(has(refusal({"--count", "1", "--count", "2"}), "--count"));
  CHECK(has(refusal({"--seconds", "nan"}), "--seconds takes a number"));
  CHECK(has(refusal({"--seconds", "61"}), "not 61"));
  CHECK(has(refusal({"--type", "flaot"}), "did you mean float?"));
  CHECK(has(refusal({"--types", "double,double"}), "twice"));
  CHECK(has(refusal({"--types", "double,"}), "not ''"));
  CHECK(has(refusal({"--shapes", "1x2,,3"}), "empty word"));
  CHECK(has(refusal({"--size", "4"}), "--size takes 8 to"));
  CHECK(has(refusal({"--size", "4Q"}), "--size: '4Q' is no number of bytes"));
  CHECK(has(refusal({"--quick=maybe"}), "quick"));
}

TEST_CASE("an unknown option gets the nearest name") {
  CHECK(has(refusal({"--conut", "3"}), "unknown option --conut; did you mean --count?"));
  CHECK(has(refusal({"--conut=3"}), "unknown option --conut;"));
  CHECK_FALSE(has(refusal({"--zzzzzzzzz"}), "did you mean"));
  CHECK(has(refusal({"stray"}), "belongs to no option: 'stray'"));
}

TEST_CASE("help is first an example, then every option with its default") {
  Program p;
  p.options.parse({"--bogus", "--help"});
  CHECK(p.options.help_asked());
  const auto lines = lines_of(p.options.help());
  REQUIRE(lines.size() > 8);
  CHECK(lines[0] == "Example:");
  CHECK(lines[1] == "  probe-host --count 2");
  CHECK(has(p.options.help(), "--count N"));
  CHECK(has(p.options.help(), "how many [3]"));
  CHECK(has(p.options.help(), "--type double|float"));
  CHECK(has(p.options.help(), "double, float, int8"));
}

TEST_CASE("version can be asked for") {
  Program p;
  p.options.parse({"--version"});
  CHECK(p.options.version_asked());
  CHECK_FALSE(p.options.help_asked());
}

TEST_CASE("bytes are powers of 1024 unless a unit says otherwise") {
  CHECK(parse_bytes("8") == 8);
  CHECK(parse_bytes("8B") == 8);
  CHECK(parse_bytes("1K") == 1024);
  CHECK(parse_bytes("512MiB") == 512LL << 20);
  CHECK(parse_bytes("8G") == 8LL << 30);
  CHECK(parse_bytes("1GB") == 1000000000);
  CHECK(parse_bytes("2kB") == 2000);
  for (const char* bad : {"", "M", "-1", "1.5G", "1 M", "0x10", "9999999999G", "1Kb", "+1"}) {
    CHECK_THROWS_AS(parse_bytes(bad), UsageError);
  }
}
