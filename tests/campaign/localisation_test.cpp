// What localising promises, on fewer trials than docs/performance.md rests on: `localisations`
// gives those.
#include "tests/campaign/localisation.hpp"

#include <catch2/catch.hpp>
#include <cmath>

namespace campaign = rackproof::campaign;
using campaign::Fault;
using campaign::Method;
using campaign::Outcomes;
using campaign::Trials;

namespace {

Trials of(std::size_t gpus, Fault fault, int trials) {
  Trials plan;
  plan.gpus = gpus;
  plan.fault = fault;
  plan.trials = trials;
  return plan;
}

/// No more than one in twenty would give in one of a thousand such tests.
int most_false_of(int trials) {
  const double mean = 0.05 * trials;
  return static_cast<int>(mean + 3.1 * std::sqrt(mean) + 1);
}

/// No fewer than nine of ten would give in one of a thousand such tests.
int least_named_of(int planted) {
  const double mean = 0.9 * planted;
  return static_cast<int>(mean - 3.1 * std::sqrt(0.1 * mean) - 1);
}

}  // namespace

TEST_CASE("healthy machines accuse somebody in at most one of twenty trials, at any noise") {
  const double noise = GENERATE(0.01, 0.03);
  for (const std::size_t gpus : {72U, 232U}) {
    Trials trials = of(gpus, Fault::kNone, 60);
    trials.noise = noise;
    const Outcomes outcomes = campaign::localise_planted(trials);
    CHECK(outcomes.trials_with_wrong <= most_false_of(trials.trials));
    CHECK(outcomes.wrong_confirmed == 0);
  }
}

TEST_CASE("a deficit of 3 % is named as its part in fifteen rounds at a noise of 1.5 %") {
  const Fault fault = GENERATE(Fault::kHost, Fault::kGpu, Fault::kNic, Fault::kRail, Fault::kLeaf,
                               Fault::kLink, Fault::kTwo);
  CAPTURE(campaign::name_of(fault));
  for (const std::size_t gpus : {72U, 232U}) {
    const Outcomes outcomes = campaign::localise_planted(of(gpus, fault, 30));
    CHECK(outcomes.named >= least_named_of(outcomes.planted));
    CHECK(outcomes.trials_with_wrong <= most_false_of(30));
    CHECK(outcomes.rounds == 15);
  }
}

TEST_CASE("among ten thousand it takes no more rounds") {
  const Outcomes outcomes = campaign::localise_planted(of(10'000, Fault::kNic, 2));
  CHECK(outcomes.named == 2);
  CHECK(outcomes.wrong == 0);
  CHECK(outcomes.rounds == 15);
}

TEST_CASE("halving alone takes noise for faults where rounds do not") {
  Trials trials = of(72, Fault::kNone, 60);
  trials.method = Method::kHalving;
  CHECK(campaign::localise_planted(trials).trials_with_wrong > most_false_of(trials.trials));
}

TEST_CASE("the same trials give the same outcomes") {
  const Trials trials = of(72, Fault::kTwo, 5);
  const Outcomes once = campaign::localise_planted(trials);
  const Outcomes again = campaign::localise_planted(trials);
  CHECK(once.named == again.named);
  CHECK(once.wrong == again.wrong);
  CHECK(once.retests == again.retests);
}
