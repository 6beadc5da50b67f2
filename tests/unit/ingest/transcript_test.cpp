#include "harness/ingest/transcript.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <ctime>
#include <utility>

#include "tests/unit/ingest/scene.hpp"

using namespace rackproof;
using namespace rackproof::wire_test;

TEST_CASE("a whole transcript becomes an attempt with proven measurements") {
  const auto attempt = Scene().hello().check().metric().bye().end();
  CHECK(attempt.ending == model::Ending(ending::Completed{0}));
  CHECK(attempt.step == "s");
  CHECK(attempt.number == 2);
  CHECK(attempt.rank == 3);
  CHECK(attempt.arguments == std::vector<std::string>{"--x"});
  CHECK(attempt.began_seconds == 1.5);
  REQUIRE(attempt.measurements.size() == 1);
  const auto& measurement = attempt.measurements.front();
  CHECK(measurement.subject.host == "node1");
  CHECK(measurement.samples == std::vector<double>{4, 5});
  CHECK(measurement.check.passed);
  CHECK(measurement.check.compared == 10);
  CHECK(measurement.attempt == "n");
}

TEST_CASE("what else ran is what its warden saw, however odd") {
  const auto load_of = [](const std::string& load) {
    Scene scene;
    scene.hello().check().metric().bye();
    const std::string line = R"({"j":"end","attempt":"n","t":1,"seconds":1,"code":0,"load":)" +
                             load + R"(,"stderr":""})";
    scene.transcript.take(*journal::read_entry(line));
    return scene.transcript.attempt().load;
  };
  const model::HostLoad known{2, 10.5, 19, 9, 1.5, 0.25, ""};
  journal::End facts;
  facts.load = known;
  Scene scene;
  scene.hello().check().metric().bye();
  scene.feed(fakes::end_line("n", 3, facts));
  CHECK(scene.transcript.attempt().load == known);
  CHECK(load_of(R"({"unknown":"why"})").unknown == "why");
  // What makes no sense proves no quiet.
  for (const char* text :
       {"7", R"({"processors":-3,"seconds":-1,"busy":"x"})", R"({"unknown":7})",
        R"({"processors":9e18,"seconds":1,"busy":1,"own":1,"stolen":0})",
        R"({"processors":8,"seconds":1,"busy":1,"own":1})",
        R"({"processors":8,"seconds":1,"busy":1,"own":1,"stolen":0,"waited":-1})"}) {
    CAPTURE(text);
    CHECK(model::taken_share(load_of(text)) == 1);
  }
  CHECK(Scene().hello().end().load == model::HostLoad{});
}

TEST_CASE("until its end has come, an attempt counts as lost with its rank") {
  Scene scene;
  scene.hello().check().metric();
  CHECK_FALSE(scene.transcript.over());
  CHECK(std::holds_alternative<ending::RankLost>(scene.transcript.attempt().ending));
}

TEST_CASE("a metric whose check never came has none") {
  const auto attempt = Scene().hello().metric().bye().end();
  CHECK_FALSE(attempt.measurements.front().check.passed);
}

TEST_CASE("long series arrive whole") {
  protocol::Metric record;
  record.name = "fake.rate";
  record.unit = "s";
  record.value = 1;
  for (int i = 0; i < 2500; ++i) record.samples.push_back(i);
  const auto attempt = Scene().hello().check().say(record).bye().end();
  CHECK(attempt.measurements.front().samples == record.samples);
}

TEST_CASE("no end is truncated, whatever the exit code") {
  CHECK(std::holds_alternative<ending::Truncated>(Scene().hello().check().metric().end().ending));
  CHECK(std::holds_alternative<ending::Truncated>(Scene().end().ending));
}

TEST_CASE("each break of the protocol makes the ending garbled and says which") {
  CHECK(garbled(Scene().check().metric().bye().end(), "hello"));
  CHECK(garbled(Scene().hello().hello().bye().end(), "hello"));
  CHECK(garbled(Scene().hello().bye().metric().end(), "after 'end'"));
  CHECK(garbled(Scene().hello().check().metric().metric().bye().end(), "two answers"));
  CHECK(garbled(Scene().hello().check().check().bye().end(), "two checks"));
  CHECK(garbled(Scene().hello().out("rubbish").bye().end(), "line 2"));
  CHECK(garbled(Scene().hello().say(protocol::End{"done", 0, 1}, "stale").end(), "stale"));
  CHECK(garbled(Scene().hello().bye(4).end(code(0)), "'end' says 4"));
  CHECK(garbled(Scene().hello().check(false).bye(0).end(), "check failed"));
  journal::End flood;
  flood.dropped_lines = 3;
  CHECK(garbled(Scene().hello().check().metric().bye().end(flood), "3 lines"));
}

