#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "harness/gate/state.hpp"
#include "reports/json/report_json.hpp"
#include "reports/json/strict_json.hpp"
#include "reports/model/words.hpp"

namespace rackproof::gate {
namespace {

using nlohmann::json;

constexpr const char* kStateFamily = "rackproof/gate-state/";
constexpr const char* kStateSchema = "rackproof/gate-state/1";

json json_of(const Look& look) {
  json counters = json::array();
  for (const auto& [key, value] : look.counters) {
    counters.push_back({{"name", key.first}, {"part", key.second}, {"value", value}});
  }
  json events = json::array();
  for (const KernelEvent& event : look.events) {
    events.push_back({{"sequence", event.sequence},
                      {"kind", event.kind},
                      {"severity", contract::word(event.severity)},
                      {"device", event.device},
                      {"text", event.text}});
  }
  json out = {{"node", model::to_json_line(look.node)},
              {"counters", counters},
              {"events", events},
              {"kernel_problem", look.kernel_problem},
              {"uptime_seconds", look.uptime_seconds}};
  if (look.last_message) out["last_message"] = *look.last_message;
  if (look.driver_waited) out["driver_waited"] = *look.driver_waited;
  return out;
}

double finite(const json& value) {
  const double number = value.get<double>();
  if (!std::isfinite(number) || number < 0) throw std::runtime_error("a number makes no sense");
  return number;
}

KernelEvent event_of(const json& body) {
  KernelEvent event;
  event.sequence = body.at("sequence").get<std::uint64_t>();
  event.kind = body.at("kind").get<std::string>();
  const auto severity =
      contract::enumerator_of<model::Severity>(body.at("severity").get<std::string>());
  if (!severity) throw std::runtime_error("an event has no severity that is known");
  event.severity = *severity;
  event.device = body.at("device").get<std::string>();
  event.text = body.at("text").get<std::string>();
  return event;
}

Look look_of(const json& body) {
  Look look;
  look.node = model::node_from_json(body.at("node").get<std::string>());
  for (const json& one : body.at("counters")) {
    look.counters[{one.at("name").get<std::string>(), one.at("part").get<std::string>()}] =
        finite(one.at("value"));
  }
  for (const json& one : body.at("events")) look.events.push_back(event_of(one));
  if (body.contains("last_message")) {
    look.last_message = body.at("last_message").get<std::uint64_t>();
  }
  look.kernel_problem = body.at("kernel_problem").get<std::string>();
  look.uptime_seconds = finite(body.at("uptime_seconds"));
  if (body.contains("driver_waited")) look.driver_waited = finite(body.at("driver_waited"));
  return look;
}

std::string dumped(const json& document) {
  return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

State other(StateKind kind, std::string why) { return {kind, std::nullopt, std::move(why)}; }

}  // namespace

std::string to_json_line(const Look& look) { return dumped(json_of(look)); }

Look look_from_json(std::string_view text) {
  try {
    return look_of(model::parse_strict(text));
  } catch (const json::exception& error) {
    throw std::runtime_error(error.what());
  }
}

std::string state_text(const GoodLook& good) {
  json look = json_of(good.look);
  look["events"] = json::array();  // they were judged
  return dumped({{"schema", kStateSchema},
                 {"utc", good.utc},
                 {"platform", good.platform},
                 {"accepted", good.accepted},
                 {"look", look}}) +
         "\n";
}

State read_state(std::string_view text) {
  try {
    const json body = model::parse_strict(text);
    const auto schema = body.at("schema").get<std::string>();
    if (schema != kStateSchema) {
      if (!schema.starts_with(kStateFamily)) {
        return other(StateKind::kUnreadable, "it is no state of the gate");
      }
      return other(
          StateKind::kOtherVersion,
          fmt::format("it is of the form {}, and this version reads {}", schema, kStateSchema));
    }
    GoodLook good;
    good.utc = body.at("utc").get<std::string>();
    good.platform = body.at("platform").get<std::string>();
    good.accepted = body.at("accepted").get<std::string>();
    good.look = look_of(body.at("look"));
    return {StateKind::kGood, std::move(good), ""};
  } catch (const std::exception& error) {
    return other(StateKind::kUnreadable, fmt::format("it is damaged: {}", error.what()));
  }
}

}  // namespace rackproof::gate
