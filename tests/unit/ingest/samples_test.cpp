#include <catch2/catch.hpp>

#include "tests/unit/ingest/scene.hpp"

using namespace rackproof;
using namespace rackproof::wire_test;

TEST_CASE("a series that was not sent, or goes on behind its metric, is garbled") {
  protocol::Metric metric;
  metric.name = "fake.rate";
  metric.unit = "B/s";
  metric.value = 5;
  metric.series = 7;
  metric.check = "c";
  Scene never;
  CHECK(garbled(never.hello().check().say(metric).bye().end(), "of which no sample went ahead"));
  Scene late;
  late.hello().check().say(protocol::Sample{7, {5}}).say(metric).say(protocol::Sample{7, {1}});
  CHECK(garbled(late.bye().end(), "come after the metric that names it"));
  Scene twice;
  twice.hello().check().say(protocol::Sample{7, {5}}).say(metric);
  metric.name = "fake.other";
  const auto attempt = twice.say(metric).bye().end();
  CHECK(attempt.ending == model::Ending(ending::Completed{0}));
  CHECK(attempt.measurements.at(1).samples == std::vector<double>{5});
}

TEST_CASE("a value that is not the statistic of its samples is garbled") {
  protocol::Metric metric;
  metric.name = "fake.rate";
  metric.unit = "B/s";
  metric.value = 500;
  metric.samples = {4, 5, 6};
  metric.check = "c";
  CHECK(garbled(Scene().hello().check().say(metric).bye().end(), "is not the median of its 3"));
  metric.statistic = contract::Statistic::kValue;
  CHECK(garbled(Scene().hello().check().say(metric).bye().end(), "is not the value of its 3"));
}

TEST_CASE("one number said twice is garbled, however its parameters are written") {
  protocol::Metric metric;
  metric.name = "fake.rate";
  metric.unit = "B/s";
  metric.value = 5;
  metric.check = "c";
  metric.parameters = {{"bytes", std::int64_t{8}}};
  Scene scene;
  scene.hello().check().say(metric);
  metric.parameters = {{"bytes", 8.0}};
  CHECK(garbled(scene.say(metric).bye().end(), "two answers"));
  Scene texts;
  texts.hello().check().say(metric);
  metric.parameters = {{"bytes", std::string("8")}};
  CHECK(texts.say(metric).bye().end().ending == model::Ending(ending::Completed{0}));
}

TEST_CASE("exit codes that no process has are garbled") {
  Scene scene;
  scene.hello().check().metric();
  scene.out(R"({"kind":"end","nonce":"n","reason":"done","exit_code":4294967296,"seconds":1})");
  CHECK(garbled(scene.end(), "exit_code"));
  Scene journal;
  journal.hello().check().metric().bye();
  journal.feed(R"({"j":"end","attempt":"n","t":1,"seconds":1,"code":4294967296,"stderr":""})");
  CHECK(garbled(journal.transcript.attempt(), "4294967296"));
}
