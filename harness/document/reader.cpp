#include "harness/document/reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "contract/unit.hpp"
#include "harness/document/located_json.hpp"
#include "harness/document/nearest.hpp"

namespace rackproof::document {
namespace {

constexpr std::size_t kLongestName = 64;
constexpr std::size_t kLongestQuoted = 60;
constexpr std::string_view kTimeUnits = "ns, us, ms, s, min or h";

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool has_name_form(std::string_view text, std::string_view extra) {
  return !text.empty() && text.size() <= kLongestName &&
         std::all_of(text.begin(), text.end(), [&](char c) {
           return is_letter_or_digit(c) || extra.find(c) != std::string_view::npos;
         });
}

std::string in_quotes(std::string_view text) {
  if (text.size() <= kLongestQuoted) return "'" + std::string(text) + "'";
  std::size_t end = kLongestQuoted;
  while ((static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return "'" + std::string(text.substr(0, end)) + "...'";
}

std::string description(const Node& node) {
  if (const auto* boolean = std::get_if<bool>(&node.value)) return *boolean ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&node.value)) {
    return "the number " + std::to_string(*integer);
  }
  if (const auto* number = std::get_if<double>(&node.value)) {
    return "the number " + number_text(*number);
  }
  if (const auto* text = std::get_if<std::string>(&node.value))
    return "the text " + in_quotes(*text);
  if (std::holds_alternative<Node::List>(node.value)) return "a list";
  if (std::holds_alternative<Node::Members>(node.value)) return "an object";
  return "null";
}

std::string element(const std::string& path, std::size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

std::string member(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "." + name;
}

}  // namespace

std::string number_text(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

bool is_name(std::string_view text) {
  return has_name_form(text, "._-") && is_letter_or_digit(text.front());
}

Field::Field(const std::string& file, const Node& node, std::string path)
    : file_(&file), node_(&node), path_(std::move(path)) {}

void Field::fail(const std::string& what) const {
  throw ConfigError(*file_, node_->line, path_, what);
}

void Field::fail_type(const std::string& expected) const {
  fail("expected " + expected + ", got " + description(*node_));
}

void Field::fail_word(const std::string& given, const std::vector<std::string_view>& known) const {
  fail("unknown word " + in_quotes(given) + suggestion(given, known));
}

std::string Field::text(std::size_t longest) const {
  const auto* value = std::get_if<std::string>(&node_->value);
  if (value == nullptr) fail_type("a text");
  if (value->empty()) fail("expected a text, got an empty one");
  if (value->size() > longest) {
    fail("is " + std::to_string(value->size()) + " bytes long; expected at most " +
         std::to_string(longest));
  }
  const bool control = std::any_of(value->begin(), value->end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
  });
  if (control) fail("holds a control character; expected printable text");
  return *value;
}

std::string Field::name() const {
  std::string value = text();
  if (!is_name(value)) {
    fail("expected a name of 1 to 64 letters, digits, '.', '_' or '-', got " + in_quotes(value));
  }
  return value;
}

std::string Field::pattern() const {
  std::string value = text();
  if (!has_name_form(value, "._-*?")) {
    fail("expected a pattern of 1 to 64 letters, digits, '.', '_', '-', '*' or '?', got " +
         in_quotes(value));
  }
  return value;
}

bool Field::boolean() const {
  const auto* value = std::get_if<bool>(&node_->value);
  if (value == nullptr) fail_type("true or false");
  return *value;
}

std::int64_t Field::integer(std::int64_t low, std::int64_t high) const {
  const auto* value = std::get_if<std::int64_t>(&node_->value);
  const std::string range = std::to_string(low) + " to " + std::to_string(high);
  if (value == nullptr) fail_type("an integer from " + range);
  if (*value < low || *value > high) fail_type("an integer from " + range);
  return *value;
}

bool Field::is_number() const {
  return std::holds_alternative<double>(node_->value) ||
         std::holds_alternative<std::int64_t>(node_->value);
}

double Field::number() const {
  if (const auto* value = std::get_if<double>(&node_->value)) return *value;
  if (const auto* value = std::get_if<std::int64_t>(&node_->value)) {
    return static_cast<double>(*value);
  }
  fail_type("a number");
}

contract::Scalar Field::scalar() const {
  if (const auto* value = std::get_if<bool>(&node_->value)) return *value;
  if (const auto* value = std::get_if<std::int64_t>(&node_->value)) return *value;
  if (const auto* value = std::get_if<double>(&node_->value)) return *value;
  if (is_text()) return text();
  fail_type("a text, a number, true or false");
}

double Field::seconds() const {
  const std::string expected = "a time such as \"600 s\" or \"10 min\"";
  if (!is_text()) fail_type(expected);
  const std::string given = text();
  double value = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), value);
  std::string_view rest(end, static_cast<std::size_t>(given.data() + given.size() - end));
  if (error != std::errc() || !std::isfinite(value)) {
    fail("expected " + expected + ", got " + in_quotes(given));
  }
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  if (rest.empty()) fail("expected " + expected + ", got " + in_quotes(given) + " without a unit");
  const auto unit = contract::find_unit(rest);
  if (!unit) {
    fail("unknown unit " + in_quotes(rest) + "; expected " + std::string(kTimeUnits));
  }
  if (unit->base != "s") {
    fail("unit " + in_quotes(rest) + " is of " + std::string(unit->base) +
         ", not of time; expected " + std::string(kTimeUnits));
  }
  const double result = value * unit->factor;
  if (!(result > 0) || !std::isfinite(result))
    fail("expected a time above zero, got " + in_quotes(given));
  return result;
}

