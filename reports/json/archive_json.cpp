#include "reports/json/archive_json.hpp"

#include <algorithm>

#include "reports/json/strict_json.hpp"

namespace rackproof::model::archive {
namespace {

std::string found_text(const json& node) {
  switch (node.type()) {
    case json::value_t::string:
      return "the text \"" + printable(node.get_ref<const std::string&>(), 60) + "\"";
    case json::value_t::boolean:
    case json::value_t::number_integer:
    case json::value_t::number_unsigned:
    case json::value_t::number_float:
      return node.dump();
    case json::value_t::object:
      return "an object";
    case json::value_t::array:
      return "an array";
    case json::value_t::null:
    case json::value_t::binary:
    case json::value_t::discarded:
      break;
  }
  return "null";
}

std::string pointer(const Place& place) {
  if (place.parent == nullptr) return {};
  const std::string last =
      place.key.data() == nullptr ? std::to_string(place.index) : printable(place.key, 60);
  return pointer(*place.parent) + "/" + last;
}

}  // namespace

json encode_text(const std::string& text) {
  return is_well_formed(text) ? json(text) : json(well_formed(text));
}

json encode_number(double value, std::string_view key) {
  if (!std::isfinite(value)) {
    throw std::invalid_argument(fmt::format("report: {} is {}, not a finite number", key, value));
  }
  return json(value);
}

json Writer::take() { return json(std::move(object_)); }

void Writer::put(const char* key, json value) { object_.emplace(key, std::move(value)); }

json::object_t::value_type* Reader::find(const char* key) {
  const auto found = object_.find(key);
  if (found == object_.end()) return nullptr;
  ++used_;
  return &*found;
}

std::string to_text(const Place& place) {
  const std::string text = pointer(place);
  return text.empty() ? "the document" : text;
}

void refuse(const Place& place, const std::string& expected, const json& found) {
  throw BadReport(to_text(place) + ": expected " + expected + ", found " + found_text(found));
}

void refuse_missing(const Place& place, const char* key) {
  throw BadReport(to_text(place) + ": the key \"" + key + "\" is missing");
}

void refuse_unknown(const Place& place, const json::object_t& found, const Names& known) {
  std::string list;
  for (const std::string_view name : known.names()) {
    if (!list.empty()) list += ", ";
    list += name;
  }
  for (const auto& member : found) {
    const auto is_it = [&](std::string_view name) { return name == member.first; };
    if (std::any_of(known.names().begin(), known.names().end(), is_it) ||
        std::any_of(known.gone().begin(), known.gone().end(), is_it)) {
      continue;
    }
    throw BadReport(to_text(place) + ": unknown key \"" + printable(member.first, 60) +
                    "\", expected only " + list);
  }
  throw std::logic_error("a key of " + to_text(place) + " was read and is not known");
}

json::object_t& expect_object(json& node, const Place& place) {
  if (!node.is_object()) refuse(place, "an object", node);
  return node.get_ref<json::object_t&>();
}

json::array_t& expect_array(json& node, const Place& place) {
  if (!node.is_array()) refuse(place, "an array", node);
  return node.get_ref<json::array_t&>();
}

std::int64_t expect_integer(const json& node, const Place& place, std::int64_t smallest,
                            std::int64_t largest) {
  if (node.is_number_integer()) {
    const auto value = node.get<std::int64_t>();
    if (value >= smallest && value <= largest) return value;
  }
  refuse(place, fmt::format("an integer from {} to {}", smallest, largest), node);
}

double expect_number(const json& node, const Place& place) {
  if (!node.is_number()) refuse(place, "a number", node);
  return node.get<double>();
}

bool expect_bool(const json& node, const Place& place) {
  if (!node.is_boolean()) refuse(place, "true or false", node);
  return node.get<bool>();
}

std::string expect_text(json& node, const Place& place) {
  if (!node.is_string()) refuse(place, "a text", node);
  return std::move(node.get_ref<std::string&>());
}

contract::Scalar expect_scalar(json& node, const Place& place) {
  if (node.is_boolean()) return node.get<bool>();
  if (node.is_number_float()) return node.get<double>();
  if (node.is_number_integer()) return node.get<std::int64_t>();
  if (node.is_string()) return std::move(node.get_ref<std::string&>());
  refuse(place, "true, false, a number or a text", node);
}

json parse(std::string_view text) {
  try {
    return parse_strict(text, {.bytes = kMaxReportBytes, .string_bytes = kMaxReportBytes});
  } catch (const BadJson& error) {
    throw BadReport(error.what());
  }
}

void decode_ending(json& node, Ending& value, const Place& place) {
  json::object_t& object = expect_object(node, place);
  const auto kind = object.find("kind");
  if (kind == object.end()) refuse_missing(place, "kind");
  const Place kind_place{&place, kind->first, 0};
  const std::string name = expect_text(kind->second, kind_place);
  const auto found = ending_called(name);
  if (!found) {
    throw BadReport(to_text(kind_place) + ": expected one of " + ending_kinds() +
                    ", found the text \"" + printable(name, 60) + "\"");
  }
  value = *found;
  object.erase(kind);
  std::visit(
      [&](auto& inner) {
        Reader reader(object, place);
        describe(reader, inner);
        if (reader.complete()) return;
        Names names;
        names.field("kind", 0);
        describe(names, inner);
        refuse_unknown(place, object, names);
      },
      value);
}

}  // namespace rackproof::model::archive
