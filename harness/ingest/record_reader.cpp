#include "harness/ingest/record_reader.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "contract/better.hpp"
#include "contract/scalar.hpp"
#include "contract/statistic.hpp"
#include "contract/subject_kind.hpp"
#include "contract/unit.hpp"
#include "contract/words.hpp"
#include "reports/json/strict_json.hpp"
#include "reports/model/scalar.hpp"

namespace rackproof::ingest {
namespace {

using contract::Parameters;
using contract::Scalar;
using nlohmann::json;

// What a process can end with.
constexpr std::int64_t kLastExitCode = 255;

// Fields of one record by name and type, with the complaint that a bench author needs.
class Fields {
 public:
  Fields(const json& object, std::string place) : object_(object), place_(std::move(place)) {}

  const json& at(const char* name) const {
    const auto found = object_.find(name);
    if (found == object_.end()) complain(name, "is missing");
    return *found;
  }
  bool has(const char* name) const { return object_.contains(name); }

  std::string text(const char* name) const {
    const json& value = at(name);
    if (!value.is_string()) complain(name, "must be a string");
    return value.get<std::string>();
  }
  std::int64_t integer(const char* name) const {
    const json& value = at(name);
    if (!value.is_number_integer()) complain(name, "must be an integer");
    return value.get<std::int64_t>();
  }
  // What is counted: readers of reports hold it in doubles.
  std::int64_t count(const char* name, std::int64_t most = model::kWholeInDouble) const {
    const std::int64_t value = integer(name);
    if (value < 0) complain(name, "must not be negative");
    if (value > most) complain(name, fmt::format("must not be above {}", most));
    return value;
  }
  double number(const char* name) const { return number(name, at(name)); }
  bool boolean(const char* name) const {
    const json& value = at(name);
    if (!value.is_boolean()) complain(name, "must be true or false");
    return value.get<bool>();
  }
  std::vector<double> numbers(const char* name) const {
    const json& value = at(name);
    if (!value.is_array()) complain(name, "must be an array of numbers");
    std::vector<double> out;
    out.reserve(value.size());
    for (const json& item : value) {
      if (!item.is_number()) complain(name, "must be an array of numbers");
      out.push_back(number(name, item));
    }
    return out;
  }
  std::map<std::string, std::string> texts(const char* name) const {
    std::map<std::string, std::string> out;
    for (const auto& [key, value] : object(name).items()) {
      if (!value.is_string()) complain(name, "must hold strings");
      out[key] = value.get<std::string>();
    }
    return out;
  }
  Parameters parameters(const char* name) const {
    Parameters out;
    for (const auto& [key, value] : object(name).items()) out[key] = scalar(name, value);
    return out;
  }
  const json& object(const char* name) const {
    const json& value = at(name);
    if (!value.is_object()) complain(name, "must be an object");
    return value;
  }
  // Parameters that tell cells apart: as doubles, two of them could be one.
  Parameters exact_parameters(const char* name) const {
    Parameters out = parameters(name);
    for (const auto& [key, value] : out) {
      const auto* whole = std::get_if<std::int64_t>(&value);
      if (whole == nullptr) continue;
      if (*whole > model::kWholeInDouble || *whole < -model::kWholeInDouble) {
        complain(name, fmt::format("holds in '{}' a whole number beyond 2^53", key));
      }
    }
    return out;
  }
  [[noreturn]] void complain(const char* name, std::string_view what) const {
    throw BadRecord(fmt::format("{}: field '{}' {}", place_, name, what));
  }

 private:
  // A whole number that a double does not hold is another one when it is judged.
  double number(const char* name, const json& value) const {
    if (!value.is_number()) complain(name, "must be a number");
    const auto held = value.get<double>();
    if (value.is_number_integer()) {
      const auto whole = value.get<std::int64_t>();
      const bool small = whole <= model::kWholeInDouble && whole >= -model::kWholeInDouble;
      const bool in_range = std::abs(held) < 0x1p63;
      if (!small && !(in_range && static_cast<std::int64_t>(held) == whole)) {
        complain(name, fmt::format("is {}, which no double holds", whole));
      }
    }
    return held;
  }
  Scalar scalar(const char* name, const json& value) const {
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (value.is_number()) return value.get<double>();
    if (value.is_string()) return value.get<std::string>();
    complain(name, "must hold strings, numbers or booleans");
  }

