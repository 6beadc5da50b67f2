#include "harness/ingest/record_reader.hpp"

#include <catch2/catch.hpp>

#include "benches/protocol/emit.hpp"

using namespace rackproof;
using ingest::BadRecord;
using ingest::read_record;

namespace {

template <class Record>
std::string line_of(const Record& record) {
  std::string line;
  protocol::Emitter([&](std::string_view text) { line = text; }, "n").emit(record);
  line.pop_back();
  return line;
}

protocol::Metric metric() {
  protocol::Metric record;
  record.name = "x.rate";
  record.unit = "B/s";
  record.value = 2.5;
  record.samples = {1, 2.5};
  record.parameters = {{"i", std::int64_t{4}}, {"d", 0.5}, {"b", true}, {"t", std::string("s")}};
  record.subject = {contract::SubjectKind::kDevice, "GPU-1", ""};
  record.check = "x.verify";
  return record;
}

std::string changed(std::string line, const std::string& from, const std::string& to) {
  const std::size_t at = line.find(from);
  REQUIRE(at != std::string::npos);
  return line.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("what the emitter writes is read back") {
  const auto incoming = read_record(line_of(metric()));
  CHECK(incoming.nonce == "n");
  const auto& read = std::get<protocol::Metric>(incoming.record);
  CHECK(read.name == "x.rate");
  CHECK(read.samples == std::vector<double>{1, 2.5});
  CHECK(read.parameters == metric().parameters);
  CHECK(read.subject.kind == contract::SubjectKind::kDevice);
  CHECK(read.subject.id == "GPU-1");

  protocol::Hello hello;
  hello.bench = "x";
  hello.fault_injected = "bitflip:1:2";
  CHECK(std::get<protocol::Hello>(read_record(line_of(hello)).record).fault_injected ==
        "bitflip:1:2");
  CHECK(
      std::get<protocol::End>(read_record(line_of(protocol::End{"done", 0, 1.5})).record).seconds ==
      1.5);
  CHECK(
      std::get<protocol::Token>(read_record(line_of(protocol::Token{"id", "abc"})).record).value ==
      "abc");
  const protocol::Check check{"c", false, "d", 10, 1, protocol::FirstWrong{"w", "1", "2"}};
  CHECK(std::get<protocol::Check>(read_record(line_of(check)).record).first_wrong->got == "1");
  CHECK_FALSE(std::get<protocol::Check>(read_record(line_of(check)).record).first_wrong->rank);
  const protocol::Check placed{"c", false, "d", 10, 1, protocol::FirstWrong{"w", "1", "2", 3, 0}};
  const auto first = std::get<protocol::Check>(read_record(line_of(placed)).record).first_wrong;
  CHECK(first->rank == 3);
  CHECK(first->from == 0);
  const protocol::Check voter{"c", true, "d", 10, 0, std::nullopt, "0aff"};
  CHECK(std::get<protocol::Check>(read_record(line_of(voter)).record).digest == "0aff");
  CHECK(std::get<protocol::Check>(read_record(line_of(check)).record).digest.empty());
}

TEST_CASE("fields of a newer bench are passed over") {
  CHECK_NOTHROW(read_record(changed(line_of(metric()), "\"name\"", "\"later\":[1],\"name\"")));
}

TEST_CASE("each break of the protocol is named") {
  const std::string good = line_of(metric());
  const auto refused = [](const std::string& line, const std::string& word) {
    CHECK_THROWS_WITH(read_record(line), Catch::Contains(word));
    CHECK_THROWS_AS(read_record(line), BadRecord);
  };
  refused("", "");
  refused("[]", "object");
  refused("{\"kind\":\"metric\"", "");
  refused("{\"kind\":\"metrics\"}", "metrics");
  refused("{\"nonce\":\"n\"}", "kind");
  refused(changed(good, "\"B/s\"", "\"GB/s\""), "GB/s");
  refused(changed(good, "\"B/s\"", "\"furlong\""), "furlong");
  refused(changed(good, "\"value\":2.5", "\"value\":null"), "value");
  refused(changed(good, "\"value\":2.5", "\"value\":NaN"), "");
  refused(changed(good, "\"value\":2.5", "\"value\":1e999"), "");
  refused(changed(good, "\"value\":2.5", "\"value\":\"2.5\""), "value");
  refused(changed(good, "\"more\"", "\"most\""), "better");
  refused(changed(good, "\"median\"", "\"mode\""), "statistic");
  refused(changed(good, "\"median\"", "\"p05\""), "'statistic' is not a known statistic");
  refused(changed(good, "\"device\"", "\"gpu\""), "subject");
  refused(changed(good, "[1,2.5]", "[1,\"2.5\"]"), "samples");
  std::string many = "[1";
  for (std::size_t i = 0; i < protocol::kMaxInlineSamples; ++i) many += ",1";
  refused(changed(good, "[1,2.5]", many + "]"), "at most 1000 are taken");
  refused("\xEF\xBB\xBF" + good, "byte order mark");
  refused(changed(good, "\"name\":\"x.rate\",", ""), "name");
  refused(changed(good, "\"unit\"", "\"name\":\"y\",\"unit\""), "");
  refused(std::string(protocol::kMaxLineBytes + 1, ' '), "64 KiB");
  refused(std::string(30'000, '['), "");
}

TEST_CASE("a check that passed with wrong elements contradicts itself") {
  const protocol::Check check{"c", true, "d", 10, 1, std::nullopt};
  CHECK_THROWS_AS(read_record(line_of(check)), BadRecord);
  CHECK_THROWS_AS(read_record(changed(line_of(protocol::Check{"c", true, "d", 10, 0, std::nullopt}),
                                      "\"compared\":10", "\"compared\":-1")),
                  BadRecord);
}

TEST_CASE("a digest that is no hex is refused") {
  const std::string line = line_of(protocol::Check{"c", true, "d", 10, 0, std::nullopt, "0aff"});
  CHECK_THROWS_WITH(read_record(changed(line, "0aff", "0AFF")), Catch::Contains("digest"));
  CHECK_THROWS_WITH(read_record(changed(line, "0aff", "")), Catch::Contains("digest"));
  CHECK_THROWS_AS(read_record(changed(line, "\"0aff\"", "17")), BadRecord);
}

TEST_CASE("another protocol version is refused with both numbers") {
  CHECK_THROWS_WITH(
      read_record(changed(line_of(protocol::Hello{}), "\"protocol\":1", "\"protocol\":2")),
      Catch::Contains("2") && Catch::Contains("1"));
}

TEST_CASE("numbers outside their type are refused") {
  const auto why = [](const std::string& line) -> std::string {
    try {
      read_record(line);
    } catch (const BadRecord& error) {
      return error.what();
    }
    return "";
  };
  const std::string end = line_of(protocol::End{"done", 7, 1});
  CHECK(why(changed(end, ":7", ":255")).empty());
  for (const char* code : {":256", ":-1", ":4294967296"}) {
    CHECK(why(changed(end, ":7", code)).find("'exit_code'") != std::string::npos);
  }
  const std::string rate = line_of(metric());
  const auto with_value = [&](const std::string& value) {
    return why(changed(changed(rate, "\"value\":2.5", "\"value\":" + value), "[1,2.5]", "[]"));
  };
  // A double holds it, and that is how the benches write large ones.
  CHECK(with_value("9900123456789012").empty());
  CHECK(with_value("9007199254740993").find("no double holds") != std::string::npos);
  CHECK(with_value("9223372036854775807").find("no double holds") != std::string::npos);
  CHECK(why(changed(rate, "[1,2.5]", "[9007199254740993]")).find("'samples'") != std::string::npos);
  CHECK(why(changed(rate, "\"i\":4", "\"i\":9007199254740992")).empty());
  CHECK(why(changed(rate, "\"i\":4", "\"i\":9007199254740993")).find("'parameters'") !=
        std::string::npos);
  const std::string check = line_of(protocol::Check{"c", true, "d", 11, 0, std::nullopt});
  CHECK(why(changed(check, ":11", ":9007199254740993")).find("'compared'") != std::string::npos);
  CHECK(why(changed(check, ":11", ":-1")).find("'compared'") != std::string::npos);
  const std::string placed =
      line_of(protocol::Check{"c", false, "d", 10, 1, protocol::FirstWrong{"w", "1", "2", 77, 88}});
  CHECK(why(changed(placed, ":77", ":-1")).find("'rank'") != std::string::npos);
  CHECK(why(changed(placed, ":88", ":\"a\"")).find("'from'") != std::string::npos);
}

TEST_CASE("a check that passed beside a first wrong element contradicts itself") {
  protocol::Check check{"c", true, "d", 10, 0, protocol::FirstWrong{"[3]", "1", "2"}};
  CHECK_THROWS_AS(read_record(line_of(check)), BadRecord);
  check.passed = false;
  CHECK_NOTHROW(read_record(line_of(check)));
}

TEST_CASE("series are not empty, and samples stand in one place") {
  CHECK_THROWS_AS(read_record(line_of(protocol::Sample{1, {}})), BadRecord);
  const std::string sample = line_of(protocol::Sample{1, std::vector<double>(1000, 1)});
  CHECK_NOTHROW(read_record(sample));
  CHECK_THROWS_AS(read_record(changed(sample, "[", "[1,")), BadRecord);
  CHECK_THROWS_AS(
      read_record(changed(line_of(metric()), "\"samples\"", "\"series\":1,\"samples\"")),
      BadRecord);
}