std::string Field::unit() const {
  std::string given = text();
  if (!contract::find_unit(given)) {
    std::vector<std::string_view> known;
    for (const contract::Unit& one : contract::kUnits) known.push_back(one.name);
    fail("unknown unit " + in_quotes(given) + suggestion(given, known));
  }
  return given;
}

std::vector<Field> Field::items() const {
  const auto* list = std::get_if<Node::List>(&node_->value);
  if (list == nullptr) fail_type("a list");
  std::vector<Field> fields;
  for (const Node& node : *list) fields.emplace_back(*file_, node, element(path_, fields.size()));
  return fields;
}

std::vector<std::pair<std::string, Field>> Field::members() const {
  const auto* members = std::get_if<Node::Members>(&node_->value);
  if (members == nullptr) fail_type("an object");
  std::vector<std::pair<std::string, Field>> fields;
  for (const Member& one : *members) {
    fields.emplace_back(one.name, Field(*file_, one.node, member(path_, one.name)));
  }
  return fields;
}

Object::Object(Field field, std::initializer_list<std::string_view> known)
    : field_(std::move(field)), members_(field_.members()) {
  for (const auto& [name, value] : members_) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    value.fail("unknown field " + in_quotes(name) + suggestion(name, {known.begin(), known.end()}));
  }
}

std::optional<Field> Object::find(std::string_view name) const {
  for (const auto& [key, value] : members_) {
    if (key == name) return value;
  }
  return std::nullopt;
}

Field Object::require(std::string_view name) const {
  if (auto found = find(name)) return *found;
  field_.fail("the field '" + std::string(name) + "' is missing");
}

void check_schema(const Field& field, const std::string& schema) {
  const std::string given = field.text();
  if (given == schema) return;
  const std::string family = schema.substr(0, schema.rfind('/') + 1);
  const bool other_version = given.compare(0, family.size(), family) == 0;
  field.fail("expected '" + schema + "', got " + in_quotes(given) +
             (other_version ? ", a version that this program does not read" : ""));
}

Quantity read_quantity(const Field& field) {
  if (!field.is_object()) field.fail_type("an object such as {\"value\": 760, \"unit\": \"GB/s\"}");
  const Object object(field, {"value", "unit"});
  const double value = object.require("value").number();
  const auto unit = contract::find_unit(object.require("unit").unit());
  const double result = value * unit->factor;
  if (!std::isfinite(result)) object.require("value").fail("is too large for its unit");
  return {result, std::string(unit->base)};
}

}  // namespace rackproof::document
