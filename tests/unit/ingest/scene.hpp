#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "benches/protocol/emit.hpp"
#include "harness/ingest/transcript.hpp"
#include "tests/fakes/journal_lines.hpp"

namespace rackproof::wire_test {

namespace ending = model::ending;

// Builds the journal lines of one attempt the way the warden does.
class Scene {
 public:
  Scene() {
    journal::Head head;
    head.step = "s";
    head.number = 2;
    head.rank = 3;
    head.host = "node1";
    head.subject.host = "node1";
    head.bench = "fake";
    head.backend = "host";
    head.arguments = {"--x"};
    feed(journal::begin_line("n", 1.5, journal::to_json(head), 10, 42));
  }

  template <class Record>
  Scene& say(const Record& record, const std::string& nonce = "n") {
    protocol::Emitter([&](std::string_view line) { out(std::string(line)); }, nonce).emit(record);
    return *this;
  }
  Scene& out(std::string line) {
    if (line.ends_with('\n')) line.pop_back();
    feed(fakes::out_line("n", line));
    return *this;
  }
  Scene& hello() {
    protocol::Hello record;
    record.bench = "fake";
    record.backend = "host";
    record.version = "1";
    return say(record);
  }
  Scene& check(bool passed = true, const std::string& name = "c") {
    return say(protocol::Check{name, passed, "d", 10, passed ? 0 : 1, std::nullopt});
  }
  Scene& metric(const std::string& name = "fake.rate") {
    protocol::Metric record;
    record.name = name;
    record.unit = "B/s";
    record.value = 5;
    record.samples = {4, 5};
    record.check = "c";
    return say(record);
  }
  Scene& bye(int code = 0) { return say(protocol::End{"done", code, 1}); }
  model::Attempt end(const journal::End& facts = {}) {
    feed(fakes::end_line("n", 9, facts));
    CHECK(transcript.over());
    return transcript.attempt();
  }
  void feed(const std::string& line) {
    const auto entry = journal::read_entry(line);
    REQUIRE(entry);
    transcript.take(*entry);
  }

  ingest::Transcript transcript;
};

inline journal::End code(int exit_code) {
  journal::End facts;
  facts.exit_code = exit_code;
  return facts;
}

inline bool garbled(const model::Attempt& attempt, const std::string& word) {
  const auto* how = std::get_if<ending::Garbled>(&attempt.ending);
  INFO(model::sentence(attempt.ending));
  CHECK(how != nullptr);
  return how != nullptr && how->what.find(word) != std::string::npos;
}

}  // namespace rackproof::wire_test
