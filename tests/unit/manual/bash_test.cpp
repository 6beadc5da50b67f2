#include <catch2/catch.hpp>

#include "harness/manual/completion.hpp"
#include "tests/unit/manual/sample.hpp"

using namespace rackproof;
using manual_test::has;
using manual_test::sample;

// That they do what they say is tried with the shells themselves:
// tests/integration/completion_test.py.
TEST_CASE("bash is told of verbs, options, values and arguments") {
  const std::string script = manual::bash_completion(sample());
  CHECK(has(script, "_rackproof_words run watch\n"));
  CHECK(
      has(script,
          "run:--suite) _rackproof_words \"$(_rackproof_list suites)\"; _rackproof_paths -f ;;\n"));
  CHECK(has(script, "run:--out|run:-o) _rackproof_paths -d ;;\n"));
  CHECK(has(script, "run:--form) _rackproof_joined csv html ;;\n"));
  CHECK(has(script, "*:--color) _rackproof_words auto never ;;\n"));
  CHECK(has(script, "_rackproof_option --out --suite --out -o\n"));
  CHECK(has(script, "_rackproof_option --label\n"));
  CHECK(has(script, "in watch) return 0 ;;"));
  CHECK_FALSE(has(script, "run:--label) _rackproof_"));
}

TEST_CASE("a value that is a word of the shell's own is quoted") {
  manual::Program program = sample();
  for (manual::Option& option : program.options) {
    if (option.value.words == std::vector<std::string>{"auto", "never"}) {
      option.value.words = {"print", "do"};
    }
  }
  CHECK(has(manual::bash_completion(program), "*:--color) _rackproof_words print 'do' ;;\n"));
}