TEST_CASE("another bench than the one that was started is garbled") {
  protocol::Hello record;
  record.bench = "other";
  record.backend = "host";
  CHECK(garbled(Scene().say(record).bye().end(), "other-host"));
}

TEST_CASE("half a line and wrong bytes are garbled") {
  Scene half;
  half.hello();
  half.feed(fakes::out_line("n", "{\"kind\":\"met", false));
  CHECK(garbled(half.end(), "no newline"));
  Scene bytes;
  bytes.hello();
  bytes.feed(fakes::out_line("n", "\xff\xfe", true));
  CHECK(garbled(bytes.end(), "UTF-8"));
}

TEST_CASE("what the warden saw comes before what the transcript lacks") {
  journal::End facts;
  facts.signal = 11;
  CHECK(Scene().hello().end(facts).ending == model::Ending(ending::Signalled{11}));
  facts.timed_out = true;
  facts.state = model::ProcessState::kSleeping;
  facts.seconds = 7;
  CHECK(Scene().hello().end(facts).ending ==
        model::Ending(ending::TimedOut{7, false, model::ProcessState::kSleeping}));
  facts.cancelled_by = model::CancelReason::kInterrupted;
  CHECK(Scene().hello().end(facts).ending ==
        model::Ending(ending::Cancelled{model::CancelReason::kInterrupted}));
  journal::End spawn;
  spawn.spawn_error = "No such file";
  CHECK(Scene().end(spawn).ending == model::Ending(ending::SpawnFailed{"No such file"}));
  journal::End wedged;
  wedged.wedged_state = model::ProcessState::kWaiting;
  CHECK(std::holds_alternative<ending::Wedged>(Scene().end(wedged).ending));
  CHECK(std::holds_alternative<ending::SpawnFailed>(Scene().end(code(127)).ending));
}

TEST_CASE("what is left behind is leaked") {
  journal::End open;
  open.leaked = true;
  CHECK(std::holds_alternative<ending::Leaked>(
      Scene().hello().check().metric().bye().end(open).ending));
  journal::End leftovers;
  leftovers.leftovers = 2;
  Scene scene;
  CHECK(std::holds_alternative<ending::Leaked>(
      scene.hello().check().metric().bye().end(leftovers).ending));
  CHECK(scene.transcript.leftovers() == 2);
}

TEST_CASE("phase and token are at hand while it runs") {
  Scene scene;
  scene.hello().say(protocol::Phase{"triad", 0.4}).say(protocol::Token{"nccl-id", "abc"});
  REQUIRE(scene.transcript.phase());
  CHECK(scene.transcript.phase()->name == "triad");
  REQUIRE(scene.transcript.token());
  CHECK(scene.transcript.token()->value == "abc");
}

namespace {

// The journal of a member of a group of three.
ingest::Transcript member(int number, const std::vector<std::string>& lines) {
  journal::Head head;
  head.step = "s";
  head.host = "node1";
  head.subject.kind = contract::SubjectKind::kGroup;
  head.subject.group = "world";
  head.subject.members = {"node1", "node2"};
  head.bench = "fake";
  head.backend = "host";
  head.member = number;
  head.members = 3;
  if (number == 0) head.ends = {{"node1", "GPU-0"}, {"node1", "GPU-1"}, {"node2", "GPU-2"}};
  ingest::Transcript out;
  const auto feed = [&](const std::string& line) { out.take(*journal::read_entry(line)); };
  feed(journal::begin_line("n", 0, journal::to_json(head), 10, 1));
  for (const std::string& line : lines) feed(fakes::out_line("n", line, true));
  feed(fakes::end_line("n", 1, {}));
  return out;
}

template <class Record>
std::string record_line(const Record& record) {
  std::string out;
  protocol::Emitter([&](std::string_view line) { out = line.substr(0, line.size() - 1); }, "n")
      .emit(record);
  return out;
}

std::string hello_line() {
  protocol::Hello record;
  record.bench = "fake";
  record.backend = "host";
  return record_line(record);
}

std::string metric_about(const protocol::Subject& subject) {
  protocol::Metric record;
  record.name = "fake.rate";
  record.unit = "B/s";
  record.value = 5;
  record.subject = subject;
  record.check = "c";
  return record_line(record);
}

model::Attempt member_says(int number, const std::string& line) {
  return member(number, {hello_line(), line, record_line(protocol::End{"done", 0, 1})}).attempt();
}

}  // namespace

