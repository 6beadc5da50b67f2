#include <catch2/catch.hpp>
#include <sstream>

#include "harness/manual/page.hpp"
#include "tests/unit/manual/sample.hpp"

using namespace rackproof;
using manual_test::has;
using manual_test::sample;

TEST_CASE("help names verbs, options, examples and exit codes") {
  const manual::Program program = sample();
  const std::string all = manual::help(program, 80);
  CHECK(has(all, "Usage: rackproof [OPTION]... VERB [ARGUMENT]...\n"));
  CHECK(has(all, "\n  run    Run a suite\n"));
  CHECK(has(all, "--color WHEN  when to colour. One of auto or never\n"));
  const std::string run = manual::help(program, program.verbs[0], 80);
  CHECK(has(run, "Usage: rackproof run [OPTION]... REPORT\n"));
  CHECK(has(run, "\nExamples:\n  A run:\n    rackproof run --suite 'a\\b'\n"));
  CHECK(has(run, "\nExit codes:\n  0  accepted\n  3  rejected\n"));
  CHECK(has(run, "\nManual: man rackproof-run\n"));
}

TEST_CASE("help fits the width of a terminal") {
  const manual::Program program = sample();
  for (const std::size_t width : {60U, 80U, 100U}) {
    std::istringstream lines(manual::help(program, program.verbs[0], width));
    for (std::string line; std::getline(lines, line);) CHECK(line.size() <= width);
  }
}

TEST_CASE("a table of one long heading has its text on the next line") {
  manual::Program program = sample();
  program.options.front().names = {"--a-name-that-is-longer-than-any-column"};
  const std::string text = manual::help(program, 80);
  CHECK(has(text, "--a-name-that-is-longer-than-any-column WHEN\n    when to colour."));
}
