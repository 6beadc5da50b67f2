#include "reports/catalogue/fact_words.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <variant>

#include "reports/catalogue/fact_units.hpp"
#include "reports/model/quantity.hpp"
#include "reports/model/scalar.hpp"

namespace rackproof::catalogue {

std::string in_words(double value, std::string_view unit) {
  if (unit == "1" || unit == "count" || unit.empty()) return fmt::format("{:.6g}", value);
  if (unit == "bit/s") return fmt::format("{:.4g} Gbit/s", value * 1e-9);
  return model::quantity(value, unit);
}

std::string fact_in_words(std::string_view name, const contract::Scalar& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    const std::string_view unit = unit_of_fact(name);
    const bool counted = unit.empty() || unit == "count";
    return counted ? std::to_string(*whole) : in_words(static_cast<double>(*whole), unit);
  }
  if (const auto* real = std::get_if<double>(&value)) return in_words(*real, unit_of_fact(name));
  return model::to_text(value);
}

}  // namespace rackproof::catalogue
