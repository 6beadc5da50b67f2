#pragma once

// Included by the *_json.cpp of this room only: it carries the JSON library.

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "reports/json/json_fields.hpp"
#include "reports/json/report_json.hpp"
#include "reports/model/printable.hpp"
#include "reports/model/words.hpp"

namespace rackproof::model::archive {

using nlohmann::json;

template <class T>
inline constexpr bool kIsVector = false;
template <class T>
inline constexpr bool kIsVector<std::vector<T>> = true;
template <class T>
inline constexpr bool kIsMap = false;
template <class T>
inline constexpr bool kIsMap<std::map<std::string, T>> = true;
template <class T>
inline constexpr bool kIsReason = false;
template <class E>
inline constexpr bool kIsReason<Reason<E>> = true;
template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <class T>
json encode(const T& value, std::string_view key);

/// Visits the fields of a value and collects them as a JSON object.
class Writer {
 public:
  template <class T>
  void field(const char* key, const T& value) {
    put(key, encode(value, key));
  }
  template <class T>
  void maybe(const char* key, const T& value) {
    if (!(value == T{})) field(key, value);
  }
  template <class T>
  void unless(const char* key, const T& value, const T& otherwise) {
    if (!(value == otherwise)) field(key, value);
  }
  void gone(const char* /*key*/) {}
  json take();

 private:
  // Compiled once, not into each field of each type.
  void put(const char* key, json value);

  json::object_t object_;
};

json encode_text(const std::string& text);
/// Throws std::invalid_argument for what JSON has no number for.
json encode_number(double value, std::string_view key);

template <class T>
json encode_map(const std::map<std::string, T>& value) {
  json::object_t object;
  for (const auto& [name, member] : value) {
    std::string key = is_well_formed(name) ? name : well_formed(name);
    // Different bytes that are not UTF-8 become the same text; nothing is dropped for that.
    while (object.count(key) != 0) key += '_';
    object.emplace(key, encode(member, key));
  }
  return json(std::move(object));
}

template <class T>
json encode(const T& value, std::string_view key) {
  if constexpr (std::is_same_v<T, std::string>) {
    return encode_text(value);
  } else if constexpr (std::is_same_v<T, double>) {
    return encode_number(value, key);
  } else if constexpr (std::is_same_v<T, bool>) {
    return json(value);
  } else if constexpr (std::is_integral_v<T>) {
    return json(static_cast<std::int64_t>(value));
  } else if constexpr (std::is_enum_v<T>) {
    return json(std::string(contract::word(value)));
  } else if constexpr (kIsReason<T>) {
    return encode_text(to_text(value));
  } else if constexpr (std::is_same_v<T, contract::Scalar>) {
    return std::visit([&](const auto& inner) { return encode(inner, key); }, value);
  } else if constexpr (std::is_same_v<T, Ending>) {
    Writer writer;
    writer.field("kind", word(value));
    std::visit([&](const auto& inner) { describe(writer, inner); }, value);
    return writer.take();
  } else if constexpr (kIsOptional<T>) {
    return encode(*value, key);
  } else if constexpr (kIsVector<T>) {
    json::array_t array;
    array.reserve(value.size());
    for (const auto& element : value) array.push_back(encode(element, key));
    return json(std::move(array));
  } else if constexpr (kIsMap<T>) {
    return encode_map(value);
  } else {
    Writer writer;
    describe(writer, value);
    return writer.take();
  }
}

/// Where a value stands in its document: a chain on the stack, made into text only for a message.
struct Place {
  const Place* parent = nullptr;
  std::string_view key;   ///< of a member
  std::size_t index = 0;  ///< of an element, when `key` has no data
};

/// "/cells/3/verdict", or "the document" for its outermost value.
std::string to_text(const Place& place);

/// Throws BadReport: where, what was expected and what was found.
[[noreturn]] void refuse(const Place& place, const std::string& expected, const json& found);
[[noreturn]] void refuse_missing(const Place& place, const char* key);
class Names;
[[noreturn]] void refuse_unknown(const Place& place, const json::object_t& found,
                                 const Names& known);

json::object_t& expect_object(json& node, const Place& place);
json::array_t& expect_array(json& node, const Place& place);
std::int64_t expect_integer(const json& node, const Place& place, std::int64_t smallest,
                            std::int64_t largest);
double expect_number(const json& node, const Place& place);
bool expect_bool(const json& node, const Place& place);
std::string expect_text(json& node, const Place& place);
contract::Scalar expect_scalar(json& node, const Place& place);

template <class T>
void decode(json& node, T& value, const Place& place);

/// Visits the fields of a value and only remembers their names.
class Names {
 public:
  template <class T>
  void field(const char* key, const T& /*value*/) {
    names_.emplace_back(key);
  }
  template <class T>
  void maybe(const char* key, const T& /*value*/) {
    names_.emplace_back(key);
  }
  template <class T>
  void unless(const char* key, const T& /*value*/, const T& /*otherwise*/) {
    names_.emplace_back(key);
  }
  /// One that earlier builds wrote.
  void gone(const char* key) { gone_.emplace_back(key); }
  const std::vector<std::string_view>& names() const { return names_; }
  const std::vector<std::string_view>& gone() const { return gone_; }

