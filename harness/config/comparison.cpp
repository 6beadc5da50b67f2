#include "harness/config/comparison.hpp"

#include <algorithm>

#include "harness/config/severity.hpp"
#include "harness/document/reader.hpp"

namespace rackproof::config {
namespace {

constexpr const char* kComparisonSchema = "rackproof/comparison/1";

ComparisonRule read_comparison_rule(const document::Field& field) {
  const document::Object object(field,
                                {"fact", "of", "must", "among", "tolerance", "severity", "remedy"});
  ComparisonRule rule;
  rule.fact = object.require("fact").pattern();
  rule.of = object.require("of").choice<ComparisonRule::Of>(
      {{"node", ComparisonRule::Of::kNode}, {"device", ComparisonRule::Of::kDevice}});
  rule.must = object.require("must").choice<ComparisonRule::Must>(
      {{"agree", ComparisonRule::Must::kAgree}, {"differ", ComparisonRule::Must::kDiffer}});
  if (const auto among = object.find("among")) {
    rule.among = among->choice<ComparisonRule::Among>(
        {{"alike", ComparisonRule::Among::kAlike}, {"all", ComparisonRule::Among::kAll}});
  }
  if (const auto tolerance = object.find("tolerance")) {
    rule.tolerance = tolerance->number();
    if (rule.must == ComparisonRule::Must::kDiffer)
      tolerance->fail("has no meaning for what must differ");
    if (!(rule.tolerance > 0 && rule.tolerance < 1)) {
      tolerance->fail("expected a number above 0 and below 1, got " +
                      document::number_text(rule.tolerance));
    }
  }
  rule.severity = read_severity(object.require("severity"));
  rule.remedy = object.require("remedy").text();
  return rule;
}

}  // namespace

ComparisonRules load_comparison(const std::string& path) {
  const document::Document document = document::load_document(path);
  const document::Object object(document::Field(document.file, document.root, ""),
                                {"schema", "rules"});
  document::check_schema(object.require("schema"), kComparisonSchema);
  const document::Field rules = object.require("rules");
  ComparisonRules comparison;
  for (const document::Field& item : rules.items()) {
    ComparisonRule rule = read_comparison_rule(item);
    const auto same = [&rule](const ComparisonRule& other) {
      return other.fact == rule.fact && other.of == rule.of && other.must == rule.must;
    };
    if (std::any_of(comparison.begin(), comparison.end(), same)) {
      item.fail("a second rule for '" + rule.fact + "'; expected each fact once");
    }
    comparison.push_back(std::move(rule));
  }
  if (comparison.empty()) rules.fail("is empty; expected at least one rule");
  return comparison;
}

}  // namespace rackproof::config
