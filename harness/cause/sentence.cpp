#include "harness/cause/sentence.hpp"

#include <fmt/format.h>

#include <array>

#include "reports/model/quantity.hpp"

namespace rackproof::cause {
namespace {

constexpr const char* kNotKnown = "not known";

struct Ending {
  std::string_view text;
  std::string_view unit;
};

// The longer one first: bytes_per_second ends in no unit of a byte.
constexpr std::array<Ending, 6> kUnits = {{{"_bits_per_second", "bit/s"},
                                           {"_bytes_per_second", "B/s"},
                                           {"_bytes", "B"},
                                           {"_hertz", "Hz"},
                                           {"_watts", "W"},
                                           {"_seconds", "s"}}};

std::string series_in_words(const std::string& name, const std::string& statistic,
                            const Scene& scene) {
  if (scene.attempt == nullptr) return kNotKnown;
  for (const model::SeriesSummary& series : scene.attempt->recorded) {
    if (series.name != name || !counts(series, scene)) continue;
    if (const auto value = statistic_of(series, statistic, "")) {
      return in_words(*value, series.unit);
    }
  }
  return kNotKnown;
}

std::string word_for(const std::string& name, const Scene& scene, const Evidence& evidence) {
  if (name == "value") return evidence.value;
  if (name == "limit") return evidence.limit;
  if (name == "subject") return evidence.subject;
  if (name == "finding") return evidence.finding;
  if (name == "time") {
    return scene.attempt == nullptr ? kNotKnown : model::duration(scene.attempt->seconds);
  }
  if (const auto colon = name.find(':'); colon != std::string::npos) {
    return series_in_words(name.substr(0, colon), name.substr(colon + 1), scene);
  }
  if (scene.facts == nullptr) return kNotKnown;
  const auto fact = scene.facts->find(name);
  if (fact == scene.facts->end() || !fact->second.value) return kNotKnown;
  return fact_in_words(name, *fact->second.value);
}

}  // namespace

std::string in_words(double value, std::string_view unit) {
  if (unit == "1" || unit.empty()) return fmt::format("{:.6g}", value);
  if (unit == "bit/s") return fmt::format("{:.4g} Gbit/s", value * 1e-9);
  return model::quantity(value, unit);
}

std::string fact_in_words(const std::string& name, const contract::Scalar& value) {
  const auto* whole = std::get_if<std::int64_t>(&value);
  const auto* real = std::get_if<double>(&value);
  if (whole == nullptr && real == nullptr) return model::to_text(value);
  const double number = whole != nullptr ? static_cast<double>(*whole) : *real;
  for (const auto& [ending, unit] : kUnits) {
    if (name.ends_with(ending)) return in_words(number, unit);
  }
  return in_words(number, "1");
}

std::string sentence(const std::string& say, const Scene& scene, const Evidence& evidence) {
  std::string text;
  std::size_t at = 0;
  while (at < say.size()) {
    const std::size_t open = say.find('{', at);
    const std::size_t close = open == std::string::npos ? open : say.find('}', open);
    if (close == std::string::npos) break;
    text += say.substr(at, open - at);
    text += word_for(say.substr(open + 1, close - open - 1), scene, evidence);
    at = close + 1;
  }
  return text + say.substr(at);
}

}  // namespace rackproof::cause
