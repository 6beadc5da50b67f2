#include "harness/cause/causes.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "harness/document/reader.hpp"
#include "harness/support/digest.hpp"

namespace rackproof::cause {
namespace {

constexpr const char* kCausesSchema = "rackproof/causes/1";
constexpr std::size_t kLongestSentence = 300;

using Condition = model::CauseCondition;
using Rule = model::CauseRule;

std::string read_word(const document::Field& field, std::initializer_list<std::string_view> words) {
  std::string given = field.text();
  std::string expected;
  for (const std::string_view word : words) {
    if (word == given) return given;
    expected += (expected.empty() ? "" : ", ") + std::string(word);
  }
  field.fail("expected one of " + expected + ", got '" + given + "'");
}

std::string pattern_in(const document::Object& object, std::string_view name) {
  const auto field = object.find(name);
  return field ? field->pattern() : "";
}

std::vector<std::string> patterns_in(const document::Object& object, std::string_view name) {
  std::vector<std::string> patterns;
  const auto field = object.find(name);
  if (!field) return patterns;
  for (const document::Field& item : field->items()) patterns.push_back(item.pattern());
  if (patterns.empty()) field->fail("is empty; expected at least one");
  return patterns;
}

std::string text_in(const document::Object& object, std::string_view name) {
  const auto field = object.find(name);
  return field ? field->text() : "";
}

std::optional<double> number_in(const document::Object& object, std::string_view name) {
  const auto field = object.find(name);
  return field ? std::optional(field->number()) : std::nullopt;
}

/// One `*` can stand for the same text in two names, two cannot.
void refuse_two_stars(const document::Object& object, std::string_view name) {
  const auto field = object.find(name);
  if (!field) return;
  const std::string text = field->text();
  if (std::count(text.begin(), text.end(), '*') > 1 || text.find('?') != std::string::npos) {
    field->fail("expected at most one '*' and no '?', got '" + text + "'");
  }
}

void refuse_fields(const document::Object& object, std::initializer_list<std::string_view> names,
                   const char* why) {
  for (const std::string_view name : names) {
    if (const auto field = object.find(name)) field->fail(why);
  }
}

void read_series(const document::Object& object, Condition& condition) {
  refuse_fields(object, {"about", "is_not"}, "has no meaning for a series");
  const document::Field statistic = object.require("statistic");
  condition.statistic =
      read_word(statistic, {"min", "median", "p95", "max", "delta", "share", "missing"});
  if (condition.statistic == "share") {
    condition.bit = object.require("bit").name();
  } else {
    refuse_fields(object, {"bit"}, "has a meaning for a share only");
  }
  if (condition.statistic == "missing") {
    refuse_fields(object, {"above", "below", "of"}, "has no meaning for what is missing");
    object.require("is");
  } else {
    refuse_fields(object, {"is"}, "has no meaning for a number");
  }
}

void require_limit(const document::Object& object, const Condition& condition) {
  if (!condition.above && !condition.below) {
    object.field().fail("expected 'above' or 'below'; a number explains nothing by being there");
  }
  if (condition.above && condition.below) {
    object.field().fail("has both 'above' and 'below'; expected one of them");
  }
}

Condition read_cause_condition(const document::Field& field) {
  const document::Object object(field, {"series", "statistic", "bit", "fact", "finding", "about",
                                        "event", "above", "below", "of", "is", "is_not"});
  Condition condition;
  condition.series = pattern_in(object, "series");
  condition.fact = pattern_in(object, "fact");
  condition.finding = pattern_in(object, "finding");
  condition.about = pattern_in(object, "about");
  condition.event = pattern_in(object, "event");
  condition.above = number_in(object, "above");
  condition.below = number_in(object, "below");
  condition.of = pattern_in(object, "of");
  condition.is = text_in(object, "is");
  condition.is_not = text_in(object, "is_not");
  refuse_two_stars(object, "fact");
  refuse_two_stars(object, "of");
  const auto kinds = std::array{object.has("series"), object.has("fact"), object.has("finding"),
                                object.has("event")};
  if (std::count(kinds.begin(), kinds.end(), true) != 1) {
    field.fail("expected exactly one of 'series', 'fact', 'finding' and 'event'");
  }
  if (kinds[0]) {
    read_series(object, condition);
    if (condition.statistic != "missing") require_limit(object, condition);
    return condition;
  }
  refuse_fields(object, {"statistic", "bit"}, "has a meaning for a series only");
  if (kinds[2]) {
    refuse_fields(object, {"above", "below", "of", "is", "is_not"}, "has no meaning for a finding");
    return condition;
  }
  refuse_fields(object, {"about"}, "has a meaning for a finding only");
  if (kinds[3]) {
    refuse_fields(object, {"above", "below", "of", "is_not"}, "has no meaning for an event");
    return condition;
  }
  if (condition.is.empty() && condition.is_not.empty()) {
    require_limit(object, condition);
  } else {
    refuse_fields(object, {"above", "below", "of"}, "has no meaning for a text");
  }
  return condition;
}

bool is_placeholder(std::string_view name) {
  for (const char* word : {"value", "limit", "subject", "finding", "time"}) {
    if (name == word) return true;
  }
  const std::size_t colon = name.find(':');
  const std::string_view first = name.substr(0, colon);
  if (!document::is_name(first) || first.find('.') == std::string_view::npos) return false;
  if (colon == std::string_view::npos) return true;
  const std::string_view statistic = name.substr(colon + 1);
  for (const char* word : {"min", "median", "p95", "max", "delta"}) {
    if (statistic == word) return true;
  }
  return false;
}

std::string read_sentence(const document::Field& field) {
  std::string say = field.text(kLongestSentence);
  std::size_t at = 0;
  while ((at = say.find_first_of("{}", at)) != std::string::npos) {
    const std::size_t close = say.find_first_of("{}", at + 1);
    if (say[at] == '}' || close == std::string::npos || say[close] == '{') {
      field.fail("has a brace without its other one");
    }
    const std::string name = say.substr(at + 1, close - at - 1);
    if (!is_placeholder(name)) {
      field.fail("'{" + name +
                 "}' stands for nothing; expected {value}, {limit}, {subject}, {finding}, {time}, "
                 "a fact as in {gpu.power_limit_watts} or a statistic as in {gpu.power:median}");
    }
    at = close + 1;
  }
  return say;
}

Rule read_cause_rule(const document::Field& field) {
  const document::Object object(
      field, {"id", "of", "metrics", "backends", "outcomes", "when", "unless", "say", "why"});
  Rule rule;
  const document::Field id = object.require("id");
  rule.id = id.name();
  if (rule.id == model::kNoCauseSeen || rule.id == model::kNotRecorded) {
    id.fail("'" + rule.id + "' is what is said when no rule fits; expected another name");
  }
  rule.of = read_word(object.require("of"), {"device", "node"});
  rule.metrics = patterns_in(object, "metrics");
  rule.backends = patterns_in(object, "backends");
  if (const auto outcomes = object.find("outcomes")) {
    for (const document::Field& item : outcomes->items()) {
      rule.outcomes.push_back(read_word(item, {"fail", "untested"}));
    }
    if (rule.outcomes.empty()) outcomes->fail("is empty; expected at least one outcome");
  }
  const document::Field when = object.require("when");
  for (const document::Field& item : when.items()) rule.when.push_back(read_cause_condition(item));
  if (rule.when.empty()) when.fail("is empty; expected at least one condition");
  if (const auto unless = object.find("unless")) {
    for (const document::Field& item : unless->items()) rule.unless.push_back(item.name());
    if (rule.unless.empty()) unless->fail("is empty; expected at least one rule");
  }
  rule.say = read_sentence(object.require("say"));
  object.require("why").text();
  return rule;
}

/// A rule can yield to another one about the same kind of subject.
void check_unless(const document::Field& rules, const std::vector<Rule>& all) {
  std::size_t i = 0;
  for (const document::Field& item : rules.items()) {
    const Rule& rule = all[i++];
    for (const std::string& id : rule.unless) {
      const auto other =
          std::find_if(all.begin(), all.end(), [&id](const Rule& one) { return one.id == id; });
      if (other == all.end() || other->of != rule.of || id == rule.id) {
        item.fail("unless: there is no other rule '" + id + "' of a " + rule.of);
      }
    }
  }
}

}  // namespace

model::CauseTable load_causes(const std::string& path) {
  const document::Document document = document::load_document(path);
  const document::Object object(document::Field(document.file, document.root, ""),
                                {"schema", "rules"});
  document::check_schema(object.require("schema"), kCausesSchema);
  const document::Field rules = object.require("rules");
  model::CauseTable table;
  table.digest = support::sha256_hex(document.text);
  for (const document::Field& item : rules.items()) {
    Rule rule = read_cause_rule(item);
    const auto same = [&rule](const Rule& other) { return other.id == rule.id; };
    if (std::any_of(table.rules.begin(), table.rules.end(), same)) {
      item.fail("a second rule '" + rule.id + "'; expected each id once");
    }
    table.rules.push_back(std::move(rule));
  }
  if (table.rules.empty()) rules.fail("is empty; expected at least one rule");
  check_unless(rules, table.rules);
  return table;
}

}  // namespace rackproof::cause
