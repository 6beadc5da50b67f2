#include "reports/model/scalar.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace rackproof::model {
namespace {

struct Printer {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const {
    std::array<char, 32> buffer{};
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    std::string text(buffer.data(), result.ptr);
    // Whole doubles keep a mark of their type, so that 1 and 1.0 never share a label.
    if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
    return text;
  }
  std::string operator()(const std::string& value) const { return value; }
};

}  // namespace

contract::Parameters canonical(const contract::Parameters& parameters) {
  contract::Parameters result = parameters;
  for (auto& [name, value] : result) {
    const auto* number = std::get_if<double>(&value);
    if (number == nullptr || std::floor(*number) != *number) continue;
    if (std::abs(*number) > static_cast<double>(kWholeInDouble)) continue;
    value = static_cast<std::int64_t>(*number);
  }
  return result;
}

std::string to_text(const contract::Scalar& value) { return std::visit(Printer{}, value); }

std::string to_text(const contract::Parameters& parameters) {
  std::string text;
  for (const auto& [key, value] : parameters) {
    if (!text.empty()) text += ' ';
    text += key + '=' + to_text(value);
  }
  return text;
}

}  // namespace rackproof::model
