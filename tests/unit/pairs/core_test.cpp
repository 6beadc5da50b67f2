#include "benches/pairs/core.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "benches/kit/errors.hpp"
#include "benches/pairs/results.hpp"
#include "tests/unit/listed.hpp"
#include "tests/unit/pairs/thread_transport.hpp"

using namespace rackproof;
using namespace rackproof::pairs;

namespace {

struct Ear final : kit::Session {
  void device(protocol::Device) override {}
  void token(protocol::Token) override {}
  void phase(std::string name, double fraction) override { phases.emplace_back(name, fraction); }
  void check(protocol::Check record) override {
    known.insert(record.name);
    checks.push_back(std::move(record));
  }
  void metric(protocol::Metric record) override {
    CHECK(known.contains(record.check));
    metrics.push_back(std::move(record));
  }
  void note(std::string text, contract::Parameters) override { notes.push_back(std::move(text)); }
  std::optional<kit::Injection> injection() const override { return fault; }

  std::vector<const protocol::Metric*> named(const std::string& name) const {
    std::vector<const protocol::Metric*> out;
    for (const auto& metric : metrics) {
      if (metric.name == name) out.push_back(&metric);
    }
    return out;
  }

  std::vector<std::pair<std::string, double>> phases;
  std::vector<protocol::Check> checks;
  std::vector<protocol::Metric> metrics;
  std::vector<std::string> notes;
  std::set<std::string> known;
  std::optional<kit::Injection> fault;
};

Config quick() {
  Config config;
  config.sizes = {"8", "64K"};
  config.samples = 3;
  config.warmup = 1;
  return config;
}

std::vector<Ear> listen(ThreadGroup& group, const Config& config,
                        std::optional<kit::Injection> fault = {}) {
  std::vector<Ear> ears(static_cast<std::size_t>(group.size));
  for (Ear& ear : ears) ear.fault = fault;
  run_group(group, [&](ThreadTransport& transport) {
    measure(transport, config, ears[static_cast<std::size_t>(transport.rank())]);
  });
  return ears;
}

Config parse(const std::vector<std::string>& words) {
  Config config;
  kit::Options options("pairs-mpi", "", "");
  declare(options, config);
  options.parse(words);
  return config;
}

}  // namespace

TEST_CASE("rank 0 says every pair and the group and the others phases alone") {
  for (const int ranks : {2, 5, 6}) {
    ThreadGroup group(ranks);
    const auto ears = listen(group, quick());
    const auto pairs = static_cast<std::size_t>(ranks * (ranks - 1) / 2);
    const Ear& ear = ears.front();
    CHECK(ear.named("pairs.latency").size() == 2 * pairs);
    CHECK(ear.named("pairs.bandwidth").size() == 2 * 3 * pairs);
    CHECK(ear.named("pairs.latency_median").size() == 2);
    CHECK(ear.named("pairs.latency_worst").size() == 2);
    CHECK(ear.named("pairs.bandwidth_median").size() == 2 * 2);
    CHECK(ear.named("pairs.bandwidth_worst").size() == 2 * 2);
    for (const auto& metric : ear.metrics) CHECK(test::is_listed(metric, "pairs", "nccl"));
    for (const auto& check : ear.checks) CHECK(check.passed);
    CHECK(ear.known.size() == ear.checks.size());
    CHECK(ear.phases.back() == std::pair<std::string, double>{"done", 1});
    for (std::size_t rank = 1; rank < ears.size(); ++rank) {
      CHECK(ears[rank].checks.empty());
      CHECK(ears[rank].metrics.empty());
      CHECK(ears[rank].phases.size() == ear.phases.size());
    }
  }
}

TEST_CASE("links name two members and the lower one first") {
  ThreadGroup group(4);
  const auto ears = listen(group, quick());
  std::set<std::pair<std::string, std::string>> links;
  for (const auto* metric : ears.front().named("pairs.latency")) {
    CHECK(metric->subject.kind == contract::SubjectKind::kLink);
    CHECK(std::stoi(metric->subject.id) < std::stoi(metric->subject.peer));
    links.insert({metric->subject.id, metric->subject.peer});
    CHECK(metric->parameters.at("ranks") == contract::Scalar{std::int64_t{4}});
    CHECK(metric->samples.size() == 3);
    CHECK(metric->unit == "s");
  }
  CHECK(links.size() == 6);
  for (const auto* metric : ears.front().named("pairs.bandwidth_worst")) {
    CHECK(metric->subject.kind == contract::SubjectKind::kGroup);
    CHECK(metric->statistic == contract::Statistic::kWorst);
  }
}

TEST_CASE("the slow pair is the worst and is named") {
  ThreadGroup group(5);
  group.seconds = [](int from, int to) {
    return std::min(from, to) == 1 && std::max(from, to) == 3 ? 4e-3 : 1e-3;
  };
  Config config = quick();
  config.sizes = {"8"};
  const auto ears = listen(group, config);
  const auto latency = ears.front().named("pairs.latency_worst");
  REQUIRE(latency.size() == 1);
  CHECK(latency.front()->value == Approx(4e-3 / 128));
  CHECK(ears.front().named("pairs.latency_median").front()->value == Approx(1e-3 / 128));
  for (const auto* metric : ears.front().named("pairs.bandwidth_worst")) {
    const bool both = metric->parameters.at("direction") == contract::Scalar{std::string("both")};
    CHECK(metric->value == Approx((both ? 2 : 1) * 64 * 8 / 4e-3));
  }
  int named = 0;
  for (const std::string& note : ears.front().notes) {
    if (note.find("rank 1 (thread1) and rank 3 (thread3)") != std::string::npos) ++named;
  }
  CHECK(named == 3);
}

