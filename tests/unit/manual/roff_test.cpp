#include <catch2/catch.hpp>
#include <sstream>

#include "harness/manual/page.hpp"
#include "tests/unit/manual/sample.hpp"

using namespace rackproof;
using manual_test::has;
using manual_test::sample;

namespace {

std::string run_page() {
  const manual::Program program = sample();
  return manual::page(program, program.verbs.front());
}

}  // namespace

TEST_CASE("a page has the sections that a manual has") {
  const std::string page = run_page();
  std::size_t last = 0;
  for (const char* section : {"NAME", "SYNOPSIS", "DESCRIPTION", "ARGUMENTS", "OPTIONS",
                              "EXIT STATUS", "ENVIRONMENT", "EXAMPLES", "SEE ALSO"}) {
    const std::size_t at = page.find(std::string("\n.SH ") + section + "\n");
    INFO(section);
    REQUIRE(at != std::string::npos);
    CHECK(at > last);
    last = at;
  }
  CHECK(has(page, ".TH RACKPROOF\\-RUN 1 \"2026-01-31\" \"rackproof 1.2.3\" \"User Commands\"\n"));
  CHECK(has(page, "rackproof\\-run \\-\nRun a suite\n"));
  CHECK(has(page, ".BR rackproof (1) ,\n.BR rackproof\\-watch (1) ,\n.BR mpirun (1)\n"));
}

TEST_CASE("what roff would take for a request or an escape is text") {
  const std::string page = run_page();
  CHECK(has(page, "\n\\&.A line that begins"));
  CHECK(has(page, "\nrackproof run \\-\\-suite \\(aqa\\eb\\(aq\n"));
  CHECK(has(page, "\\fB\\-\\-out\\fR \\fIDIR\\fR, \\fB\\-o\\fR \\fIDIR\\fR\n"));
}

TEST_CASE("lines of a page are short enough for an editor") {
  manual::Program program = sample();
  std::string text;
  for (int i = 0; i < 60; ++i) text += ".word ";
  program.verbs.front().prose.about = {text};
  std::istringstream lines(manual::page(program, program.verbs.front()));
  for (std::string line; std::getline(lines, line);) {
    CHECK(line.size() <= 80);
    CHECK_FALSE(line.starts_with(".word"));
  }
}

TEST_CASE("the page of the program names the page of each verb") {
  const std::string page = manual::page(sample());
  CHECK(has(page, ".BR rackproof\\-run (1)\nRun a suite.\n"));
  CHECK(has(page, ".BR rackproof\\-watch (1)\nWatch a program.\n"));
  CHECK(has(page, "One of auto or never.\n"));
}
