#include <catch2/catch.hpp>
#include <set>

#include "harness/config/platform.hpp"
#include "harness/config/suite.hpp"
#include "harness/document/document.hpp"
#include "harness/document/schema.hpp"
#include "reports/json/json_fields.hpp"
#include "reports/json/report_json.hpp"
#include "reports/model/words.hpp"
#include "tests/unit/config/support.hpp"

using namespace rackproof;
using namespace rackproof::config;

namespace {

const std::string kReportSchema =
    std::string(RACKPROOF_SOURCE_DIR) + "/reports/schema/report.schema.json";

using Names = std::set<std::string>;

// Collects what a value type is called in documents, and what of it is always there.
struct Collector {
  template <class T>
  void field(const char* key, const T& /*value*/) {
    all.insert(key);
    required.insert(key);
  }
  template <class T>
  void maybe(const char* key, const T& /*value*/) {
    all.insert(key);
  }
  template <class T>
  void unless(const char* key, const T& /*value*/, const T& /*otherwise*/) {
    all.insert(key);
  }
  void gone(const char* key) { all.insert(key); }
  Names all;
  Names required;
};

template <class T>
Collector fields_of() {
  Collector collector;
  T value;
  model::describe(collector, value);
  return collector;
}

const document::Node& at(const document::Node& node, const std::string& name) {
  for (const document::Member& member : std::get<document::Node::Members>(node.value)) {
    if (member.name == name) return member.node;
  }
  throw std::out_of_range(name);
}

Names keys(const document::Node& node) {
  Names names;
  for (const document::Member& member : std::get<document::Node::Members>(node.value))
    names.insert(member.name);
  return names;
}

Names texts(const document::Node& list) {
  Names names;
  for (const document::Node& node : std::get<document::Node::List>(list.value)) {
    names.insert(std::get<std::string>(node.value));
  }
  return names;
}

template <class T>
void compare(const document::Node& definition) {
  const Collector fields = fields_of<T>();
  CHECK(keys(at(definition, "properties")) == fields.all);
  CHECK(texts(at(definition, "required")) == fields.required);
}

template <class E>
void compare_words(const document::Node& schema) {
  Names known;
  for (const auto& entry : words_of(E{})) known.insert(std::string(entry.text));
  CHECK(texts(at(schema, "enum")) == known);
}

model::Report full_report() {
  model::Report report;
  const std::string digest(64, 'a');
  report.tool = {"0.1.0", "abc", {{"compiler", "gcc"}}, {{"stream-host", digest}}, {}};
  report.run.id = "r1";
  report.run.launcher = "solo";
  report.ranks.push_back({0, "h", 0, 7, model::RankState::kFinished, "", "rank0.journal"});
  model::NodeInventory node{"h", {}, {{"GPU-1", 0, {}}}};
  node.facts["cpu.model"] = {contract::Scalar("x"), "/proc/cpuinfo", ""};
  node.facts["cpu.clock"] = {std::nullopt, "", "not there"};
  report.nodes.push_back(node);
  report.platforms.push_back(load_platform(kData + "valid/site.json", ""));
  report.platforms.push_back(load_platform(kConfigs + "platforms/host-generic.json", ""));
  report.platform_of_host["h"] = "site";
  report.suite = load_suite(kData + "valid/suite_full.json").info;
  report.steps.push_back(
      {"s", "t", "stream", "host", "node", 1, false, model::StepState::kDone, {}});
  const model::Subject subjects[] = {
      {contract::SubjectKind::kNode, "h", "", "", "", "", {}},
      {contract::SubjectKind::kDevice, "h", "GPU-1", "", "", "", {}},
      {contract::SubjectKind::kLink, "h", "", "g", "", "", {}},
      {contract::SubjectKind::kGroup, "", "", "", "", "world", {"h"}}};
  for (const model::Subject& subject : subjects) {
    model::Cell cell;
    cell.id = model::label(subject);
    cell.step = "s";
    cell.subject = subject;
    cell.metric = "m";
    cell.parameters = {{"bytes", std::int64_t{8}}, {"on", true}, {"f", 0.5}, {"t", "x"}};
    model::Measurement measurement;
    measurement.metric = "m";
    measurement.unit = "B/s";
    measurement.samples = {1.5};
    measurement.subject = subject;
    cell.measurements.push_back(measurement);
    cell.verdict.observed = 1.5;
    report.cells.push_back(cell);
  }
  report.journals = {
      {"journals/0001-rank-00000.jsonl", 1, 0, 7, 1, digest, "0123456789abcdef", {2}},
      {"journals/0001-rank-00001.jsonl", 1, 1, 0, 0, digest, "", {}}};
  const model::Ending endings[] = {model::ending::Completed{},   model::ending::Signalled{11},
                                   model::ending::TimedOut{},    model::ending::Cancelled{},
                                   model::ending::SpawnFailed{}, model::ending::Leaked{},
                                   model::ending::Truncated{},   model::ending::Garbled{},
                                   model::ending::Wedged{},      model::ending::RankLost{"x"}};
  for (const model::Ending& ending : endings) {
    model::Attempt attempt;
    attempt.step = "s";
    attempt.subject = subjects[0];
    attempt.ending = ending;
    attempt.checks.push_back({"c", false, "d", 10, 1, "[3]", "1", "2", 3, 0, "a0"});
    report.attempts.push_back(attempt);
  }
  report.attempts[0].load = {2, 10, 19, 18, 0.5, 1, ""};
  report.attempts[1].load.unknown = "/proc/stat: Permission denied";
  report.events.push_back({"h",
                           "2026-11-22T00:00:00.000Z",
                           "xid",
                           model::Severity::kError,
                           "GPU-1",
                           79,
                           "NVML: Xid 79",
                           2,
                           {"r/1/a"}});
  report.findings.push_back({"drift", model::Severity::kWarning, "h", "text", "", {}});
  return report;
}

}  // namespace

