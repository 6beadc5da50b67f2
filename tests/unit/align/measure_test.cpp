#include "benches/align/measure.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>

#include "benches/align/reference.hpp"
#include "benches/kit/host.hpp"
#include "tests/unit/align/listener.hpp"
#include "tests/unit/align/sequences.hpp"

using namespace rackproof;
using namespace rackproof::align;

namespace {

// The reference, each time a second, with scores that a test changes: `change` is given the number
// of the pass.
class Scripted : public Engine {
 public:
  using Change = std::function<void(int pass, std::int64_t query, std::int32_t* scores)>;
  using Scores = std::function<std::int32_t(std::int64_t query, std::int64_t subject)>;
  Scripted(const Scoring& scoring, Change change)
      : scores_([this, &scoring](std::int64_t query, std::int64_t subject) {
          return reference_score(scoring, work_->queries.at(query), work_->database.at(subject));
        }),
        change_(std::move(change)) {}
  explicit Scripted(Scores scores) : scores_(std::move(scores)) {}
  Scripted(const Scripted&) = delete;
  Scripted& operator=(const Scripted&) = delete;

  void load(const Workload& work) override { work_ = &work; }
  double align(std::int64_t query, std::int32_t* scores) override {
    if (query == 0) ++pass_;
    for (std::int64_t subject = 0; subject < work_->database.size(); ++subject) {
      scores[subject] = scores_(query, subject);
    }
    if (change_) change_(pass_, query, scores);
    return 1;
  }
  void check_memory(protocol::Check& check) override {
    check.compared = words_compared;
    check.wrong = words_wrong;
  }
  contract::Parameters facts() const override { return {{"engine", std::string("scripted")}}; }
  contract::Parameters state() override {
    contract::Parameters state;
    if (watts > 0) state["power_w"] = watts;
    return state;
  }
  int passes() const { return pass_; }

  double watts = 0;
  std::int64_t words_compared = 0;
  std::int64_t words_wrong = 0;

 private:
  Scores scores_;
  Change change_;
  const Workload* work_ = nullptr;
  int pass_ = 0;
};

const Scoring& the_scoring() {
  static const Scoring all{matrix_named("BLOSUM62"), {11, 1}};
  return all;
}

Workload small() {
  Draw draw(2);
  Sequences queries;
  queries.add(residues("MKVLAAGIVGLCAKWYRTEN"), "q0");
  queries.add(residues("WCLARNDHHW"), "q1");
  Sequences database;
  for (int i = 0; i < 30; ++i) database.add(drawn(draw, 30), "s" + std::to_string(i));
  return given_workload(the_scoring().matrix, queries, database);
}

Settings settings_of() {
  Settings settings;
  settings.database = settings.query = "given";
  settings.seconds = 0;
  settings.passes = 3;
  settings.sample_cells = 5000;
  return settings;
}

Listener measured(Scripted& engine, const Settings& settings = settings_of(),
                  std::optional<kit::Injection> injection = {}) {
  Listener listener(injection);
  Crew crew({kit::allowed_cpus().front()});
  Workload work = small();
  const std::vector<Residue> before = work.database.residues;
  protocol::Metric like;
  like.conditions = {{"kernels", std::string("scripted")}};
  measure(settings, the_scoring(), 5, work, engine, crew, like, listener);
  CHECK(work.database.residues == before);
  return listener;
}

}  // namespace

TEST_CASE("right scores pass four checks, and the rate is that of the passes") {
  Scripted engine(the_scoring(), {});
  const Listener listener = measured(engine);
  CHECK(listener.failed().empty());
  REQUIRE(listener.checks.size() == 4);
  CHECK(listener.checks[0].name == "align.scores");
  CHECK(listener.checks[0].compared == 3 * 2 * 32);
  CHECK(protocol::is_digest(listener.checks[0].digest));
  CHECK(listener.checks[3].name == "align.reversed");
  CHECK(engine.passes() == 4);
  REQUIRE(listener.metrics.size() == 1);
  const protocol::Metric& metric = listener.metrics[0];
  CHECK(metric.name == "align.rate");
  CHECK(metric.check == "align.scores");
  CHECK(metric.samples == std::vector<double>(3, small().cells() / 2));
  CHECK(std::get<std::string>(metric.parameters.at("query")) == "all");
  CHECK(std::get<std::string>(metric.parameters.at("data")) == "given");
  CHECK(metric.conditions.contains("kernels"));
}

TEST_CASE("an engine with memory of its own has a check of what lies there") {
  Scripted engine(the_scoring(), {});
  engine.words_compared = 40;
  const Listener right = measured(engine);
  CHECK(right.failed().empty());
  REQUIRE(right.checks.size() == 5);
  CHECK(right.checks[3].name == "align.memory");
  CHECK(right.checks[3].compared == 40);
  engine.words_wrong = 1;
  CHECK(measured(engine).failed() == std::vector<std::string>{"align.memory"});
}