 private:
  std::vector<std::string_view> names_;
  std::vector<std::string_view> gone_;
};

/// Visits the fields of a value and fills them from a JSON object.
class Reader {
 public:
  Reader(json::object_t& object, const Place& place) : object_(object), place_(place) {}

  template <class T>
  void field(const char* key, T& value) {
    if (!read(key, value)) refuse_missing(place_, key);
  }
  template <class T>
  void maybe(const char* key, T& value) {
    if (!read(key, value)) value = T{};
  }
  template <class T>
  void unless(const char* key, T& value, const T& otherwise) {
    if (!read(key, value)) value = otherwise;
  }
  void gone(const char* key) { (void)find(key); }
  /// True when every key of the object was one of the fields.
  bool complete() const { return used_ == object_.size(); }

 private:
  template <class T>
  bool read(const char* key, T& value) {
    json::object_t::value_type* const found = find(key);
    if (found == nullptr) return false;
    decode(found->second, value, Place{&place_, found->first, 0});
    return true;
  }
  // Compiled once, not into each field of each type. Counts what it finds.
  json::object_t::value_type* find(const char* key);

  json::object_t& object_;
  const Place& place_;
  std::size_t used_ = 0;
};

template <class T>
void decode_struct(json& node, T& value, const Place& place) {
  json::object_t& object = expect_object(node, place);
  Reader reader(object, place);
  describe(reader, value);
  if (reader.complete()) return;
  Names names;
  describe(names, value);
  refuse_unknown(place, object, names);
}

/// The ending of that kind with its members unset, or nothing.
template <std::size_t I = 0>
std::optional<Ending> ending_called(const std::string& kind) {
  if constexpr (I < std::variant_size_v<Ending>) {
    Ending candidate{std::in_place_index<I>};
    if (word(candidate) == kind) return candidate;
    return ending_called<I + 1>(kind);
  } else {
    return std::nullopt;
  }
}

/// "completed, signalled, ...": for messages.
template <std::size_t I = 0>
std::string ending_kinds() {
  std::string kind = word(Ending{std::in_place_index<I>});
  if constexpr (I + 1 < std::variant_size_v<Ending>) {
    return kind + ", " + ending_kinds<I + 1>();
  } else {
    return kind;
  }
}

void decode_ending(json& node, Ending& value, const Place& place);

template <class T>
void decode(json& node, T& value, const Place& place) {
  if constexpr (std::is_same_v<T, std::string>) {
    value = expect_text(node, place);
  } else if constexpr (std::is_same_v<T, double>) {
    value = expect_number(node, place);
  } else if constexpr (std::is_same_v<T, bool>) {
    value = expect_bool(node, place);
  } else if constexpr (std::is_integral_v<T>) {
    using Limits = std::numeric_limits<T>;
    value = static_cast<T>(expect_integer(node, place, Limits::min(), Limits::max()));
  } else if constexpr (std::is_enum_v<T>) {
    const auto found = node.is_string()
                           ? contract::enumerator_of<T>(node.get_ref<const std::string&>())
                           : std::nullopt;
    if (!found) refuse(place, "one of " + contract::choices<T>(), node);
    value = *found;
  } else if constexpr (kIsReason<T>) {
    value = reason_of<decltype(value.id)>(expect_text(node, place));
  } else if constexpr (std::is_same_v<T, contract::Scalar>) {
    value = expect_scalar(node, place);
  } else if constexpr (std::is_same_v<T, Ending>) {
    decode_ending(node, value, place);
  } else if constexpr (kIsOptional<T>) {
    decode(node, value.emplace(), place);
  } else if constexpr (kIsVector<T>) {
    json::array_t& array = expect_array(node, place);
    value.clear();
    value.resize(array.size());
    for (std::size_t i = 0; i < array.size(); ++i) {
      decode(array[i], value[i], Place{&place, {}, i});
    }
  } else if constexpr (kIsMap<T>) {
    value.clear();
    for (auto& [key, member] : expect_object(node, place)) {
      decode(member, value.emplace_hint(value.end(), key, typename T::mapped_type{})->second,
             Place{&place, key, 0});
    }
  } else {
    decode_struct(node, value, place);
  }
}

/// Parses within the report's limits; every error is a BadReport.
json parse(std::string_view text);

template <class T>
T read_line(std::string_view text) {
  json document = parse(text);
  T value;
  decode(document, value, Place{});
  return value;
}

/// The JSON of a value on one line.
template <class T>
std::string write_line(const T& value) {
  return encode(value, "the document").dump();
}

}  // namespace rackproof::model::archive
