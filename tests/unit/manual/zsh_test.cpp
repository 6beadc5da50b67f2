#include <catch2/catch.hpp>

#include "harness/manual/completion.hpp"
#include "tests/unit/manual/sample.hpp"

using namespace rackproof;
using manual_test::has;
using manual_test::sample;

TEST_CASE("zsh is told of verbs, options, values and arguments") {
  const std::string script = manual::zsh_completion(sample());
  CHECK(script.starts_with("#compdef rackproof\n"));
  CHECK(has(script, "'run:Run a suite'\n"));
  CHECK(has(script, "'(--suite --out -o)--out=[where to]:DIR: _rackproof_offer directories' \\\n"));
  CHECK(has(script, "'(--suite --out -o)-o+[where to]:DIR: _rackproof_offer directories' \\\n"));
  CHECK(has(script, "'*--label=[a pair]:KEY=VALUE: ' \\\n"));
  CHECK(has(script, ": _rackproof_offer_joined \"words=csv html\"' \\\n"));
  CHECK(has(script, "'*:::PROGRAM:_normal'\n"));
}

TEST_CASE("zsh's own signs in a help text are text") {
  const std::string script = manual::zsh_completion(sample());
  CHECK(has(script, "[it'\\''s a \\[suite\\]\\: name or file]:SUITE:"));
}
