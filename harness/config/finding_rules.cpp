#include "harness/config/finding_rules.hpp"

#include <algorithm>

#include "harness/config/day.hpp"
#include "harness/config/severity.hpp"
#include "reports/model/glob.hpp"

namespace rackproof::config {
namespace {

std::string pattern_of(const document::Object& object, const char* name) {
  const auto field = object.find(name);
  return field ? field->text() : "";
}

model::Suppression read_suppression(const document::Field& field) {
  const document::Object object(field, {"id", "subject", "fact", "reason", "until"});
  model::Suppression one;
  one.id = pattern_of(object, "id");
  one.subject = pattern_of(object, "subject");
  one.fact = pattern_of(object, "fact");
  if (one.id.empty() && one.subject.empty() && one.fact.empty()) {
    field.fail("expected one of 'id', 'subject' and 'fact'; nothing suppresses every finding");
  }
  one.reason = object.require("reason").text();
  one.until = read_day(object.require("until"));
  return one;
}

StopRule read_stop(const document::Field& field) {
  const document::Object object(field, {"id", "fact", "severity"});
  StopRule rule;
  rule.id = pattern_of(object, "id");
  rule.fact = pattern_of(object, "fact");
  if (const auto severity = object.find("severity")) rule.severity = read_severity(*severity);
  return rule;
}

bool fits(const std::string& pattern, const std::string& text) {
  return pattern.empty() || model::glob_match(pattern, text);
}

}  // namespace

FindingRules read_finding_rules(const document::Field& field) {
  const document::Object object(field, {"suppress", "stop"});
  FindingRules rules;
  if (const auto suppress = object.find("suppress")) {
    for (const document::Field& item : suppress->items())
      rules.suppress.push_back(read_suppression(item));
  }
  if (const auto stop = object.find("stop")) {
    for (const document::Field& item : stop->items()) rules.stop.push_back(read_stop(item));
  }
  return rules;
}

bool stops(const std::vector<StopRule>& rules, const model::Finding& finding) {
  const auto fact = finding.evidence.find("fact");
  const std::string about = fact == finding.evidence.end() ? "" : model::to_text(fact->second);
  return std::any_of(rules.begin(), rules.end(), [&](const StopRule& rule) {
    return fits(rule.id, finding.id) && fits(rule.fact, about) && finding.severity >= rule.severity;
  });
}

}  // namespace rackproof::config
