#include "harness/ingest/account.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "benches/protocol/emit.hpp"
#include "reports/json/report_json.hpp"
#include "tests/fakes/journal_lines.hpp"

using namespace rackproof;

namespace {

model::Cell cell(const std::string& metric) {
  model::Cell out;
  out.id = metric;
  out.step = "a";
  out.subject.host = "node0";
  out.metric = metric;
  return out;
}

std::vector<journal::Entry> plan() {
  model::RunInfo run;
  run.id = "r";
  model::StepInfo step;
  step.id = "a";
  return {journal::Run{{}, run, {}}, journal::PlanStep{step}, journal::Cell{cell("fake.rate")},
          journal::Planned{1, 1}};
}

// An attempt that measures what is owed, and a number more.
std::vector<journal::Entry> attempt(const std::string& nonce, const std::string& step = "a") {
  journal::Head head;
  head.step = step;
  head.host = "node0";
  head.subject.host = "node0";
  head.bench = "fake";
  head.backend = "host";
  std::vector<journal::Entry> out = {journal::Begin{nonce, 1, head, 10, 42}};
  protocol::Emitter emitter(
      [&](std::string_view line) {
        line.remove_suffix(1);
        out.emplace_back(journal::Out{nonce, std::string(line)});
      },
      nonce);
  protocol::Hello hello;
  hello.bench = "fake";
  hello.backend = "host";
  hello.version = "1";
  emitter.emit(hello);
  emitter.emit(protocol::Check{"c", true, "d", 10, 0, std::nullopt});
  for (const char* name : {"fake.rate", "fake.more"}) {
    protocol::Metric metric;
    metric.name = name;
    metric.unit = "B/s";
    metric.value = 5;
    metric.samples = {5};
    metric.check = "c";
    emitter.emit(metric);
  }
  emitter.emit(protocol::End{"done", 0, 1});
  journal::End end;
  end.attempt = nonce;
  end.t = 2;
  end.seconds = 1;
  out.emplace_back(end);
  return out;
}

struct Told {
  void tell(const std::vector<journal::Entry>& entries) {
    for (const journal::Entry& entry : entries) ingest::apply(entry, from, account);
  }
  const model::Cell& only_cell() const {
    REQUIRE(account.report.cells.size() == 1);
    return account.report.cells.front();
  }

  ingest::JournalHead from;
  ingest::Account account;
};

}  // namespace

TEST_CASE("an attempt is in the report when it has ended, and its numbers in the cells") {
  Told told;
  told.tell(plan());
  std::vector<journal::Entry> entries = attempt("n");
  const journal::Entry last = entries.back();
  entries.pop_back();
  told.tell(entries);
  CHECK(told.account.report.attempts.empty());
  told.tell({last});
  REQUIRE(told.account.report.attempts.size() == 1);
  REQUIRE(told.only_cell().measurements.size() == 1);
  CHECK(told.only_cell().measurements[0].attempt == "n");
  // What no cell expects stays with its attempt.
  REQUIRE(told.account.report.attempts[0].measurements.size() == 1);
  CHECK(told.account.report.attempts[0].measurements[0].metric == "fake.more");
  told.tell({last});
  CHECK(told.account.report.attempts.size() == 1);
}

TEST_CASE("entries that were read as they came are the same as one after the other") {
  Told one;
  one.tell(plan());
  one.tell(attempt("n"));
  Told whole;
  whole.tell(plan());
  ingest::Transcript transcript;
  for (const journal::Entry& entry : attempt("n")) transcript.take(entry);
  const model::Attempt* const taken =
      ingest::apply(std::move(transcript), whole.from, whole.account);
  REQUIRE(taken != nullptr);
  CHECK(taken->nonce == "n");
  CHECK(model::to_json_line(one.only_cell()) == model::to_json_line(whole.only_cell()));
  CHECK(one.account.report.attempts == whole.account.report.attempts);
}

TEST_CASE("numbers wait until the plan is whole, and go back when it is told anew") {
  Told told;
  told.tell(attempt("n"));
  CHECK(told.account.report.attempts.at(0).measurements.size() == 2);
  told.tell(plan());
  CHECK(told.only_cell().measurements.size() == 1);
  told.from.segment = 2;
  told.tell(plan());
  CHECK(told.only_cell().measurements.size() == 1);
  CHECK(told.account.report.attempts.at(0).measurements.size() == 1);
  // A third telling that does not come to its end changes nothing of what is owed.
  told.from.segment = 3;
  told.tell({plan()[0], plan()[1]});
  CHECK(told.account.report.cells.empty());
  CHECK(told.account.report.attempts.at(0).measurements.size() == 2);
  ingest::conclude(told.account);
  CHECK(told.only_cell().measurements.size() == 1);
}

TEST_CASE("an attempt without an end is lost with its rank once nothing more comes") {
  Told told;
  told.tell(plan());
  std::vector<journal::Entry> entries = attempt("n");
  entries.pop_back();
  told.tell(entries);
  ingest::conclude(told.account);
  REQUIRE(told.account.report.attempts.size() == 1);
  CHECK(std::holds_alternative<model::ending::RankLost>(told.account.report.attempts[0].ending));
}

TEST_CASE("what is of no step is no attempt of the report") {
  Told told;
  told.tell(plan());
  told.tell(attempt("n", ""));
  CHECK(told.account.report.attempts.empty());
  CHECK(told.account.others.contains("n"));
}