TEST_CASE("the schema of reports names the fields that the writer writes") {
  const document::Document document = document::load_document(kReportSchema);
  compare<model::Report>(document.root);
  const document::Node& definitions = at(document.root, "definitions");
  const auto definition = [&](const char* name) -> const document::Node& {
    return at(definitions, name);
  };
  compare<model::CheckResult>(definition("check"));
  compare<model::Measurement>(definition("measurement"));
  compare<model::Verdict>(definition("verdict"));
  compare<model::Cell>(definition("cell"));
  compare<model::Cause>(definition("cause"));
  compare<model::CauseCondition>(definition("cause_condition"));
  compare<model::CauseRule>(definition("cause_rule"));
  compare<model::CauseTable>(definition("cause_table"));
  compare<model::MetricBound>(definition("bound"));
  compare<model::Attempt>(definition("attempt"));
  compare<model::HostLoad>(definition("load"));
  compare<model::Finding>(definition("finding"));
  compare<model::Event>(definition("event"));
  compare<model::Fact>(definition("fact"));
  compare<model::DeviceFacts>(definition("device"));
  compare<model::NodeInventory>(definition("node"));
  compare<model::Source>(definition("source"));
  compare<model::Baseline>(definition("baseline"));
  compare<model::Waiver>(definition("waiver"));
  compare<model::FactRule>(definition("rule"));
  compare<model::PlatformTable>(definition("platform"));
  compare<model::RankInfo>(definition("rank"));
  compare<model::StepInfo>(definition("step"));
  compare<model::SuiteInfo>(definition("suite"));
  compare<model::JudgePolicy>(at(at(definition("suite"), "properties"), "policy"));
  compare<model::Suppression>(at(at(at(definition("suite"), "properties"), "suppress"), "items"));
  compare<model::ToolInfo>(definition("tool"));
  compare<model::RunInfo>(definition("run"));
  compare<model::Counts>(definition("counts"));
  CHECK(keys(at(definition("subject"), "properties")) == fields_of<model::Subject>().all);
}

TEST_CASE("the schema of inventories names the fields that the writer writes") {
  const document::Document document = document::load_document(
      std::string(RACKPROOF_SOURCE_DIR) + "/reports/schema/inventory.schema.json");
  compare<model::NodeInventory>(document.root);
  compare<model::DeviceFacts>(at(at(at(document.root, "properties"), "devices"), "items"));
  const document::Node& facts = at(at(document.root, "definitions"), "facts");
  compare<model::Fact>(at(facts, "additionalProperties"));
}

TEST_CASE("the schema of reports knows the words that the writer writes") {
  const document::Document document = document::load_document(kReportSchema);
  const document::Node& definitions = at(document.root, "definitions");
  const auto property = [&](const char* type, const char* name) -> const document::Node& {
    return at(at(at(definitions, type), "properties"), name);
  };
  compare_words<model::Acceptance>(at(at(document.root, "properties"), "acceptance"));
  compare_words<model::Outcome>(property("verdict", "outcome"));
  compare_words<contract::Statistic>(property("verdict", "statistic"));
  compare_words<contract::Statistic>(property("measurement", "statistic"));
  compare_words<contract::Better>(property("measurement", "better"));
  compare_words<contract::SubjectKind>(property("subject", "kind"));
  compare_words<model::Severity>(property("finding", "severity"));
  compare_words<model::Severity>(property("event", "severity"));
  compare_words<model::BaselineKind>(property("baseline", "kind"));
  const document::Node& policy = at(at(property("suite", "policy"), "properties"), "disturbed");
  compare_words<model::Disturbed>(policy);
  Names endings;
  for (const model::Attempt& attempt : full_report().attempts) {
    endings.insert(model::word(attempt.ending));
  }
  CHECK(texts(at(property("ending", "kind"), "enum")) == endings);
}

TEST_CASE("a report with everything in it conforms") {
  const std::string text = model::to_json(full_report());
  for (const document::SchemaIssue& issue : document::validate(kReportSchema, text)) {
    FAIL_CHECK(issue.line << " " << issue.pointer << " " << issue.text);
  }
}

TEST_CASE("a report that was changed by hand does not") {
  const std::string text = model::to_json(full_report());
  const auto issues_after = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    const auto place = changed.find(from);
    REQUIRE(place != std::string::npos);
    changed.replace(place, from.size(), to);
    return document::validate(kReportSchema, changed).size();
  };
  CHECK(issues_after("\"acceptance\": \"incomplete\"", "\"acceptance\": \"fine\"") > 0);
  CHECK(issues_after("\"kind\": \"completed\"", "\"kind\": \"signalled\"") > 0);
  CHECK(issues_after("\"schema_version\": \"1.9\"", "\"schema_version\": \"2.0\"") > 0);
  CHECK(issues_after("\"outcome\": \"untested\"", "\"result\": \"untested\"") > 0);
}

TEST_CASE("the golden reports conform") {
  int seen = 0;
  const std::string folder = std::string(RACKPROOF_SOURCE_DIR) + "/tests/golden/report";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string path = entry.path().string();
    if (!path.ends_with(".report.json")) continue;
    ++seen;
    for (const document::SchemaIssue& issue : document::validate(kReportSchema, slurp(path))) {
      FAIL_CHECK(path << ":" << issue.line << " " << issue.pointer << " " << issue.text);
    }
  }
  CHECK(seen > 0);
}