TEST_CASE("a member's place in its group comes from the head") {
  const model::Attempt attempt = member_says(2, record_line(protocol::Note{"x", {}}));
  CHECK(attempt.member == 2);
  CHECK(attempt.members == 3);
  CHECK(attempt.ending == model::Ending(ending::Completed{0}));
}

TEST_CASE("the first member speaks for the group, the others may not") {
  const protocol::Subject group{contract::SubjectKind::kGroup, "", ""};
  const model::Attempt first = member_says(0, metric_about(group));
  CHECK(first.ending == model::Ending(ending::Completed{0}));
  REQUIRE(first.measurements.size() == 1);
  CHECK(first.measurements[0].subject.group == "world");
  CHECK(garbled(member_says(1, metric_about(group)), "member 1 spoke for its group"));
  const protocol::Subject device{contract::SubjectKind::kDevice, "GPU-1", ""};
  CHECK(member_says(1, metric_about(device)).measurements.size() == 1);
}

TEST_CASE("links between members become links between their devices") {
  const auto link = [](const std::string& from, const std::string& to) {
    return metric_about({contract::SubjectKind::kLink, from, to});
  };
  const model::Attempt good = member_says(0, link("1", "2"));
  REQUIRE(good.measurements.size() == 1);
  CHECK(model::label(good.measurements[0].subject) == "node1/GPU-1 - node2/GPU-2");
  for (const auto& [from, to] :
       {std::pair("2", "1"), std::pair("1", "1"), std::pair("1", "3"), std::pair("-1", "2"),
        std::pair("GPU-0", "GPU-1"), std::pair("", "1"), std::pair("1", "2x")}) {
    INFO(from << " to " << to);
    CHECK(garbled(member_says(0, link(from, to)), "lower first"));
  }
  CHECK(garbled(member_says(1, link("0", "1")), "spoke for its group"));
}

TEST_CASE("a token is there as soon as it was said, once and of the right form") {
  const std::string token = record_line(protocol::Token{"id", "00ff"});
  const ingest::Transcript good = member(0, {hello_line(), token});
  REQUIRE(good.token());
  CHECK(good.token()->value == "00ff");
  CHECK(garbled(member(0, {hello_line(), token, token}).attempt(), "second token"));
  const ingest::Transcript bad =
      member(0, {hello_line(), record_line(protocol::Token{"id", "two words"})});
  REQUIRE(bad.token());
  CHECK(garbled(bad.attempt(), "blank"));
}

TEST_CASE("a check's digest arrives") {
  const protocol::Check check{"c", true, "d", 10, 0, std::nullopt, "0aff"};
  const model::Attempt attempt = member_says(1, record_line(check));
  REQUIRE(attempt.checks.size() == 1);
  CHECK(attempt.checks[0].digest == "0aff");
}

TEST_CASE("a transcript of a hundred times as many links takes about a hundred times as long") {
  const auto seconds_of = [](int metrics) {
    Scene scene;
    scene.hello();
    const std::clock_t began = std::clock();  // of this process alone
    for (int i = 0; i < metrics; ++i) scene.metric("m" + std::to_string(i));
    const std::clock_t took = std::clock() - began;
    CHECK(scene.check().bye().end().measurements.size() == static_cast<std::size_t>(metrics));
    return static_cast<double>(took);
  };
  seconds_of(500);
  const double few = seconds_of(500);
  // Comparing each with all before would take ten thousand times as long.
  CHECK(seconds_of(50000) < 1000 * std::max(few, CLOCKS_PER_SEC * 1e-4));
}
