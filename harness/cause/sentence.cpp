#include "harness/cause/sentence.hpp"

#include <fmt/format.h>

#include "reports/catalogue/fact_words.hpp"
#include "reports/model/quantity.hpp"

namespace rackproof::cause {
namespace {

constexpr const char* kNotKnown = "not known";

std::string series_in_words(const std::string& name, const std::string& statistic,
                            const Scene& scene) {
  if (scene.attempt == nullptr) return kNotKnown;
  for (const model::SeriesSummary& series : scene.attempt->recorded) {
    if (series.name != name || !counts(series, scene)) continue;
    if (const auto value = statistic_of(series, statistic, "")) {
      return catalogue::in_words(*value, series.unit);
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
  return catalogue::fact_in_words(name, *fact->second.value);
}

}  // namespace

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
