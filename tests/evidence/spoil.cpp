#include "tests/evidence/spoil.hpp"

#include <cstdint>
#include <limits>

namespace rackproof::evidence {
namespace {

using nlohmann::json;

// Ends the name of a member that stands in the text a second time: no document has it.
constexpr char kAgain = '\x01';
constexpr std::size_t kLongText = 70000;
constexpr int kManyTimes = 40;

std::optional<json> empty(const json& value) {
  switch (value.type()) {
    case json::value_t::string:
      return json("");
    case json::value_t::array:
      return json::array();
    case json::value_t::object:
      return json::object();
    default:
      return json(nullptr);
  }
}

std::optional<json> other_type(const json& value) {
  switch (value.type()) {
    case json::value_t::string:
      return json(7);
    case json::value_t::array:
      return json::object();
    case json::value_t::object:
      return json::array();
    default:
      return json(value.dump());
  }
}

std::optional<json> huge(const json& value) {
  switch (value.type()) {
    case json::value_t::string:
      return json(std::string(kLongText, 'x'));
    case json::value_t::array: {
      json out = json::array();
      for (int i = 0; i < kManyTimes; ++i) {
        for (const json& element : value) out.push_back(element);
      }
      return out;
    }
    case json::value_t::object: {
      json out = value;
      for (int i = 0; i < kManyTimes; ++i) out["member" + std::to_string(i)] = i;
      return out;
    }
    case json::value_t::number_integer:
    case json::value_t::number_unsigned:
      return json(std::numeric_limits<std::int64_t>::max());
    case json::value_t::number_float:
      return json(std::numeric_limits<double>::max());
    default:
      return std::nullopt;
  }
}

std::optional<json> tiny(const json& value) {
  switch (value.type()) {
    case json::value_t::string:
      return json(value.get<std::string>().substr(0, 1));
    case json::value_t::array:
      if (value.size() < 2) return std::nullopt;
      return json::array({value.front()});
    case json::value_t::number_integer:
    case json::value_t::number_unsigned:
      return json(0);
    case json::value_t::number_float:
      return json(std::numeric_limits<double>::min());
    default:
      return std::nullopt;
  }
}

std::optional<json> negative(const json& value) {
  if (value.is_number_integer()) {
    const auto number = value.get<std::int64_t>();
    return json(number == 0 ? -1 : -number);
  }
  if (value.is_number_float()) {
    const double number = value.get<double>();
    return json(number == 0 ? -1.0 : -number);
  }
  if (value.is_string()) return json("-" + value.get<std::string>());
  return std::nullopt;
}

json other_word(const std::string& text, const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == text) return words[(i + 1) % words.size()];
  }
  return words.empty() ? "other" : words.front();
}

std::optional<json> contrary(const json& value, const std::vector<std::string>& words) {
  switch (value.type()) {
    case json::value_t::boolean:
      return json(!value.get<bool>());
    case json::value_t::number_integer:
    case json::value_t::number_unsigned:
      return json(value.get<std::int64_t>() * 2 + 1);
    case json::value_t::number_float:
      return json(value.get<double>() * 2 + 1);
    case json::value_t::string:
      return other_word(value.get<std::string>(), words);
    case json::value_t::array:
      if (value.size() < 2) return std::nullopt;
      return json(json::array_t(value.rbegin(), value.rend()));
    default:
      return std::nullopt;
  }
}

std::optional<json> replacement(const json& value, Spoil spoil,
                                const std::vector<std::string>& words) {
  switch (spoil) {
    case Spoil::kEmpty:
      return empty(value);
    case Spoil::kOtherType:
      return other_type(value);
    case Spoil::kHuge:
      return huge(value);
    case Spoil::kTiny:
      return tiny(value);
    case Spoil::kNegative:
      return negative(value);
    case Spoil::kContrary:
      return contrary(value, words);
    case Spoil::kAbsent:
    case Spoil::kDoubled:
      break;
  }
  return std::nullopt;
}

void remove(json& parent, const std::string& last) {
  if (parent.is_array()) {
    parent.erase(std::stoul(last));
  } else {
    parent.erase(last);
  }
}

// An element follows itself; a member stands there again, and says something else.
bool double_it(json& parent, const std::string& last) {
  if (parent.is_array()) {
    const auto index = static_cast<std::ptrdiff_t>(std::stoul(last));
    const json element = parent.at(static_cast<std::size_t>(index));
    parent.insert(parent.begin() + index, element);
    return true;
  }
  const json value = parent.at(last);
  parent[last + kAgain] = contrary(value, {}).value_or(value);
  return true;
}

void collect(const json& value, const std::string& at, std::vector<std::string>& out) {
  if (!at.empty()) out.push_back(at);
  if (value.is_object()) {
    for (const auto& [name, member] : value.items()) {
      collect(member, (json::json_pointer(at) / name).to_string(), out);
    }
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      collect(value[i], at + "/" + std::to_string(i), out);
    }
  }
}

}  // namespace

std::string_view word(Spoil spoil) {
  constexpr std::array kWords = {"absent", "empty", "doubled",  "other type",
                                 "huge",   "tiny",  "negative", "contrary"};
  return kWords.at(static_cast<std::size_t>(spoil));
}

std::optional<json> spoiled(const json& document, const std::string& pointer, Spoil spoil,
                            const std::vector<std::string>& words) {
  const json::json_pointer at(pointer);
  if (!document.contains(at)) return std::nullopt;
  json out = document;
  json& parent = out.at(at.parent_pointer());
  switch (spoil) {
    case Spoil::kAbsent:
      remove(parent, at.back());
      return out;
    case Spoil::kDoubled:
      double_it(parent, at.back());
      return out;
    default: {
      const auto value = replacement(out.at(at), spoil, words);
      if (!value || *value == out.at(at)) return std::nullopt;
      out.at(at) = *value;
      return out;
    }
  }
}

std::string text_of(const json& document) {
  std::string text = document.dump();
  static const std::string again = "\\u0001\":";
  for (std::size_t at = text.find(again); at != std::string::npos; at = text.find(again, at)) {
    text.replace(at, again.size(), "\":");
  }
  return text;
}

std::vector<std::string> places_in(const json& document) {
  std::vector<std::string> out;
  collect(document, "", out);
  return out;
}

}  // namespace rackproof::evidence