TEST_CASE("where the machine says how many are drawn, the digest is of what all machines draw") {
  Settings settings = settings_of();
  Crew crew({kit::allowed_cpus().front()});
  Workload work = drawn_workload(the_scoring().matrix, 1, kFewestDrawn + 64, crew, 1);
  settings.verify = "sampled";
  settings.passes = 1;
  Scripted::Scores scores = [](std::int64_t, std::int64_t subject) {
    return static_cast<std::int32_t>(subject % 7);
  };
  const auto digest_of = [&](const std::string& file, std::int64_t subjects) {
    settings.database = settings.query = file;
    settings.subjects = subjects;
    Scripted engine(scores);
    Listener listener(std::nullopt);
    measure(settings, the_scoring(), 5, work, engine, crew, {}, listener);
    return listener.checks.at(0);
  };
  const protocol::Check by_machine = digest_of("", 0);
  CHECK(by_machine.detail.find("of the first 16384 subjects") != std::string::npos);
  const protocol::Check told = digest_of("", work.database.size());
  CHECK(told.digest != by_machine.digest);
  CHECK(told.detail.find("first 16384") == std::string::npos);
  CHECK(digest_of("given", 0).digest == told.digest);
}

TEST_CASE("cells for each joule are told where the power is") {
  Scripted engine(the_scoring(), {});
  engine.watts = 250;
  const Listener listener = measured(engine);
  REQUIRE(listener.metrics.size() == 2);
  const protocol::Metric& metric = listener.metrics[1];
  CHECK(metric.name == "align.efficiency");
  CHECK(metric.unit == "cells/J");
  // Two queries of a second each a pass.
  CHECK(metric.value == Approx(small().cells() / (2 * 250)));
  CHECK(std::get<double>(listener.notes.back().facts.at("power_w")) == 250);
}

TEST_CASE("passes go on until they took the seconds that were asked for") {
  Scripted engine(the_scoring(), {});
  Settings settings = settings_of();
  settings.seconds = 9;
  settings.verify = "sampled";
  const Listener listener = measured(engine, settings);
  CHECK(engine.passes() == 5);
  CHECK(listener.checks.size() == 3);
}

TEST_CASE("a bit that is flipped on request is found in the pass it was flipped in") {
  Scripted engine(the_scoring(), {});
  const Listener listener = measured(engine, settings_of(), kit::Injection{35, 2});
  CHECK(listener.failed() == std::vector<std::string>{"align.scores"});
  CHECK(listener.checks[0].first_wrong->where ==
        "pass 3, query q1 (10 residues), subject s3 (30 residues)");
}

TEST_CASE("a bit flipped in the only pass is found by the alignment from the other end") {
  Scripted engine(the_scoring(), {});
  Settings settings = settings_of();
  settings.passes = 1;
  settings.sample_cells = 1;
  const Listener listener = measured(engine, settings, kit::Injection{35, 2});
  CHECK(listener.failed() == std::vector<std::string>{"align.reversed"});
}

TEST_CASE("scores that are wrong in the same way in each pass are found") {
  // All of one query too high: two passes agree, the copies and the sample do not.
  Scripted high(the_scoring(), [](int, std::int64_t query, std::int32_t* scores) {
    for (int i = 0; query == 1 && i < 32; ++i) ++scores[i];
  });
  CHECK(measured(high).failed() == std::vector<std::string>{"align.copies", "align.sample"});
  // One that is never written.
  Scripted lost(the_scoring(), [](int, std::int64_t query, std::int32_t* scores) {
    if (query == 0) scores[4] = kUnwritten;
  });
  const Listener listener = measured(lost);
  CHECK(listener.failed().front() == "align.scores");
  CHECK(listener.checks[0].wrong == 3);
}

TEST_CASE("a score that is wrong in one direction alone is found by the other one") {
  Settings settings = settings_of();
  settings.sample_cells = 1;
  Scripted engine(the_scoring(), [](int pass, std::int64_t query, std::int32_t* scores) {
    if (pass == 4 && query == 0) scores[9] += 2;
  });
  const Listener listener = measured(engine, settings);
  CHECK(listener.failed() == std::vector<std::string>{"align.reversed"});
  CHECK(listener.checks[3].first_wrong->where ==
        "query q0 (20 residues), subject s9 (30 residues)");
}

TEST_CASE("fractions of the whole only grow, and end at one") {
  Scripted engine(the_scoring(), {});
  const Listener listener = measured(engine);
  CHECK(std::is_sorted(listener.fractions.begin(), listener.fractions.end()));
  CHECK(listener.fractions.back() == 1);
}