  const json& object_;
  std::string place_;
};

protocol::Hello read_hello(const Fields& fields) {
  protocol::Hello hello;
  if (fields.integer("protocol") != protocol::kProtocolVersion) {
    throw BadRecord(fmt::format("hello: protocol {} is not the {} that this version reads",
                                fields.integer("protocol"), protocol::kProtocolVersion));
  }
  hello.bench = fields.text("bench");
  hello.backend = fields.text("backend");
  hello.version = fields.text("version");
  hello.commit = fields.text("commit");
  hello.build = fields.texts("build");
  hello.libraries = fields.texts("libraries");
  const json& arguments = fields.at("arguments");
  if (!arguments.is_array()) fields.complain("arguments", "must be an array of strings");
  for (const json& argument : arguments) {
    if (!argument.is_string()) fields.complain("arguments", "must be an array of strings");
    hello.arguments.push_back(argument.get<std::string>());
  }
  if (fields.has("fault_injected")) hello.fault_injected = fields.text("fault_injected");
  return hello;
}

protocol::Subject read_subject(const Fields& fields) {
  const Fields inner(fields.object("subject"), "subject");
  protocol::Subject subject;
  const auto kind = contract::enumerator_of<contract::SubjectKind>(inner.text("kind"));
  if (!kind) fields.complain("subject", "must be of kind node, device, link or group");
  subject.kind = *kind;
  if (inner.has("id")) subject.id = inner.text("id");
  if (inner.has("peer")) subject.peer = inner.text("peer");
  return subject;
}

protocol::Metric read_metric(const Fields& fields) {
  protocol::Metric metric;
  metric.name = fields.text("name");
  if (metric.name.empty()) fields.complain("name", "must not be empty");
  metric.unit = fields.text("unit");
  if (!contract::is_base_unit(metric.unit)) {
    throw BadRecord(
        fmt::format("metric {}: unit '{}' is not a base unit", metric.name, metric.unit));
  }
  const auto better = contract::enumerator_of<contract::Better>(fields.text("better"));
  if (!better) fields.complain("better", "must be more or less");
  metric.better = *better;
  const auto statistic = contract::enumerator_of<contract::Statistic>(fields.text("statistic"));
  if (!statistic || !contract::is_of_records(*statistic)) {
    fields.complain("statistic", "is not a known statistic");
  }
  metric.statistic = *statistic;
  metric.value = fields.number("value");
  if (fields.has("series")) {
    metric.series = fields.count("series");
    if (fields.has("samples")) fields.complain("samples", "has no place beside 'series'");
  } else {
    metric.samples = fields.numbers("samples");
    if (metric.samples.size() > protocol::kMaxInlineSamples) {
      throw BadRecord(fmt::format("metric {}: {} samples in its line, at most {} are taken",
                                  metric.name, metric.samples.size(), protocol::kMaxInlineSamples));
    }
  }
  metric.parameters = fields.exact_parameters("parameters");
  if (fields.has("conditions")) metric.conditions = fields.exact_parameters("conditions");
  metric.subject = read_subject(fields);
  metric.check = fields.text("check");
  return metric;
}

protocol::Check read_check(const Fields& fields) {
  protocol::Check check;
  check.name = fields.text("name");
  check.passed = fields.boolean("passed");
  check.detail = fields.text("detail");
  check.compared = fields.count("compared");
  check.wrong = fields.count("wrong");
  if (check.passed && check.wrong > 0) fields.complain("passed", "contradicts 'wrong'");
  if (check.passed && fields.has("first_wrong")) {
    fields.complain("passed", "contradicts 'first_wrong'");
  }
  if (fields.has("digest")) {
    check.digest = fields.text("digest");
    if (!protocol::is_digest(check.digest)) {
      fields.complain("digest", "must be 1 to 128 digits of lower-case hex");
    }
  }
  if (fields.has("first_wrong")) {
    const Fields inner(fields.object("first_wrong"), "first_wrong");
    protocol::FirstWrong first{inner.text("where"), inner.text("got"), inner.text("want")};
    if (inner.has("rank")) first.rank = inner.count("rank");
    if (inner.has("from")) first.from = inner.count("from");
    check.first_wrong = std::move(first);
  }
  return check;
}

protocol::Sample read_sample(const Fields& fields) {
  protocol::Sample sample{fields.count("series"), fields.numbers("values")};
  if (sample.values.empty()) fields.complain("values", "must not be empty");
  if (sample.values.size() > protocol::kMaxInlineSamples) {
    fields.complain("values", "holds more than 1000; more go into further records");
  }
  return sample;
}

AnyRecord read_of_kind(protocol::Kind kind, const Fields& fields) {
  using protocol::Kind;
  switch (kind) {
    case Kind::kHello:
      return read_hello(fields);
    case Kind::kDevice:
      return protocol::Device{fields.text("id"), fields.text("name"), fields.parameters("facts")};
    case Kind::kToken:
      return protocol::Token{fields.text("name"), fields.text("value")};
    case Kind::kPhase:
      return protocol::Phase{fields.text("name"), fields.number("fraction")};
    case Kind::kSample:
      return read_sample(fields);
    case Kind::kMetric:
      return read_metric(fields);
    case Kind::kCheck:
      return read_check(fields);
    case Kind::kNote:
      return protocol::Note{fields.text("text"), fields.parameters("facts")};
    case Kind::kEnd:
      return protocol::End{fields.text("reason"),
                           static_cast<int>(fields.count("exit_code", kLastExitCode)),
                           fields.number("seconds")};
  }
  throw BadRecord("unknown kind");
}

}  // namespace

Incoming read_record(std::string_view line) {
  if (line.size() > protocol::kMaxLineBytes) throw BadRecord("the line is longer than 64 KiB");
  json document;
  try {
    document = model::parse_strict(line);
  } catch (const model::BadJson& error) {
    throw BadRecord(error.what());
  }
  if (!document.is_object()) throw BadRecord("the line is not a JSON object");
  const Fields outer(document, "record");
  const std::string word = outer.text("kind");
  const auto kind = contract::enumerator_of<protocol::Kind>(word);
  if (!kind) throw BadRecord(fmt::format("record: '{}' is not a kind of record", word));
  Incoming incoming;
  if (outer.has("nonce")) incoming.nonce = outer.text("nonce");
  incoming.record = read_of_kind(*kind, Fields(document, word));
  return incoming;
}

}  // namespace rackproof::ingest