TEST_CASE("one wrong bit fails its own pair and the sum of all and nothing else") {
  ThreadGroup group(4);
  const auto ears = listen(group, quick(), kit::Injection{5, 3});
  std::vector<std::string> failed;
  for (const auto& check : ears.front().checks) {
    if (!check.passed) failed.push_back(check.name);
  }
  REQUIRE(failed.size() == 2);
  CHECK(failed[0].starts_with("latency.8."));
  CHECK(failed[0].ends_with("-3"));
  CHECK(failed[1] == "latency.8.all");
  for (const auto& check : ears.front().checks) {
    if (check.passed) continue;
    REQUIRE(check.first_wrong);
    CHECK(check.first_wrong->where.find("that rank 3 (thread3) received") != std::string::npos);
    CHECK(check.first_wrong->rank == 3);
    CHECK(check.first_wrong->from.has_value());
  }
}

TEST_CASE("a faulty link fails in the direction that is faulty") {
  ThreadGroup group(3);
  group.fault = [](int from, int to, std::int64_t, ThreadGroup::Words& words) {
    if (from == 2 && to == 1) words.back() ^= 1;
    return true;
  };
  Config config = quick();
  config.tests = {"one"};
  config.sizes = {"4096"};
  const auto ears = listen(group, config);
  std::set<std::string> failed;
  for (const auto& check : ears.front().checks) {
    if (!check.passed) failed.insert(check.name);
  }
  CHECK(failed == std::set<std::string>{"backward.4096.1-2", "one.4096.all"});
}

TEST_CASE("one rank alone and a rank without memory end all ranks with a reason") {
  ThreadGroup alone(1);
  CHECK_THROWS_AS(listen(alone, quick()), kit::Unavailable);
  ThreadGroup group(3);
  group.poor = 1;
  int refused = 0;
  std::mutex mutex;
  run_group(group, [&](ThreadTransport& transport) {
    Ear ear;
    try {
      measure(transport, quick(), ear);
    } catch (const kit::Unavailable&) {
      const std::lock_guard lock(mutex);
      ++refused;
    }
  });
  CHECK(refused == 3);
}

TEST_CASE("what cannot be measured is refused") {
  for (const char* size : {"0", "-8", "7", "12", "16G", "x", "8,8", "8,8B"}) {
    CHECK_THROWS_AS(specs_of(parse({"--sizes", size})), kit::UsageError);
  }
  CHECK_THROWS_AS(parse({"--tests", "gossip"}), kit::UsageError);
  CHECK_THROWS_AS(parse({"--samples", "0"}), kit::UsageError);
  CHECK_THROWS_AS(parse({"--warmup", "-1"}), kit::UsageError);
  CHECK(specs_of(parse({"--sizes", "8,4M", "--tests", "one"})) ==
        std::vector<Spec>{{Kind::kForward, 8},
                          {Kind::kForward, 4 << 20},
                          {Kind::kBackward, 8},
                          {Kind::kBackward, 4 << 20}});
}

TEST_CASE("many values are thinned evenly and keep both ends") {
  std::vector<double> values;
  for (int i = 5000; i > 0; --i) values.push_back(i);
  const auto kept = spread(values, 1000);
  CHECK(kept.size() == 1000);
  CHECK(kept.front() == 1);
  CHECK(kept.back() == 5000);
  CHECK(kept[500] == Approx(2503).margin(3));
  CHECK(spread({3, 1, 2}, 1000) == std::vector<double>{1, 2, 3});
}

TEST_CASE("of very many pairs the group alone has metrics and a wrong one its check") {
  const int ranks = 140;  // 9,730 pairs
  std::vector<std::string> places(ranks, "here");
  Ear ear;
  Results results(contract::Tournament(ranks), {{Kind::kLatency, 8}}, places, ear);
  Outcome right;
  right.seconds = {1e-3};
  right.compared = 10;
  Outcome wrong = right;
  wrong.wrong = 1;
  wrong.first_wrong = WrongWord{7, 3, 0, 0, 4, 1, 2};
  results.add({1, 2, {Kind::kLatency, 8}, right});
  results.add({3, 7, {Kind::kLatency, 8}, wrong});
  results.finish();
  CHECK(ear.named("pairs.latency").size() == 2);
  Ear quiet;
  Results many(contract::Tournament(ranks), {{Kind::kLatency, 8}, {Kind::kForward, 8}}, places,
               quiet);
  many.add({1, 2, {Kind::kLatency, 8}, right});
  many.add({3, 7, {Kind::kLatency, 8}, wrong});
  many.finish();
  CHECK(quiet.named("pairs.latency").empty());
  CHECK(quiet.known == std::set<std::string>{"latency.8.3-7", "latency.8.all"});
  CHECK(quiet.named("pairs.latency_worst").size() == 1);
}

TEST_CASE("of a few rounds exactly the pairs that were drawn are played and said") {
  Config config = quick();
  config.tests = {"latency"};
  config.sizes = {"8"};
  config.rounds = 3;
  config.draw = 7;
  ThreadGroup group(8);
  const auto ears = listen(group, config);
  std::set<std::string> said;
  for (const protocol::Metric* metric : ears[0].named("pairs.latency")) {
    said.insert(metric->subject.id + "-" + metric->subject.peer);
  }
  std::set<std::string> drawn;
  const contract::Tournament draw(8, 3, 7);
  for (int round = 0; round < draw.rounds(); ++round) {
    for (const auto& [low, high] : draw.pairs(round)) {
      drawn.insert(std::to_string(low) + "-" + std::to_string(high));
    }
  }
  CHECK(drawn.size() == 12);
  CHECK(said == drawn);
  CHECK(parse({}).rounds == 0);
  CHECK(parse({"--rounds", "15", "--draw", "3"}).draw == 3);
}
