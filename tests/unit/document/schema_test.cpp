#include "harness/document/schema.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "benches/protocol/emit.hpp"
#include "contract/exit_code.hpp"
#include "contract/unit.hpp"
#include "tests/unit/config/support.hpp"

using namespace rackproof::config;
namespace contract = rackproof::contract;
namespace document = rackproof::document;
namespace protocol = rackproof::protocol;

namespace {

std::string issues_of(const std::string& schema, std::string_view text) {
  std::string all;
  for (const document::SchemaIssue& issue : document::validate(schema, text)) {
    all += "[" + issue.pointer + " " + std::to_string(issue.line) + "] " + issue.text + "\n";
  }
  return all;
}

std::vector<std::string> emitted_lines() {
  std::vector<std::string> lines;
  protocol::Emitter emitter([&](std::string_view line) { lines.emplace_back(line); }, "n-1");
  emitter.emit(protocol::Hello{"stream",
                               "host",
                               "0.1.0",
                               "abc",
                               {{"compiler", "gcc"}},
                               {},
                               {"--json"},
                               "bit 3 of element 5"});
  emitter.emit(protocol::Device{"GPU-1", "a device", {{"cores", std::int64_t{7}}, {"on", true}}});
  emitter.emit(protocol::Token{"id", "0011"});
  emitter.emit(protocol::Phase{"timed", 0.5});
  emitter.emit(protocol::Sample{1, {1.0, 2.0}});
  protocol::Metric metric;
  metric.name = "stream.triad";
  metric.unit = "B/s";
  metric.value = 1.5e9;
  metric.samples = {1.5e9, 1e-300, std::numeric_limits<double>::max()};
  metric.parameters = {{"type", "double"}, {"bytes", std::int64_t{8}}, {"f", 0.5}};
  metric.check = "triad";
  emitter.emit(metric);
  metric.subject = {contract::SubjectKind::kLink, "GPU-1", "GPU-2"};
  metric.samples.assign(protocol::kMaxInlineSamples + 1, 1.0);
  emitter.emit(metric);
  protocol::Check check{"triad", true, "element by element", 10, 0, {}};
  emitter.emit(check);
  check.passed = false;
  check.first_wrong = protocol::FirstWrong{"[3]", "1", "2", 1, 0};
  emitter.emit(check);
  emitter.emit(protocol::Note{"non-temporal stores won", {{"ratio", 1.6}}});
  emitter.emit(protocol::End{"done", 0, 12.5});
  return lines;
}

}  // namespace

TEST_CASE("whatever the emitter writes conforms to the schema of records") {
  for (const std::string& line : emitted_lines()) {
    INFO(line);
    CHECK(issues_of(kRecordSchema, line).empty());
  }
}

TEST_CASE("words and limits of the schema are those of the protocol") {
  const std::string schema = slurp(kRecordSchema);
  const auto lists = [&](std::string_view word) {
    return schema.find("\"" + std::string(word) + "\"") != std::string::npos;
  };
  for (const auto& [statistic, word] : words_of(contract::Statistic{})) {
    INFO(word);
    CHECK(lists(word) == is_of_records(statistic));
  }
  for (const contract::Unit& unit : contract::kUnits) {
    INFO(unit.name);
    CHECK(lists(unit.name) == contract::is_base_unit(unit.name));
  }
  for (const auto& code : words_of(contract::ExitCode{})) CHECK(lists(code.text));
}

TEST_CASE("an issue has a pointer, a line and a sentence") {
  const std::string schema = kConfigs + "schema/suite.schema.json";
  const std::string text = R"(// comments are allowed
{"schema": "rackproof/suite/1", "id": "a", "title": "t", "purpose": "p",
 "time_budget": "1 h",
 "steps": [
   {"id": "s", "title": "t", "bench": "b", "backend": "h", "placement": "rack",
    "deadline": "1 s", "expect": [{"metric": "m",
      "required": "yes"}]}]})";
  CHECK(issues_of(schema, text) ==
        "[/steps/0/expect/0/required 7] has the wrong type: the text 'yes'\n"
        "[/steps/0/placement 5] is none of the known words: the text 'rack'\n");
}

TEST_CASE("a name with '/' and '~' is escaped in the pointer") {
  CHECK(issues_of(kRecordSchema, R"({"kind":"note","text":"t","facts":{"a/b~c":null}})") ==
        "[/facts/a~1b~0c 1] has the wrong type: null\n");
}

TEST_CASE("text that is no JSON is one issue") {
  CHECK(document::validate(kRecordSchema, "{").size() == 1);
  CHECK(issues_of(kRecordSchema, "{\"a\":1,\"a\":2}") ==
        "[ 1] a: the field is given twice in one object; expected each field once\n");
  CHECK(issues_of(kRecordSchema, std::string(10'000, '[')) ==
        "[ 1] nested deeper than 64 levels\n");
}

TEST_CASE("a long text is checked without harm") {
  const std::string name(1'000'000, 'x');
  CHECK(issues_of(kRecordSchema, R"({"kind":"note","facts":{},"text":")" + name + "\"}").empty());
  CHECK(issues_of(kRecordSchema, R"({"kind":")" + name + "\"}").find("a long text") !=
        std::string::npos);
}

TEST_CASE("issues are bounded") {
  std::string values = "null";
  for (int i = 0; i < 900; ++i) values += ",null";
  CHECK(
      document::validate(kRecordSchema, R"({"kind":"sample","series":1,"values":[)" + values + "]}")
          .size() == 100);
}

TEST_CASE("a schema that cannot be used is an error of its own") {
  const TemporaryFolder folder;
  CHECK(complaint([&] {
          document::validate(folder.path() + "/none", "{}");
        }).find("cannot be read") != std::string::npos);
  const std::string odd = folder.file("odd", R"({"type": 5})");
  CHECK(complaint([&] {
          document::validate(odd, "{}");
        }).find(odd + ": is no usable JSON Schema: ") == 0);
}
