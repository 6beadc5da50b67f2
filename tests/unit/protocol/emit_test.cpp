#include "benches/protocol/emit.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

using namespace rackproof::protocol;
namespace contract = rackproof::contract;
using Json = nlohmann::json;

namespace {

struct Stream {
  std::vector<std::string> lines;
  Emitter emitter;

  explicit Stream(std::string nonce = "n-1")
      : emitter([this](std::string_view line) { lines.emplace_back(line); }, std::move(nonce)) {}

  Json last() const { return Json::parse(lines.back()); }
};

Metric metric_with(std::size_t samples) {
  Metric metric;
  metric.name = "probe.rate";
  metric.unit = "B/s";
  metric.value = 1;
  for (std::size_t i = 0; i < samples; ++i) metric.samples.push_back(static_cast<double>(i));
  metric.check = "ok";
  return metric;
}

}  // namespace

TEST_CASE("each record is one line with its kind and the nonce") {
  Stream s;
  s.emitter.emit(Hello{"stream", "host", "1.0", "abc", {{"type", "Release"}}, {}, {"--json"}, ""});
  s.emitter.emit(Device{"GPU-1", "H100", {{"sms", std::int64_t{132}}}});
  s.emitter.emit(Token{"nccl-id", "AAAA"});
  s.emitter.emit(Phase{"warm-up", 0.5});
  s.emitter.emit(Sample{3, {1, 2}});
  s.emitter.emit(metric_with(2));
  s.emitter.emit(Check{"ok", true, "equal", 4, 0, {}});
  s.emitter.emit(Note{"text", {{"on", true}}});
  s.emitter.emit(End{"done", 0, 1.5});
  const std::vector<std::string> kinds{"hello",  "device", "token", "phase", "sample",
                                       "metric", "check",  "note",  "end"};
  REQUIRE(s.lines.size() == kinds.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    CHECK(s.lines[i].find('\n') == s.lines[i].size() - 1);
    const Json record = Json::parse(s.lines[i]);
    CHECK(record.at("kind") == kinds[i]);
    CHECK(record.at("nonce") == "n-1");
  }
  CHECK(Json::parse(s.lines[0]).at("protocol") == kProtocolVersion);
  CHECK_FALSE(Json::parse(s.lines[0]).contains("fault_injected"));
}

TEST_CASE("an empty nonce is left out, a fault is not") {
  Stream s("");
  Hello hello;
  hello.fault_injected = "bitflip:1:2";
  s.emitter.emit(hello);
  CHECK_FALSE(s.last().contains("nonce"));
  CHECK(s.last().at("fault_injected") == "bitflip:1:2");
}

TEST_CASE("a metric carries everything said of it") {
  Stream s;
  Metric metric = metric_with(2);
  metric.better = contract::Better::kLess;
  metric.statistic = contract::Statistic::kP99;
  metric.parameters = {{"bytes", std::int64_t{1} << 53},
                       {"graph", false},
                       {"ratio", 0.1},
                       {"type", std::string("float")}};
  metric.subject = {contract::SubjectKind::kLink, "GPU-1", "GPU-2"};
  s.emitter.emit(metric);
  const Json record = s.last();
  CHECK(record.at("better") == "less");
  CHECK(record.at("statistic") == "p99");
  CHECK(record.at("samples") == Json::array({0.0, 1.0}));
  CHECK(record.at("parameters").at("bytes") == std::int64_t{1} << 53);
  CHECK(record.at("parameters").at("graph") == false);
  CHECK(record.at("parameters").at("ratio") == 0.1);
  CHECK(record.at("parameters").at("type") == "float");
  CHECK(record.at("subject") == Json{{"kind", "link"}, {"id", "GPU-1"}, {"peer", "GPU-2"}});
  CHECK(record.at("check") == "ok");
}

TEST_CASE("a long series goes ahead of its metric, each series under a number of its own") {
  Stream s;
  s.emitter.emit(metric_with(kMaxInlineSamples));
  REQUIRE(s.lines.size() == 1);
  s.emitter.emit(metric_with(2 * kMaxInlineSamples + 1));
  REQUIRE(s.lines.size() == 5);
  std::vector<double> all;
  for (std::size_t i = 1; i < 4; ++i) {
    const Json part = Json::parse(s.lines[i]);
    CHECK(part.at("kind") == "sample");
    for (const double value : part.at("values")) all.push_back(value);
  }
  CHECK(all == metric_with(2 * kMaxInlineSamples + 1).samples);
  CHECK_FALSE(s.last().contains("samples"));
  const auto first = s.last().at("series");
  s.emitter.emit(metric_with(kMaxInlineSamples + 1));
  CHECK(s.last().at("series") != first);
}

TEST_CASE("the first wrong place is told") {
  Stream s;
  s.emitter.emit(Check{"same", true, "bitwise", 8, 0, {}, "00ff"});
  CHECK(s.last().at("digest") == "00ff");
  s.emitter.emit(Check{"sum", false, "bitwise", 8, 1, FirstWrong{"b[3]", "1", "2"}});
  CHECK(s.last().at("first_wrong") == Json{{"where", "b[3]"}, {"got", "1"}, {"want", "2"}});
  CHECK(s.last().at("wrong") == 1);
  CHECK_FALSE(s.last().contains("digest"));
  s.emitter.emit(Check{"sum", false, "bitwise", 8, 1, FirstWrong{"b[3]", "1", "2", 4, 0}});
  CHECK(s.last().at("first_wrong").at("rank") == 4);
  CHECK(s.last().at("first_wrong").at("from") == 0);
}

TEST_CASE("a digest is lower-case hex of a bounded length") {
  CHECK(is_digest("0"));
  CHECK(is_digest(std::string(kMaxDigestLetters, 'f')));
  CHECK_FALSE(is_digest(std::string(kMaxDigestLetters + 1, 'f')));
  for (const char* text : {"", "0x1", "FF", "g", "a b"}) CHECK_FALSE(is_digest(text));
}

TEST_CASE("a record that cannot be said is not said in part") {
  Stream s;
  Metric metric = metric_with(1);
  metric.value = std::numeric_limits<double>::infinity();
  CHECK_THROWS_AS(s.emitter.emit(metric), std::invalid_argument);
  metric = metric_with(kMaxInlineSamples + 1);
  metric.statistic = contract::Statistic::kP05;
  CHECK_THROWS_AS(s.emitter.emit(metric), std::invalid_argument);
  CHECK_THROWS_AS(s.emitter.emit(Note{std::string(kMaxLineBytes, 'x'), {}}), std::length_error);
  CHECK_THROWS_AS(s.emitter.emit(End{"done", 0, std::nan("")}), std::invalid_argument);
  CHECK(s.lines.empty());
}
