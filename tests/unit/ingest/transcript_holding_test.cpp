#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "benches/protocol/emit.hpp"
#include "harness/ingest/transcript.hpp"
#include "tests/fakes/journal_lines.hpp"

// A few bytes of output ask for many to be held: what that costs is bounded, and told.
using namespace rackproof;

namespace {

// One attempt whose lines are what a bench may say.
struct Holding {
  Holding() {
    journal::Head head;
    head.bench = "fake";
    head.backend = "host";
    feed(journal::begin_line("n", 1, journal::to_json(head), 10, 42));
    protocol::Hello hello;
    hello.bench = "fake";
    hello.backend = "host";
    hello.version = "1";
    say(hello);
  }
  void feed(const std::string& line) {
    const auto entry = journal::read_entry(line);
    REQUIRE(entry);
    transcript.take(*entry);
  }
  template <class Record>
  void say(const Record& record) {
    protocol::Emitter emitter(
        [&](std::string_view line) {
          line.remove_suffix(1);
          bytes += line.size();
          feed(fakes::out_line("n", std::string(line)));
        },
        "n");
    emitter.emit(record);
  }
  protocol::Metric metric(int number) const {
    protocol::Metric metric;
    metric.name = "fake.rate";
    metric.unit = "B/s";
    metric.value = 1;
    metric.check = "c";
    metric.parameters["number"] = std::int64_t{number};
    return metric;
  }
  void check(const std::string& detail) { say(protocol::Check{"c", true, detail, 10, 0, {}}); }
  model::Attempt end() {
    say(protocol::End{"done", 0, 1});
    feed(fakes::end_line("n", 9, {}));
    return transcript.take_attempt();
  }
  static std::string garbled(const model::Attempt& attempt) {
    const auto* how = std::get_if<model::ending::Garbled>(&attempt.ending);
    return how == nullptr ? "" : how->what;
  }

  ingest::Transcript transcript;
  std::size_t bytes = 0;
};

}  // namespace

TEST_CASE("a series counts as often as it is named") {
  Holding holding;
  for (int part = 0; part < 100; ++part) {
    holding.say(protocol::Sample{1, std::vector<double>(1000, 1.0)});
  }
  holding.check("");
  for (int i = 0; i < 41; ++i) {
    auto metric = holding.metric(i);
    metric.series = 1;
    holding.say(metric);
  }
  CHECK(holding.bytes < 1'000'000);
  const model::Attempt attempt = holding.end();
  CHECK_THAT(Holding::garbled(attempt), Catch::Contains("more than 4,000,000 samples"));
  CHECK(attempt.measurements.empty());
}

TEST_CASE("samples inside a metric count like those of a series") {
  Holding holding;
  holding.check("");
  auto metric = holding.metric(0);
  metric.samples.assign(1000, 1.0);
  for (int i = 0; i < 4000; ++i) {
    metric.parameters["number"] = std::int64_t{i};
    holding.say(metric);
  }
  CHECK(Holding::garbled(Holding(holding).end()).empty());
  metric.parameters["number"] = std::int64_t{4000};
  holding.say(metric);
  CHECK_THAT(Holding::garbled(holding.end()), Catch::Contains("more than 4,000,000 samples"));
}

TEST_CASE("a check counts with each number that it proves") {
  Holding holding;
  holding.check(std::string(60'000, 'd'));
  for (int i = 0; i < 3000; ++i) holding.say(holding.metric(i));
  CHECK(holding.bytes < 2'000'000);
  const model::Attempt attempt = holding.end();
  CHECK_THAT(Holding::garbled(attempt), Catch::Contains("more than 128 MiB"));
  CHECK(attempt.measurements.empty());
  CHECK(attempt.checks.size() == 1);
}

TEST_CASE("of very many notes the first are kept, and the number of the others") {
  Holding holding;
  holding.check("");
  for (int i = 0; i < 30; ++i) holding.say(protocol::Note{std::string(60'000, 'n'), {}});
  holding.say(holding.metric(0));
  const model::Attempt attempt = holding.end();
  CHECK(Holding::garbled(attempt).empty());
  CHECK(attempt.measurements.size() == 1);
  REQUIRE(attempt.notes.size() == 18);
  CHECK(attempt.notes.back() == "13 more notes were left out");
}
