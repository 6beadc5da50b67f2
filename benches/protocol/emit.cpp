#include "benches/protocol/emit.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "benches/protocol/json_writer.hpp"
#include "contract/statistic.hpp"
#include "contract/words.hpp"

namespace rackproof::protocol {
namespace {

void write_scalar(JsonWriter& json, const contract::Scalar& value) {
  if (const auto* boolean = std::get_if<bool>(&value)) {
    json.boolean(*boolean);
  } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    json.integer(*integer);
  } else if (const auto* number = std::get_if<double>(&value)) {
    json.number(*number);
  } else {
    json.text(std::get<std::string>(value));
  }
}

void write_parameters(JsonWriter& json, std::string_view name,
                      const contract::Parameters& parameters) {
  json.key(name).begin_object();
  for (const auto& [key, value] : parameters) {
    json.key(key);
    write_scalar(json, value);
  }
  json.end_object();
}

void write_texts(JsonWriter& json, std::string_view name,
                 const std::map<std::string, std::string>& texts) {
  json.key(name).begin_object();
  for (const auto& [key, value] : texts) json.key(key).text(value);
  json.end_object();
}

void write_numbers(JsonWriter& json, std::string_view name, const std::vector<double>& numbers) {
  json.key(name).begin_array();
  for (const double number : numbers) json.number(number);
  json.end_array();
}

JsonWriter start(Kind kind, const std::string& nonce) {
  JsonWriter json;
  json.begin_object().key("kind").text(contract::word(kind));
  if (!nonce.empty()) json.key("nonce").text(nonce);
  return json;
}

std::string finish(JsonWriter& json) {
  json.end_object();
  return json.take();
}

}  // namespace

Emitter::Emitter(Sink sink, std::string nonce) : sink_(std::move(sink)), nonce_(std::move(nonce)) {}

void Emitter::write(std::string line) {
  line += '\n';
  if (line.size() > kMaxLineBytes) throw std::length_error("a record is longer than 64 KiB");
  sink_(line);
}

void Emitter::emit(const Hello& record) {
  JsonWriter json = start(Kind::kHello, nonce_);
  json.key("protocol").integer(kProtocolVersion);
  json.key("bench").text(record.bench).key("backend").text(record.backend);
  json.key("version").text(record.version).key("commit").text(record.commit);
  write_texts(json, "build", record.build);
  write_texts(json, "libraries", record.libraries);
  json.key("arguments").begin_array();
  for (const auto& argument : record.arguments) json.text(argument);
  json.end_array();
  if (!record.fault_injected.empty()) json.key("fault_injected").text(record.fault_injected);
  write(finish(json));
}

void Emitter::emit(const Device& record) {
  JsonWriter json = start(Kind::kDevice, nonce_);
  json.key("id").text(record.id).key("name").text(record.name);
  write_parameters(json, "facts", record.facts);
  write(finish(json));
}

void Emitter::emit(const Token& record) {
  JsonWriter json = start(Kind::kToken, nonce_);
  json.key("name").text(record.name).key("value").text(record.value);
  write(finish(json));
}

void Emitter::emit(const Phase& record) {
  JsonWriter json = start(Kind::kPhase, nonce_);
  json.key("name").text(record.name).key("fraction").number(record.fraction);
  write(finish(json));
}

void Emitter::emit(const Sample& record) {
  JsonWriter json = start(Kind::kSample, nonce_);
  json.key("series").integer(record.series);
  write_numbers(json, "values", record.values);
  write(finish(json));
}

void Emitter::emit(Metric record) {
  if (!contract::is_of_records(record.statistic)) {
    throw std::invalid_argument("no record carries the statistic " +
                                std::string(contract::word(record.statistic)));
  }
  if (record.samples.size() > kMaxInlineSamples) {
    Sample part{next_series_++, {}};
    for (std::size_t from = 0; from < record.samples.size(); from += kMaxInlineSamples) {
      const std::size_t to = std::min(from + kMaxInlineSamples, record.samples.size());
      part.values.assign(record.samples.begin() + static_cast<std::ptrdiff_t>(from),
                         record.samples.begin() + static_cast<std::ptrdiff_t>(to));
      emit(part);
    }
    record.series = part.series;
    record.samples.clear();
  }
  JsonWriter json = start(Kind::kMetric, nonce_);
  json.key("name").text(record.name).key("unit").text(record.unit);
  json.key("better").text(contract::word(record.better));
  json.key("statistic").text(contract::word(record.statistic));
  json.key("value").number(record.value);
  if (record.series) {
    json.key("series").integer(*record.series);
  } else {
    write_numbers(json, "samples", record.samples);
  }
  write_parameters(json, "parameters", record.parameters);
  if (!record.conditions.empty()) write_parameters(json, "conditions", record.conditions);
  json.key("subject").begin_object().key("kind").text(contract::word(record.subject.kind));
  if (!record.subject.id.empty()) json.key("id").text(record.subject.id);
  if (!record.subject.peer.empty()) json.key("peer").text(record.subject.peer);
  json.end_object();
  json.key("check").text(record.check);
  write(finish(json));
}

void Emitter::emit(const Check& record) {
  JsonWriter json = start(Kind::kCheck, nonce_);
  json.key("name").text(record.name).key("passed").boolean(record.passed);
  json.key("detail").text(record.detail);
  json.key("compared").integer(record.compared).key("wrong").integer(record.wrong);
  if (!record.digest.empty()) json.key("digest").text(record.digest);
  if (record.first_wrong) {
    json.key("first_wrong").begin_object();
    json.key("where").text(record.first_wrong->where);
    json.key("got").text(record.first_wrong->got).key("want").text(record.first_wrong->want);
    if (record.first_wrong->rank) json.key("rank").integer(*record.first_wrong->rank);
    if (record.first_wrong->from) json.key("from").integer(*record.first_wrong->from);
    json.end_object();
  }
  write(finish(json));
}

void Emitter::emit(const Note& record) {
  JsonWriter json = start(Kind::kNote, nonce_);
  json.key("text").text(record.text);
  write_parameters(json, "facts", record.facts);
  write(finish(json));
}

void Emitter::emit(const End& record) {
  JsonWriter json = start(Kind::kEnd, nonce_);
  json.key("reason").text(record.reason).key("exit_code").integer(record.exit_code);
  json.key("seconds").number(record.seconds);
  write(finish(json));
}

}  // namespace rackproof::protocol
