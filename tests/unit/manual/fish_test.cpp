#include <catch2/catch.hpp>

#include "harness/manual/completion.hpp"
#include "tests/unit/manual/sample.hpp"

using namespace rackproof;
using manual_test::has;
using manual_test::sample;

TEST_CASE("fish is told of verbs, options, values and arguments") {
  const std::string script = manual::fish_completion(sample());
  CHECK(has(script, "set -g __rackproof_with_value --color\n"));
  CHECK(has(script, "complete -c rackproof -n __rackproof_no_verb -a run -d 'Run a suite'\n"));
  CHECK(has(script,
            "-l suite -r -F -a '(__rackproof_list suites)' -d 'it\\'s a [suite]: name or file'\n"));
  CHECK(has(
      script,
      "not __rackproof_given --suite; and not __rackproof_repeated --out -o' -l out -s o -r -f"));
  CHECK(has(script, "-n '__rackproof_is run' -l label -r -f -d 'a pair'\n"));
  CHECK(has(script, "(__rackproof_joined csv html)"));
  CHECK(has(script, "-n '__rackproof_runs watch' -a '(__rackproof_command)'\n"));
  CHECK(has(script, "-n '__rackproof_is run' -F\n"));
}
