#include "reports/json/planned_run_json.hpp"

#include <nlohmann/json.hpp>

namespace rackproof::model {
namespace {

using nlohmann::json;

json value_of(const contract::Scalar& scalar) {
  return std::visit([](const auto& value) { return json(value); }, scalar);
}

/// Empty texts and unknown times are left out.
void put(json& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

json step_of(const PlannedStep& step) {
  json object = {{"id", step.id},           {"program", step.program},
                 {"cells", step.cells},     {"required", step.required},
                 {"limited", step.limited}, {"unjudged", step.unjudged},
                 {"waived", step.waived},   {"deadline_seconds", step.deadline_seconds}};
  put(object, "where", step.where);
  put(object, "skipped", step.skipped);
  if (step.left_out) object["left_out"] = true;
  if (!step.only_hosts.empty()) object["only_hosts"] = step.only_hosts;
  if (step.takes_seconds > 0) object["takes_seconds"] = step.takes_seconds;
  return object;
}

json cell_of(const PlannedCell& cell) {
  json object = {{"id", cell.id},
                 {"step", cell.step},
                 {"subject", label(cell.subject)},
                 {"metric", cell.metric},
                 {"required", cell.required}};
  for (const auto& [name, value] : cell.parameters) object["parameters"][name] = value_of(value);
  put(object, "unit", cell.unit);
  put(object, "waived", cell.waived);
  put(object, "baseline", cell.source);
  if (cell.limit_low) object["limit_low"] = *cell.limit_low;
  if (cell.limit_high) object["limit_high"] = *cell.limit_high;
  return object;
}

}  // namespace

std::string to_json(const PlannedRun& run) {
  json document = {{"format", "rackproof-plan"}, {"version", "1.0"},   {"suite", run.suite},
                   {"hosts", run.hosts},         {"ranks", run.ranks}, {"steps", json::array()},
                   {"cells", json::array()}};
  document["platform_of_host"] = run.platform_of_host;
  if (!run.left_out_hosts.empty()) document["left_out_hosts"] = run.left_out_hosts;
  for (const PlannedStep& step : run.steps) document["steps"].push_back(step_of(step));
  for (const PlannedCell& cell : run.cells) document["cells"].push_back(cell_of(cell));
  // Names of hosts may be any bytes.
  return document.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace rackproof::model
