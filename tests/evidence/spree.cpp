#include "tests/evidence/spree.hpp"

#include <fmt/format.h>

#include <random>

#include "tests/evidence/spoil.hpp"

namespace rackproof::evidence {
namespace {

constexpr int kAtOnce = 4;

class Spree {
 public:
  Spree(const Kind& kind, std::uint64_t seed) : kind_(kind), random_(seed) {
    for (const Document& document : kind.documents) {
      places_.emplace_back();
      for (std::string& place : places_in(document.content)) {
        if (!document.is_the_evidence(place)) places_.back().push_back(std::move(place));
      }
    }
  }

  /// What broke the promise.
  std::string one() {
    const std::size_t which = below(kind_.documents.size());
    const Document& document = kind_.documents[which];
    if (places_[which].empty()) return "";
    nlohmann::json content = document.content;
    std::string done;
    const std::size_t times = 1 + below(kAtOnce);
    for (std::size_t i = 0; i < times; ++i) {
      const std::string& place = places_[which][below(places_[which].size())];
      const Spoil spoil = kSpoils.at(below(kSpoils.size()));
      auto spoilt = spoiled(content, place, spoil);
      if (!spoilt) continue;
      content = std::move(*spoilt);
      done += fmt::format("{}{} {}", done.empty() ? "" : ", ", place, word(spoil));
    }
    try {
      const Fate fate = document.take(text_of(content));
      if (!judged_better(document, fate)) return "";
      return fmt::format("{}, scene {}: {}: {}", kind_.name, static_cast<int>(document.ill), done,
                         fate.accepted() ? "accepted" : "the bad cell passed");
    } catch (const std::exception& error) {
      return fmt::format("{}, scene {}: {}: {}", kind_.name, static_cast<int>(document.ill), done,
                         error.what());
    }
  }

 private:
  std::size_t below(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
  }

  const Kind& kind_;
  std::mt19937_64 random_;
  std::vector<std::vector<std::string>> places_;
};

}  // namespace

std::string spree(const Kind& kind, std::uint64_t seed, int count) {
  Spree all(kind, seed);
  for (int i = 0; i < count; ++i) {
    if (std::string broken = all.one(); !broken.empty()) return broken;
  }
  return "";
}

}  // namespace rackproof::evidence
