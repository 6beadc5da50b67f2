#include "reports/json/strict_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "reports/model/printable.hpp"

namespace rackproof::model {
namespace {

using nlohmann::json;

/// What the parser says, without its own prefix and with the offending text cut short.
std::string short_reason(std::string_view what) {
  constexpr std::string_view kStart = "syntax error";
  constexpr std::string_view kLastRead = "; last read: '";
  constexpr std::string_view kExpected = "; expected ";
  if (const auto start = what.find(kStart); start != std::string_view::npos) {
    what.remove_prefix(start);
  } else if (const auto prefix = what.find("] "); prefix != std::string_view::npos) {
    what.remove_prefix(prefix + 2);
  }
  const auto read = what.find(kLastRead);
  if (read == std::string_view::npos) return printable(what, 200);
  std::string text = printable(what.substr(0, read), 200);
  const auto expected = what.rfind(kExpected);
  const bool has_expected = expected != std::string_view::npos && expected > read;
  const auto begin = read + kLastRead.size();
  const auto end = has_expected ? expected : what.size();
  text += ", near '" + printable(what.substr(begin, end - begin - (end > begin ? 1 : 0)), 40) + "'";
  if (has_expected) text += printable(what.substr(expected), 100);
  return text;
}

/// Builds the document while it is being read, so that what is refused is refused at once.
class Builder final : public nlohmann::json_sax<json> {
 public:
  Builder(std::string_view text, const JsonLimits& limits) : text_(text), limits_(limits) {}

  bool null() override { return add(json(nullptr)); }
  bool boolean(bool value) override { return add(json(value)); }
  bool number_integer(number_integer_t value) override { return add(json(value)); }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      refuse("integer " + std::to_string(value) + " does not fit 64 bits with sign");
    }
    return add(json(static_cast<std::int64_t>(value)));
  }
  bool number_float(number_float_t value, const string_t& digits) override {
    if (digits.find_first_of(".eE") == std::string::npos) {
      refuse("integer " + printable(digits, 40) + " does not fit 64 bits with sign");
    }
    return add(json(value));
  }
  bool string(string_t& value) override {
    limit_string(value);
    return add(json(std::move(value)));
  }
  bool binary(binary_t& /*value*/) override { return false; }  // never sent for JSON text
  bool start_object(std::size_t /*size*/) override { return open(json::object()); }
  bool start_array(std::size_t /*size*/) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    limit_string(name);
    Level& level = open_.back();
    level.key = nullptr;
    auto& members = level.node->get_ref<json::object_t&>();
    const auto [place, fresh] = members.emplace(name, nullptr);
    if (!fresh) refuse("key \"" + printable(name, 60) + "\" appears twice");
    level.key = &place->first;
    level.slot = &place->second;
    return true;
  }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) override {
    constexpr int kNumberOverflow = 406;
    const bool cut_off = position > text_.size() && error.id != kNumberOverflow;
    const std::string_view before = text_.substr(0, position == 0 ? 0 : position - 1);
    const auto line = 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    const auto newline = before.rfind('\n');
    const std::size_t column =
        newline == std::string_view::npos ? before.size() + 1 : before.size() - newline;
    const std::string reason = cut_off ? "the document ends in the middle: it was cut off"
                                       : "not JSON: " + short_reason(error.what());
    throw BadJson(fmt::format("line {}, ", line), fmt::format("column {}: {}", column, reason),
                  line, column, cut_off);
  }

  json take() { return std::move(root_); }

 private:
  struct Level {
    json* node;
    const std::string* key = nullptr;  // of the member being read
    json* slot = nullptr;              // its value
  };

  json* put(json&& value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Level& level = open_.back();
    if (level.slot != nullptr) {
      *level.slot = std::move(value);
      return level.slot;
    }
    auto& elements = level.node->get_ref<json::array_t&>();
    elements.push_back(std::move(value));
    return &elements.back();
  }
  bool add(json&& value) {
    put(std::move(value));
    return true;
  }
  bool open(json&& value) {
    if (open_.size() >= limits_.depth) {
      throw BadJson(fmt::format("nested deeper than {} levels", limits_.depth), 0, 0, false);
    }
    open_.push_back(Level{put(std::move(value))});
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }
  void limit_string(const std::string& value) const {
    if (value.size() <= limits_.string_bytes) return;
    refuse(
        fmt::format("text of {} bytes, at most {} are read", value.size(), limits_.string_bytes));
  }
  [[noreturn]] void refuse(const std::string& reason) const {
    std::string place;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const Level& level = open_[i];
      const bool last = i + 1 == open_.size();
      if (level.node->is_array()) {
        // The element being read is in the array already, unless it is the one refused now.
        place += fmt::format("/{}", level.node->size() - (last ? 0 : 1));
      } else if (level.key != nullptr) {
        place += "/" + printable(*level.key, 60);
      }
    }
    throw BadJson((place.empty() ? "the document" : place) + ": " + reason, 0, 0, false);
  }

  std::string_view text_;
  const JsonLimits& limits_;
  json root_;
  std::vector<Level> open_;
};

}  // namespace

json parse_strict(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.bytes) {
    throw BadJson(
        fmt::format("document of {} bytes, at most {} are read", text.size(), limits.bytes), 0, 0,
        false);
  }
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    throw BadJson("the document is empty", 1, 1, true);
  }
  // The parser passes over one.
  if (text.starts_with("\xEF\xBB\xBF")) {
    throw BadJson("begins with a byte order mark; expected UTF-8 without one", 1, 1, false);
  }
  Builder builder(text, limits);
  json::sax_parse(text.data(), text.data() + text.size(), &builder);
  return builder.take();
}

}  // namespace rackproof::model
