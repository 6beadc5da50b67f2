#include "harness/cause/sentence.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/cause/scene.hpp"

namespace rackproof::cause {

TEST_CASE("a sentence gets its numbers with units") {
  model::Attempt attempt;
  attempt.seconds = 12;
  attempt.recorded = {gauge("gpu.power", "G0", "W", 500, 598, 603)};
  Facts facts;
  facts["gpu.power_limit_watts"] = known(600.0);
  facts["gpu.name"] = known(std::string("X"));
  const Scene scene{&attempt, "G0", &facts, nullptr};
  Evidence evidence;
  evidence.value = "93 %";
  evidence.limit = "5 %";
  CHECK(sentence("cap {gpu.power_limit_watts} active {value} of {time}, above {limit}", scene,
                 evidence) == "cap 600 W active 93 % of 12 s, above 5 %");
  CHECK(sentence("{gpu.power:median} to {gpu.power:max} of {gpu.name}", scene, evidence) ==
        "598 W to 603 W of X");
}

TEST_CASE("what is not known is said to be so") {
  const Evidence evidence;
  CHECK(sentence("{gpu.power:median} {a.fact} {time}.", {}, evidence) ==
        "not known not known not known.");
  CHECK(sentence("no placeholder", {}, evidence) == "no placeholder");
  CHECK(sentence("an open {brace", {}, evidence) == "an open {brace");
  CHECK(sentence("", {}, evidence).empty());
}

}  // namespace rackproof::cause
