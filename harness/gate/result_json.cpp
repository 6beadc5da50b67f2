#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "harness/gate/drain.hpp"
#include "harness/gate/result.hpp"
#include "reports/json/strict_json.hpp"
#include "reports/model/printable.hpp"

namespace rackproof::gate {
namespace {

using nlohmann::json;

constexpr const char* kResultSchema = "rackproof/gate/1";

}  // namespace

Verdict Result::verdict() const { return accepted.empty() ? verdict_of(findings) : Verdict::kOk; }

std::string to_json_line(const Result& result) {
  json findings = json::array();
  for (const Finding& one : result.findings) {
    findings.push_back({{"reason", contract::word(one.reason)},
                        {"decides", contract::word(verdict_of(one.reason))},
                        {"part", one.part},
                        {"fact", one.fact},
                        {"text", one.text}});
  }
  const json document = {{"schema", kResultSchema},
                         {"host", result.host},
                         {"node", result.node},
                         {"mode", result.mode},
                         {"utc", result.utc},
                         {"seconds", result.seconds},
                         {"platform", result.platform},
                         {"benches", result.benches},
                         {"accepted", result.accepted},
                         {"verdict", contract::word(result.verdict())},
                         {"scheduler_reason", scheduler_reason(result.findings)},
                         {"findings", findings}};
  return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result result_from_json(std::string_view text) {
  try {
    const json body = model::parse_strict(text);
    if (body.at("schema") != kResultSchema) throw std::runtime_error("it is no result of the gate");
    Result result;
    result.host = body.at("host").get<std::string>();
    result.node = body.at("node").get<std::string>();
    result.mode = body.at("mode").get<std::string>();
    result.utc = body.at("utc").get<std::string>();
    result.seconds = body.at("seconds").get<double>();
    result.platform = body.at("platform").get<std::string>();
    result.benches = body.at("benches").get<bool>();
    result.accepted = body.at("accepted").get<std::string>();
    for (const json& one : body.at("findings")) {
      const auto reason = contract::enumerator_of<GateReason>(one.at("reason").get<std::string>());
      if (!reason) throw std::runtime_error("a reason is not known");
      result.findings.push_back({*reason, one.at("part").get<std::string>(),
                                 one.at("text").get<std::string>(),
                                 one.at("fact").get<std::string>()});
    }
    return result;
  } catch (const json::exception& error) {
    throw std::runtime_error(error.what());
  }
}

std::string to_text(const Result& result, bool all) {
  std::string text;
  for (const Finding& one : result.findings) {
    const Verdict verdict = verdict_of(one.reason);
    if (verdict == Verdict::kOk && !all) continue;
    const char* const weight = !result.accepted.empty() && verdict != Verdict::kOk ? "accepted"
                               : verdict == Verdict::kBad                          ? "BAD"
                               : verdict == Verdict::kIncomplete                   ? "UNKNOWN"
                                                                                   : "note";
    text += model::printable(fmt::format("{:<8} {}{}{}: {}", weight, contract::word(one.reason),
                                         one.part.empty() ? "" : ", ", one.part, one.text)) +
            "\n";
  }
  return text;
}

}  // namespace rackproof::gate
