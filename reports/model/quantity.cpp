#include "reports/model/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "contract/unit.hpp"

namespace rackproof::model {
namespace {

using contract::Scaling;

struct Scale {
  double factor;
  std::string_view prefix;
};

constexpr std::array<Scale, 7> kLarge = {
    {{1e18, "E"}, {1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}}};
constexpr std::array<Scale, 10> kBothWays = {{{1e18, "E"},
                                              {1e15, "P"},
                                              {1e12, "T"},
                                              {1e9, "G"},
                                              {1e6, "M"},
                                              {1e3, "k"},
                                              {1, ""},
                                              {1e-3, "m"},
                                              {1e-6, "u"},
                                              {1e-9, "n"}}};
// The names stand for the whole unit here.
constexpr std::array<Scale, 6> kTime = {
    {{3600, "h"}, {60, "min"}, {1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}}};

double four_digits(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double exponent = std::floor(std::log10(std::fabs(value)));
  const double step = std::pow(10.0, 3 - exponent);
  // Tiny and huge numbers leave no room for the step; they are not scaled sensibly anyway.
  if (!std::isfinite(step) || step == 0) return value;
  return std::round(value * step) / step;
}

// The first scale that the rounded number reaches, so that 999.96 G becomes 1 T and not 1000 G.
const Scale& choose(double rounded, std::span<const Scale> scales) {
  const double size = std::fabs(rounded);
  for (const Scale& scale : scales) {
    if (size >= scale.factor * (1 - 1e-12)) return scale;
  }
  return scales.back();
}

std::string prefixed(double value, std::string_view unit, std::span<const Scale> scales) {
  if (value == 0) return fmt::format("0 {}", unit);
  const Scale& scale = choose(four_digits(value), scales);
  return fmt::format("{:.4g} {}{}", value / scale.factor, scale.prefix, unit);
}

std::string time_text(double value) {
  if (value == 0) return "0 s";
  const double size = std::fabs(four_digits(value));
  // Minutes start at two and hours at two, so that 90 s stays 90 s.
  std::span<const Scale> scales = kTime;
  if (size < 7200) scales = scales.subspan(1);
  if (size < 120) scales = scales.subspan(1);
  const Scale& scale = choose(four_digits(value), scales);
  return fmt::format("{:.4g} {}", value / scale.factor, scale.prefix);
}

std::string bytes_text(double value) {
  constexpr std::array<std::string_view, 6> kBinary = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  constexpr double kExact = 9007199254740992.0;  // whole doubles are exact up to here
  const double size = std::fabs(value);
  if (size >= 1024 && size <= kExact && std::floor(size) == size) {
    double divided = value;
    int power = 0;
    while (std::fmod(divided, 1024) == 0 && power < static_cast<int>(kBinary.size())) {
      divided /= 1024;
      ++power;
    }
    if (power > 0 && std::fabs(divided) < 10000) {
      return fmt::format("{:.0f} {}", divided, kBinary[static_cast<std::size_t>(power - 1)]);
    }
  }
  return prefixed(value, "B", kLarge);
}

}  // namespace

std::string quantity(double value, std::string_view unit) {
  if (unit.empty()) unit = "(no unit)";
  if (!std::isfinite(value)) return fmt::format("{} {}", value, unit);
  const auto known = contract::find_base_unit(unit);
  switch (known ? known->scaling : Scaling::kNone) {
    case Scaling::kBytes:
      return bytes_text(value);
    case Scaling::kTime:
      return time_text(value);
    case Scaling::kPercent:
      return fmt::format("{:.4g} %", value * 100);
    case Scaling::kBothWays:
      return prefixed(value, unit, kBothWays);
    case Scaling::kThousands:
      return prefixed(value, unit, kLarge);
    case Scaling::kCount:
      if (std::floor(value) != value || std::fabs(value) >= 1e15) break;
      return fmt::format("{:.0f} {}", value, unit);
    case Scaling::kNone:
      break;
  }
  return fmt::format("{:.4g} {}", value, unit);
}

std::string size(std::int64_t bytes) {
  constexpr std::string_view kPrefixes = "KMGT";
  constexpr std::int64_t kStep = 1024;
  std::string_view prefix;
  for (std::size_t i = 0; i < kPrefixes.size() && bytes != 0 && bytes % kStep == 0; ++i) {
    bytes /= kStep;
    prefix = kPrefixes.substr(i, 1);
  }
  return fmt::format("{}{}", bytes, prefix);
}

std::string duration(double seconds) {
  if (!std::isfinite(seconds)) return fmt::format("{} s", seconds);
  if (seconds < 0) return "-" + duration(-seconds);
  if (seconds < 0.1) return time_text(seconds);
  if (seconds < 9.95) return fmt::format("{:.2g} s", seconds);
  if (seconds >= 1e15) return fmt::format("{:.4g} s", seconds);
  const auto whole = static_cast<long long>(std::llround(seconds));
  struct Unit {
    long long size;
    std::string_view name;
  };
  constexpr std::array<Unit, 4> kUnits = {{{86400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}}};
  for (std::size_t i = 0; i + 1 < kUnits.size(); ++i) {
    if (whole < kUnits[i].size) continue;
    const long long rest = whole % kUnits[i].size / kUnits[i + 1].size;
    const std::string first = fmt::format("{} {}", whole / kUnits[i].size, kUnits[i].name);
    return rest == 0 ? first : fmt::format("{} {} {}", first, rest, kUnits[i + 1].name);
  }
  return fmt::format("{} s", whole);
}

}  // namespace rackproof::model
