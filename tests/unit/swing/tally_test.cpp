#include "benches/swing/tally.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/unit/swing/played.hpp"

namespace rackproof::swing {
namespace {

// Keeps what is said.
class Listener : public kit::Session {
 public:
  void device(protocol::Device) override {}
  void token(protocol::Token) override {}
  void phase(std::string, double) override {}
  void check(protocol::Check record) override { checks.push_back(std::move(record)); }
  void metric(protocol::Metric record) override { metrics.push_back(std::move(record)); }
  void note(std::string, contract::Parameters) override {}
  std::optional<kit::Injection> injection() const override { return std::nullopt; }

  std::vector<const protocol::Metric*> named(const std::string& name) const {
    std::vector<const protocol::Metric*> found;
    for (const protocol::Metric& metric : metrics) {
      if (metric.name == name) found.push_back(&metric);
    }
    return found;
  }

  std::vector<protocol::Check> checks;
  std::vector<protocol::Metric> metrics;
};

}  // namespace

TEST_CASE("each frequency and kind has its check, and metrics of all rounds") {
  const Config config;
  Tally tally(config, 4, std::nullopt, "bit by bit");
  for (int round = 0; round < 3; ++round) {
    for (const double frequency : {1.0, 5.0}) {
      Run run = played::run(frequency);
      tally.add(run, played::collected(frequency, {0, 0, 0, 0}));
      run.in_phase = false;
      tally.add(run, played::collected(frequency, {0, 0.25, 0.5, 0.75}));
    }
  }
  Listener listener;
  tally.say(listener);
  std::vector<std::string> names;
  for (const protocol::Check& check : listener.checks) {
    CHECK(check.passed);
    CHECK(check.compared == 300);
    names.push_back(check.name);
  }
  CHECK(names == std::vector<std::string>{"swing.in_phase.1", "swing.spread.1", "swing.in_phase.5",
                                          "swing.spread.5"});
  const auto tails = listener.named("swing.skew_p99");
  REQUIRE(tails.size() == 4);  // two frequencies, two edges
  CHECK(tails[0]->samples.size() == 3 * played::kBeats);
  CHECK(tails[0]->value == Approx(0.003));
  CHECK(tails[0]->statistic == contract::Statistic::kP99);
  CHECK(tails[0]->parameters.at("edge") == contract::Scalar(std::string("rise")));
  CHECK(tails[0]->parameters.at("frequency") == contract::Scalar(1.0));
  CHECK(tails[0]->parameters.at("ranks") == contract::Scalar(std::int64_t{4}));
  CHECK(listener.named("swing.coherence").size() == 2);
  CHECK(listener.named("swing.spread_coherence").size() == 2);
  CHECK(listener.named("swing.spread_coherence")[0]->check == "swing.spread.1");
  CHECK(listener.named("swing.load_amplitude").size() == 4);
  CHECK(listener.named("swing.power_swing").empty());
}

TEST_CASE("one late beat is in the 99th percentile of a few and not in their median") {
  const Config config;
  Tally tally(config, 4, std::nullopt, "bit by bit");
  Collected all = played::collected(2, {0, 0, 0, 0});
  all.rises[3].back() += 0.5;
  tally.add(played::run(2), all);
  Listener listener;
  tally.say(listener);
  CHECK(listener.named("swing.skew")[0]->value == Approx(0.003));
  CHECK(listener.named("swing.skew_p99")[0]->value == Approx(0.503));
}

TEST_CASE("a wrong result fails the check of its series alone") {
  const Config config;
  Tally tally(config, 4, std::nullopt, "bit by bit");
  Collected wrong = played::collected(1, {0, 0, 0, 0});
  wrong.wrong = 2;
  wrong.first_wrong = protocol::FirstWrong{"rank 3, pulse 1, lane 7", "1", "2", 3};
  tally.add(played::run(1), wrong);
  Run run = played::run(1);
  run.kind = Run::Kind::kStage;
  tally.add(run, played::collected(1, {0, 0, 0, 0}));
  Listener listener;
  tally.say(listener);
  REQUIRE(listener.checks.size() == 2);
  CHECK(listener.checks[0].name == "swing.stages");
  CHECK(listener.checks[0].passed);
  CHECK_FALSE(listener.checks[1].passed);
  CHECK(listener.checks[1].first_wrong->rank == 3);
}

}  // namespace rackproof::swing
