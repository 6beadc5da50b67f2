#include "harness/document/schema.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "harness/document/document.hpp"
#include "harness/document/located_json.hpp"

namespace rackproof::document {
namespace {

using nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

constexpr std::size_t kMaxIssues = 100;
// A report of a large cluster holds every raw sample.
constexpr std::size_t kMaxDocumentValues = 8'000'000;

struct Place {
  const Node* node = nullptr;
  std::string pointer;
};

std::string escaped(const std::string& name) {
  std::string out;
  for (const char c : name) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

const Node* child(const Node& node, const std::string& name) {
  if (const auto* members = std::get_if<Node::Members>(&node.value)) {
    for (const Member& member : *members) {
      if (member.name == name) return &member.node;
    }
  } else if (const auto* list = std::get_if<Node::List>(&node.value)) {
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
    if (error == std::errc() && end == name.data() + name.size() && index < list->size()) {
      return &(*list)[index];
    }
  }
  return nullptr;
}

// valijson gives the way to a value as "<root>", "[steps]", "[0]".
Place find_place(const Node& root, const std::vector<std::string>& context) {
  Place place{&root, ""};
  for (std::size_t i = 1; i < context.size(); ++i) {
    const std::string& word = context[i];
    const std::string name = word.size() >= 2 ? word.substr(1, word.size() - 2) : word;
    place.pointer += "/" + escaped(name);
    if (const Node* next = child(*place.node, name)) place.node = next;
  }
  return place;
}

std::string shown(const Node& node) {
  if (const auto* text = std::get_if<std::string>(&node.value)) {
    return text->size() <= 60 ? "the text '" + *text + "'" : "a long text";
  }
  if (const auto* boolean = std::get_if<bool>(&node.value)) return *boolean ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&node.value)) {
    return "the number " + std::to_string(*integer);
  }
  if (const auto* number = std::get_if<double>(&node.value)) {
    return "the number " + json(*number).dump();
  }
  if (std::holds_alternative<Node::List>(node.value)) return "a list";
  if (std::holds_alternative<Node::Members>(node.value)) return "an object";
  return "null";
}

// True for the sentences that only say that something inside is wrong.
bool is_wrapper(const std::string& description) {
  constexpr std::array kStarts = {
      "Failed to validate item",
      "Failed to validate against additional properties",
      "Failed to validate against schema associated",
      "Failed to validate against a conditional schema",
      "Failed to validate against child schema",
      "Failed to validate against all child schemas",
  };
  return std::any_of(kStarts.begin(), kStarts.end(),
                     [&](const char* start) { return description.rfind(start, 0) == 0; });
}

std::string between_quotes(const std::string& text) {
  const std::size_t first =
      text.rfind(": '") == std::string::npos ? text.find('\'') : text.rfind(": '") + 2;
  const std::size_t last = text.rfind('\'');
  return first == std::string::npos || last <= first ? text : text.substr(first, last - first + 1);
}

// valijson prints every bound with six decimals, and as sentences of its own.
std::string plain(std::string text) {
  constexpr std::string_view kDecimals = ".000000";
  while (!text.empty() && text.back() == '.') text.pop_back();
  if (text.size() > kDecimals.size() && text.ends_with(kDecimals)) {
    text.resize(text.size() - kDecimals.size());
  }
  if (!text.empty() && text.front() >= 'A' && text.front() <= 'Z')
    text.front() = static_cast<char>(text.front() - 'A' + 'a');
  return text;
}

std::string sentence(const std::string& description, const Node& node) {
  const auto begins = [&](const char* start) { return description.rfind(start, 0) == 0; };
  if (begins("Object contains a property")) return "unknown field " + between_quotes(description);
  if (begins("Missing required property")) {
    return "the field " + between_quotes(description) + " is missing";
  }
  if (begins("Value type not permitted")) return "has the wrong type: " + shown(node);
  if (begins("Failed to match against any enum"))
    return "is none of the known words: " + shown(node);
  if (begins("Failed to match expected value")) return "is not the value expected: " + shown(node);
  if (begins("Failed to validate against exactly one") ||
      begins("Failed to validate against any child")) {
    return "fits none, or more than one, of the forms allowed: " + shown(node);
  }
  return plain(description) + ": " + shown(node);
}

std::vector<SchemaIssue> collect(valijson::ValidationResults& results, const Node& root) {
  std::vector<SchemaIssue> issues;
  valijson::ValidationResults::Error error;
  std::optional<SchemaIssue> wrapper;
  while (results.popError(error) && issues.size() < kMaxIssues) {
    const Place place = find_place(root, error.context);
    SchemaIssue issue{place.pointer, place.node->line, sentence(error.description, *place.node)};
    if (is_wrapper(error.description)) {
      if (!wrapper) wrapper = std::move(issue);
      continue;
    }
    const bool known = std::any_of(issues.begin(), issues.end(), [&](const SchemaIssue& other) {
      return other.pointer == issue.pointer && other.text == issue.text;
    });
    if (!known) issues.push_back(std::move(issue));
  }
  if (issues.empty() && wrapper) issues.push_back(*wrapper);
  if (issues.empty()) issues.push_back({"", root.line, "does not conform to the schema"});
  return issues;
}

void read_schema(const std::string& schema_file, valijson::Schema& schema) {
  const Document document = load_document(schema_file);
  const json tree = json::parse(document.text, nullptr, true, true);
  try {
    valijson::SchemaParser().populateSchema(Adapter(tree), schema);
  } catch (const std::exception& error) {
    throw ConfigError(schema_file, 0, "", std::string("is no usable JSON Schema: ") + error.what());
  }
}

}  // namespace

std::vector<SchemaIssue> validate(const std::string& schema_file, std::string_view json_text) {
  valijson::Schema schema;
  read_schema(schema_file, schema);
  Node root;
  try {
    root = parse("", json_text, kMaxDocumentValues);
  } catch (const ConfigError& error) {
    const std::string where = error.field.empty() ? "" : error.field + ": ";
    return {{"", error.line, where + error.message}};
  }
  const json tree = json::parse(json_text, nullptr, true, true);
  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(schema, Adapter(tree), &results)) return {};
  return collect(results, root);
}

}  // namespace rackproof::document
