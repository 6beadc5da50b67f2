#include "harness/config/metrics.hpp"

#include <algorithm>
#include <cmath>

#include "contract/statistic.hpp"
#include "contract/unit.hpp"
#include "harness/config/baseline.hpp"
#include "harness/document/nearest.hpp"
#include "harness/document/reader.hpp"
#include "reports/model/glob.hpp"

namespace rackproof::config {
namespace {

using Kinds = std::map<std::string, ParameterKind>;

std::vector<std::string> read_texts(const document::Field& field) {
  std::vector<std::string> texts;
  for (const document::Field& item : field.items()) {
    std::string text = item.text();
    if (std::find(texts.begin(), texts.end(), text) != texts.end()) {
      item.fail("'" + text + "' is given a second time");
    }
    texts.push_back(std::move(text));
  }
  if (texts.empty()) field.fail("is empty; expected one at least");
  return texts;
}

ParameterKind read_parameter_kind(const document::Field& field) {
  using Type = ParameterKind::Type;
  const document::Object object(field, {"type", "words"});
  ParameterKind kind;
  kind.type = object.require("type").choice<Type>({{"text", Type::kText},
                                                   {"integer", Type::kInteger},
                                                   {"number", Type::kNumber},
                                                   {"boolean", Type::kBoolean}});
  if (const auto words = object.find("words")) {
    if (kind.type != Type::kText) words->fail("has no meaning for what is no text");
    kind.words = read_texts(*words);
  }
  return kind;
}

Kinds read_kinds(const document::Object& object) {
  Kinds kinds;
  const auto field = object.find("parameters");
  if (!field) return kinds;
  for (const auto& [name, value] : field->members()) {
    if (!document::is_name(name)) value.fail("expected a name of a parameter");
    kinds[name] = read_parameter_kind(value);
  }
  return kinds;
}

void use_kinds(const document::Object& object, const char* list, bool optional, const Kinds& known,
               Kinds& used) {
  const auto field = object.find(list);
  if (!field) return;
  std::vector<std::string_view> names;
  for (const auto& entry : known) names.push_back(entry.first);
  for (const document::Field& item : field->items()) {
    const std::string name = item.name();
    const auto found = known.find(name);
    if (found == known.end()) {
      item.fail("unknown parameter '" + name + "'" + document::suggestion(name, names));
    }
    ParameterKind kind = found->second;
    kind.optional = optional;
    if (!used.emplace(name, std::move(kind)).second) {
      item.fail("the parameter '" + name + "' is given a second time");
    }
  }
}

// "where" of a metric: these words only, of all that the parameter takes.
void narrow(const document::Object& object, Kinds& used) {
  const auto where = object.find("where");
  if (!where) return;
  for (const auto& [name, field] : where->members()) {
    const auto found = used.find(name);
    if (found == used.end()) field.fail("'" + name + "' is no parameter of these metrics");
    for (const document::Field& item : field.items()) {
      if (!takes(found->second, item.scalar())) {
        item.fail("expected " + description(found->second));
      }
    }
    found->second.words = read_texts(field);
  }
}

double read_share(const document::Object& object, const char* name, double usual) {
  const auto field = object.find(name);
  if (!field) return usual;
  const double value = field->number();
  if (!(value > 0 && std::isfinite(value))) field->fail("expected a number above zero");
  return value;
}

std::optional<std::int64_t> read_bytes(const document::Object& object, const char* name) {
  const auto field = object.find(name);
  if (!field) return std::nullopt;
  return field->integer(1, INT64_MAX);
}

// Some of a list that the same object gives.
std::vector<std::string> read_some_of(const document::Object& object, const char* name,
                                      const std::vector<std::string>& all, const char* of) {
  const auto field = object.find(name);
  if (!field) return {};
  for (const document::Field& item : field->items()) {
    const std::string text = item.text();
    if (std::find(all.begin(), all.end(), text) == all.end()) {
      item.fail("'" + text + "' is none of " + of);
    }
  }
  return read_texts(*field);
}

Peak read_peak(const document::Field& field, const Kinds& used,
               const std::vector<std::string>& backends) {
  const document::Object object(
      field, {"where", "facts", "certain", "backends", "most", "least", "from_bytes", "reason"});
  Peak peak;
  if (const auto where = object.find("where")) {
    peak.where = read_match_parameters(*where);
    for (const auto& [name, value] : where->members()) {
      const auto found = used.find(name);
      if (found == used.end()) value.fail("'" + name + "' is no parameter of these metrics");
      if (!takes(found->second, peak.where[name])) {
        value.fail("expected " + description(found->second));
      }
    }
  }
  peak.facts = read_texts(object.require("facts"));
  peak.certain = read_some_of(object, "certain", peak.facts, "'facts'");
  peak.backends = read_some_of(object, "backends", backends, "the metric's backends");
  peak.most = read_share(object, "most", peak.most);
  peak.least = read_share(object, "least", peak.least);
  if (peak.least >= peak.most) field.fail("'least' is not below 'most'");
  peak.from_bytes = read_bytes(object, "from_bytes");
  const bool usual = !object.has("most") && !object.has("least") && !object.has("certain") &&
                     !object.has("backends") && !peak.from_bytes;
  if (const auto reason = object.find("reason")) {
    peak.reason = reason->text();
  } else if (!usual) {
    field.fail(
        "the field 'reason' is missing; 'most', 'least', 'certain', 'backends' and 'from_bytes' "
        "want one");
  }
  return peak;
}

Range read_metric_range(const document::Field& field) {
  const document::Object object(field, {"from", "to", "up_to_bytes", "reason"});
  Range range;
  range.from = object.require("from").number();
  range.to = object.require("to").number();
  if (!(range.from > 0 && range.to > range.from)) field.fail("expected 0 < 'from' < 'to'");
  range.up_to_bytes = read_bytes(object, "up_to_bytes");
  range.reason = object.require("reason").text();
  return range;
}

// "spread" and "sisters": a factor, and where it comes from.
double read_factor(const document::Object& object, const char* name) {
  const auto field = object.find(name);
  if (!field) return 0;
  const document::Object said(*field, {"within", "reason"});
  said.require("reason").text();
  const document::Field within = said.require("within");
  const double factor = within.number();
  if (!(factor > 1 && std::isfinite(factor))) within.fail("expected a factor above 1");
  return factor;
}

void read_steadiness(const document::Object& object, MetricKind& kind) {
  kind.spread = read_factor(object, "spread");
  kind.apart = read_factor(object, "sisters");
  const bool said = kind.spread > 0 || kind.apart > 0;
  if (said && !kind.range) {
    object.require(kind.spread > 0 ? "spread" : "sisters").fail("wants a 'range' beside it");
  }
  if (kind.apart > 0 && kind.names.size() < 2) {
    object.require("sisters").fail("has no meaning for one metric alone");
  }
}

void read_words(const document::Object& object, MetricKind& kind) {
  kind.backends = read_texts(object.require("backends"));
  kind.subject = object.require("subject").choice<contract::SubjectKind>();
  kind.better = object.require("better").choice<contract::Better>();
  kind.statistic = object.require("statistic").choice(contract::is_of_records);
  const document::Field unit = object.require("unit");
  kind.unit = unit.unit();
  if (!contract::is_base_unit(kind.unit)) {
    unit.fail("expected a base unit, got '" + kind.unit + "'");
  }
}

MetricKind read_metric(const document::Field& field, const Kinds& known) {
  const document::Object object(
      field, {"names", "about", "backends", "subject", "unit", "better", "statistic", "where",
              "parameters", "optional", "peaks", "range", "spread", "sisters"});
  MetricKind kind;
  for (const document::Field& item : object.require("names").items())
    kind.names.push_back(item.name());
  if (kind.names.empty()) object.require("names").fail("is empty; expected one at least");
  kind.about = object.require("about").text();
  read_words(object, kind);
  use_kinds(object, "parameters", false, known, kind.parameters);
  use_kinds(object, "optional", true, known, kind.parameters);
  narrow(object, kind.parameters);
  if (const auto peaks = object.find("peaks")) {
    for (const document::Field& item : peaks->items()) {
      kind.peaks.push_back(read_peak(item, kind.parameters, kind.backends));
    }
  }
  if (const auto range = object.find("range")) kind.range = read_metric_range(*range);
  read_steadiness(object, kind);
  return kind;
}

void add_bounds(const MetricKind& kind, const std::string& name,
                std::vector<model::MetricBound>& bounds) {
  model::MetricBound bound;
  bound.metric = name;
  bound.unit = kind.unit;
  bound.better = kind.better;
  for (const Peak& peak : kind.peaks) {
    bound.backends = peak.backends.empty() ? kind.backends : peak.backends;
    bound.where = peak.where;
    bound.facts = peak.certain.empty() ? peak.facts : peak.certain;
    bound.most = kind.better == contract::Better::kMore ? peak.most : peak.least;
    bound.reason = peak.reason;
    bounds.push_back(bound);
  }
  if (!kind.range) return;
  bound.backends = kind.backends;
  bound.where.clear();
  bound.facts.clear();
  bound.most = kind.better == contract::Better::kMore ? kind.range->to : kind.range->from;
  bound.reason = kind.range->reason;
  bound.spread = kind.spread;
  bound.apart = kind.apart;
  if (kind.apart > 0) bound.sisters = kind.names;
  bounds.push_back(std::move(bound));
}

}  // namespace

std::vector<model::MetricBound> bounds_of(const MetricCatalogue& catalogue) {
  std::vector<model::MetricBound> bounds;
  for (const MetricKind& kind : catalogue) {
    for (const std::string& name : kind.names) add_bounds(kind, name, bounds);
  }
  return bounds;
}

bool takes(const ParameterKind& kind, const contract::Scalar& value) {
  const auto* text = std::get_if<std::string>(&value);
  const bool pattern = text != nullptr && text->find_first_of("*?") != std::string::npos;
  switch (kind.type) {
    case ParameterKind::Type::kText:
      if (text == nullptr) return false;
      if (kind.words.empty()) return true;
      return std::any_of(kind.words.begin(), kind.words.end(), [&](const std::string& word) {
        return model::glob_match(word, *text) || (pattern && model::glob_match(*text, word));
      });
    case ParameterKind::Type::kInteger:
      if (const auto* number = std::get_if<double>(&value)) return std::floor(*number) == *number;
      return pattern || std::holds_alternative<std::int64_t>(value);
    case ParameterKind::Type::kNumber:
      return pattern || std::holds_alternative<std::int64_t>(value) ||
             std::holds_alternative<double>(value);
    case ParameterKind::Type::kBoolean:
      return pattern || std::holds_alternative<bool>(value);
  }
  return false;
}

std::string description(const ParameterKind& kind) {
  switch (kind.type) {
    case ParameterKind::Type::kInteger:
      return "an integer";
    case ParameterKind::Type::kNumber:
      return "a number";
    case ParameterKind::Type::kBoolean:
      return "true or false";
    case ParameterKind::Type::kText:
      break;
  }
  if (kind.words.empty()) return "a text";
  std::string all = kind.words.size() == 1 ? "" : "one of ";
  for (std::size_t i = 0; i < kind.words.size(); ++i) all += (i == 0 ? "" : ", ") + kind.words[i];
  return all;
}

MetricCatalogue read_metrics(const document::Object& object, const std::string& bench) {
  const Kinds known = read_kinds(object);
  MetricCatalogue metrics;
  for (const document::Field& item : object.require("metrics").items()) {
    metrics.push_back(read_metric(item, known));
    metrics.back().bench = bench;
  }
  return metrics;
}

}  // namespace rackproof::config
