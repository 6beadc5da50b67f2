#include "harness/config/table_text.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "reports/model/words.hpp"

namespace rackproof::config {
namespace {

// In the order in which people read it.
using Json = nlohmann::ordered_json;

constexpr int kIndentation = 2;

Json scalar(const contract::Scalar& value) {
  return std::visit([](const auto& inner) { return Json(inner); }, value);
}

Json parameters(const contract::Parameters& values) {
  Json object = Json::object();
  for (const auto& [name, value] : values) object[name] = scalar(value);
  return object;
}

Json rule_of(const model::FactRule& rule) {
  Json object = {{"fact", rule.fact}};
  if (rule.equals) object["equals"] = scalar(*rule.equals);
  if (rule.matches) object["matches"] = *rule.matches;
  if (rule.min) object["min"] = *rule.min;
  if (rule.max) object["max"] = *rule.max;
  return object;
}

Json source_of(const model::Source& source) {
  Json object = {{"title", source.title}, {"kind", source.kind}, {"date", source.date}};
  const auto put = [&object](const char* name, const std::string& text) {
    if (!text.empty()) object[name] = text;
  };
  put("software", source.software);
  if (source.n) object["n"] = *source.n;
  put("size", source.size);
  put("scale", source.scale);
  put("note", source.note);
  return object;
}

void put_figure(const model::Baseline& baseline, Json& object) {
  switch (baseline.kind) {
    case model::BaselineKind::kAbsolute:
      object["expected"] = {{"value", baseline.expected}, {"unit", baseline.unit}};
      break;
    case model::BaselineKind::kFraction:
    case model::BaselineKind::kBound:
      object["expected"] = baseline.expected;
      object["of"] = baseline.of;
      break;
    case model::BaselineKind::kCurve: {
      object["unit"] = baseline.unit;
      object["smaller"] = baseline.smaller_by_correctness ? "correctness" : "unjudged";
      Json points = Json::array();
      for (const model::CurvePoint& point : baseline.points) {
        points.push_back({{"bytes", point.bytes},
                          {"ranks", point.ranks},
                          {"nodes", point.nodes},
                          {"value", point.value}});
      }
      object["points"] = std::move(points);
      break;
    }
    case model::BaselineKind::kCorrectness:
      return;
  }
  if (!baseline.tolerance_below) object["better"] = "less";
  if (baseline.tolerance_below) object["tolerance_below"] = *baseline.tolerance_below;
  if (baseline.tolerance_above) object["tolerance_above"] = *baseline.tolerance_above;
  object["statistic"] = std::string(contract::word(baseline.statistic));
}

Json baseline_of(const model::Baseline& baseline) {
  Json object = Json::object();
  if (!baseline.id.empty()) object["id"] = baseline.id;
  object["metric"] = baseline.metric;
  if (!baseline.parameters.empty()) object["parameters"] = parameters(baseline.parameters);
  if (!baseline.backend.empty()) object["backend"] = baseline.backend;
  if (baseline.nodes_min || baseline.nodes_max) {
    Json nodes = Json::object();
    if (baseline.nodes_min) nodes["min"] = *baseline.nodes_min;
    if (baseline.nodes_max) nodes["max"] = *baseline.nodes_max;
    object["nodes"] = std::move(nodes);
  }
  object["judge"] = std::string(contract::word(baseline.kind));
  put_figure(baseline, object);
  if (!baseline.when.empty()) object["when"] = parameters(baseline.when);
  if (!baseline.demand.empty()) object["demand"] = parameters(baseline.demand);
  if (!baseline.source.title.empty()) object["source"] = source_of(baseline.source);
  return object;
}

Json reasons_of(const std::vector<model::Waiver>& entries) {
  Json all = Json::array();
  for (const model::Waiver& one : entries) {
    Json object = {{"metric", one.metric}};
    if (!one.parameters.empty()) object["parameters"] = parameters(one.parameters);
    object["reason"] = one.reason;
    all.push_back(std::move(object));
  }
  return all;
}

}  // namespace

std::string table_text(const model::PlatformTable& table, const std::string& extends) {
  if (!table.facts.empty() || !table.expect.empty() || !table.demands.empty()) {
    throw std::invalid_argument("a table with facts, expectations or demands is not written");
  }
  Json document = {{"schema", "rackproof/platform/1"}, {"id", table.id}, {"title", table.title}};
  if (!extends.empty()) document["extends"] = extends;
  if (table.generic) document["generic"] = true;
  if (table.is_abstract) document["abstract"] = true;
  if (!table.recognise.empty()) {
    Json rules = Json::array();
    for (const model::FactRule& rule : table.recognise) rules.push_back(rule_of(rule));
    document["recognise"] = std::move(rules);
  }
  Json baselines = Json::array();
  for (const model::Baseline& one : table.baselines) baselines.push_back(baseline_of(one));
  document["baselines"] = std::move(baselines);
  if (!table.waivers.empty()) document["waive"] = reasons_of(table.waivers);
  if (!table.groups.empty()) document["groups"] = reasons_of(table.groups);
  return document.dump(kIndentation, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace rackproof::config
