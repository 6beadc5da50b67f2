#include "reports/model/recording_text.hpp"

#include <fmt/format.h>

#include <vector>

#include "reports/model/quantity.hpp"

namespace rackproof::model {
namespace {

// Counts and shares have the unit 1.
std::string number(double value, const std::string& unit) {
  return unit == "1" ? fmt::format("{:.6g}", value) : quantity(value, unit);
}

}  // namespace

std::string numbers_of(const SeriesSummary& series) {
  std::vector<std::string> parts;
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (value) parts.push_back(fmt::format("{} {}", name, number(*value, series.unit)));
  };
  add("min", series.min);
  add("median", series.median);
  add("p95", series.p95);
  add("max", series.max);
  add("by", series.delta);
  for (const auto& [reason, share] : series.shares) {
    parts.push_back(fmt::format("{} {:.3g} % of the time", reason, share * 100));
  }
  if (!series.missing.empty()) parts.push_back("missing: " + series.missing);
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace rackproof::model
