#include "harness/inventory/fact_sheet.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace rackproof::inventory {
namespace {

constexpr std::size_t kLongestText = 4096;

std::string printable(const std::string& text) {
  std::string clean = text.substr(0, kLongestText);
  for (char& letter : clean) {
    if (letter == '\n' || letter == '\t') letter = ' ';
    if (letter < ' ' || letter > '~') letter = '?';
  }
  return clean;
}

}  // namespace

void FactSheet::put(const std::string& name, contract::Scalar value, const std::string& source) {
  if (const double* number = std::get_if<double>(&value); number && !std::isfinite(*number)) {
    missing(name, source, "not a finite number");
    return;
  }
  if (std::string* text = std::get_if<std::string>(&value)) *text = printable(*text);
  facts_[name] = model::Fact{std::move(value), printable(source), ""};
}

void FactSheet::put_count(const std::string& name, std::size_t count, const std::string& source) {
  put(name, static_cast<std::int64_t>(count), source);
}

void FactSheet::missing(const std::string& name, const std::string& source,
                        const std::string& why) {
  facts_[name] = model::Fact{std::nullopt, printable(source), printable(why)};
}

void FactSheet::put_text(const std::string& name, const Reading& reading) {
  if (!reading.text) {
    missing(name, reading.path, reading.why);
  } else if (reading.text->empty()) {
    missing(name, reading.path, "the file is empty");
  } else {
    put(name, *reading.text, reading.path);
  }
}

void FactSheet::put_integer(const std::string& name, const Reading& reading, long long factor) {
  if (!reading.text) {
    missing(name, reading.path, reading.why);
    return;
  }
  const auto value = to_integer(*reading.text);
  const long long largest = std::numeric_limits<long long>::max() / factor;
  if (!value || *value > largest || *value < -largest) {
    missing(name, reading.path, "not a whole number: \"" + reading.text->substr(0, 40) + "\"");
    return;
  }
  put(name, std::int64_t{*value * factor}, reading.path);
}

std::optional<double> FactSheet::number(const std::string& name) const {
  const model::Fact* fact = find(name);
  if (!fact || !fact->value) return std::nullopt;
  if (const auto* whole = std::get_if<std::int64_t>(&*fact->value)) {
    return static_cast<double>(*whole);
  }
  if (const auto* real = std::get_if<double>(&*fact->value)) return *real;
  return std::nullopt;
}

std::optional<std::string> FactSheet::text(const std::string& name) const {
  const model::Fact* fact = find(name);
  if (!fact || !fact->value) return std::nullopt;
  if (const auto* words = std::get_if<std::string>(&*fact->value)) return *words;
  return std::nullopt;
}

const model::Fact* FactSheet::find(const std::string& name) const {
  const auto found = facts_.find(name);
  return found == facts_.end() ? nullptr : &found->second;
}

}  // namespace rackproof::inventory
