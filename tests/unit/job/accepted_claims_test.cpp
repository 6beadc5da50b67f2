#include "harness/job/accepted_claims.hpp"

#include <catch2/catch.hpp>

#include "harness/cli/program.hpp"
#include "harness/support/errors.hpp"

namespace rackproof::job {
namespace {

const std::vector<std::string> kClaims = {"memory", "latency"};

std::string refused(const std::vector<std::string>& texts) {
  try {
    parse_accepted_claims(texts, kClaims);
  } catch (const support::UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a claim is accepted with a reason, which may have an equals sign") {
  CHECK(
      parse_accepted_claims({"memory=no table yet", "latency=limit = later"}, kClaims) ==
      std::map<std::string, std::string>{{"memory", "no table yet"}, {"latency", "limit = later"}});
  CHECK(parse_accepted_claims({}, kClaims).empty());
}

TEST_CASE("a claim without a reason, an unknown one and one given twice are refused") {
  for (const char* text : {"memory", "memory=", "=because", ""}) {
    CHECK(refused({text}) == std::string("--accept-unjudged ") + text + ": expected CLAIM=REASON");
  }
  CHECK(refused({"memroy=because"}) ==
        "--accept-unjudged memroy=because: the suite claims no 'memroy'; expected one of memory, "
        "latency");
  CHECK(refused({"memory=a", "memory=b"}) ==
        "--accept-unjudged: the claim 'memory' is given twice");
}

}  // namespace rackproof::job
