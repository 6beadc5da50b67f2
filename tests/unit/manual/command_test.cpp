#include "harness/manual/command.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/manual/sample.hpp"

using namespace rackproof;
using manual_test::sample;

TEST_CASE("an option is shown with its names and the name of its value") {
  const manual::Verb run = sample().verbs.front();
  CHECK(manual::heading(run.options[0]) == "--suite SUITE");
  CHECK(manual::heading(run.options[1]) == "--out DIR, -o DIR");
  CHECK(manual::heading(run.options[3]) == "--form FORM[,FORM]...");
  manual::Option flag;
  flag.names = {"--json"};
  CHECK(manual::heading(flag) == "--json");
}

TEST_CASE("what may follow a verb") {
  const manual::Program program = sample();
  CHECK(manual::synopsis(program.verbs[0]) == "[OPTION]... REPORT");
  CHECK(manual::synopsis(program.verbs[1]) == "[OPTION]... [-- PROGRAM [ARGUMENT]...]");
  CHECK_FALSE(manual::takes_command(program.verbs[0]));
  CHECK(manual::takes_command(program.verbs[1]));
}

TEST_CASE("what is to be said of an option beside its help") {
  const manual::Verb run = sample().verbs.front();
  using Remarks = std::vector<std::string>;
  CHECK(manual::remarks(run.options[0]) == Remarks{"Default: acceptance"});
  CHECK(manual::remarks(run.options[1]) == Remarks{"Not with --suite"});
  CHECK(manual::remarks(run.options[3]) == Remarks{"One of csv or html", "May be repeated"});
  CHECK(manual::remarks(run.positionals[0]) == Remarks{"Required"});
  manual::Option needy;
  needy.needs = {"--a", "--b", "--c"};
  CHECK(manual::remarks(needy) == Remarks{"Only with --a, --b or --c"});
}
