#include "benches/steps/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "benches/kit/errors.hpp"

namespace rackproof::steps {
namespace {

constexpr std::size_t kNamed = 3;

std::vector<std::int64_t> divisors(std::int64_t of) {
  std::vector<std::int64_t> all;
  for (std::int64_t one = 1; one <= of; ++one) {
    if (of % one == 0) all.push_back(one);
  }
  return all;
}

double distance(const Layout& a, const Layout& b) {
  double sum = 0;
  for (const auto part : {&Layout::tensor, &Layout::pipeline, &Layout::data, &Layout::expert}) {
    sum += std::abs(std::log2(static_cast<double>(a.*part) / static_cast<double>(b.*part)));
  }
  return sum;
}

std::string nearest(const Layout& asked, const Card& card, std::int64_t ranks) {
  const std::vector<Layout> all = fitting_layouts(asked, card, ranks);
  if (all.empty()) return fmt::format("no layout of {} ranks fits {}", ranks, card.name);
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(kNamed, all.size()); ++i) words.push_back(text_of(all[i]));
  return fmt::format("the nearest that fit {} ranks: {}", ranks, fmt::join(words, "; "));
}

}  // namespace

std::string text_of(const Layout& layout) {
  std::string text =
      fmt::format("--tp {} --pp {} --dp {}", layout.tensor, layout.pipeline, layout.data);
  if (layout.expert > 1) text += fmt::format(" --ep {}", layout.expert);
  if (layout.sequence_parallel) text += " --sequence-parallel";
  if (layout.sharded) text += " --fsdp";
  return text;
}

Place place_of(std::int64_t rank, const Layout& layout) {
  Place place;
  place.tensor = rank % layout.tensor;
  rank /= layout.tensor;
  place.expert = rank % layout.expert;
  rank /= layout.expert;
  place.data = rank % layout.data;
  place.stage = rank / layout.data;
  return place;
}

std::int64_t rank_of(const Place& place, const Layout& layout) {
  return ((place.stage * layout.data + place.data) * layout.expert + place.expert) * layout.tensor +
         place.tensor;
}

std::string misfit(const Layout& layout, const Card& card) {
  if (layout.pipeline > card.layers) {
    return fmt::format("--pp {}: expected at most one stage a layer, and {} has {} layers",
                       layout.pipeline, card.name, card.layers);
  }
  if (card.layers % layout.pipeline != 0) {
    return fmt::format("--pp {}: expected a divisor of the {} layers of {}", layout.pipeline,
                       card.layers, card.name);
  }
  if (card.kv_heads % layout.tensor != 0) {
    return fmt::format("--tp {}: expected a divisor of the {} heads of keys and values of {}",
                       layout.tensor, card.kv_heads, card.name);
  }
  if (card.feed_forward % layout.tensor != 0) {
    return fmt::format("--tp {}: expected a divisor of the feed-forward size {} of {}",
                       layout.tensor, card.feed_forward, card.name);
  }
  if (layout.expert > 1 && card.experts == 1) {
    return fmt::format("--ep {}: expected 1, since {} has no experts", layout.expert, card.name);
  }
  if (card.experts % layout.expert != 0) {
    return fmt::format("--ep {}: expected a divisor of the {} experts of {}", layout.expert,
                       card.experts, card.name);
  }
  if (layout.sequence_parallel && layout.tensor == 1) {
    return "--sequence-parallel: expected --tp of at least 2, over which the sequence is cut";
  }
  if (!layout.sharded) return "";
  if (layout.data == 1 || layout.expert > 1) {
    return "--fsdp: expected --dp of at least 2, over which weights are cut, and no --ep";
  }
  for (const std::int64_t rows : {card.hidden / layout.tensor, card.feed_forward / layout.tensor}) {
    if (rows % layout.data == 0) continue;
    return fmt::format("--fsdp: expected --dp {} to divide the {} rows of a matrix", layout.data,
                       rows);
  }
  return "";
}

std::vector<Layout> fitting_layouts(const Layout& asked, const Card& card, std::int64_t ranks) {
  std::vector<Layout> all;
  for (const std::int64_t tensor : divisors(ranks)) {
    for (const std::int64_t pipeline : divisors(ranks / tensor)) {
      for (const std::int64_t data : divisors(ranks / tensor / pipeline)) {
        Layout layout{tensor, pipeline, data, ranks / tensor / pipeline / data, false};
        layout.sequence_parallel = asked.sequence_parallel && tensor > 1;
        layout.sharded = asked.sharded;
        if (misfit(layout, card).empty()) all.push_back(layout);
      }
    }
  }
  std::stable_sort(all.begin(), all.end(), [&](const Layout& a, const Layout& b) {
    return distance(a, asked) < distance(b, asked);
  });
  return all;
}

void demand_fit(const Layout& layout, const Card& card, std::int64_t ranks) {
  std::string why = misfit(layout, card);
  if (why.empty() && layout.ranks() != ranks) {
    why = fmt::format("{}: expected a product of {}, the number of ranks, and it is {}",
                      text_of(layout), ranks, layout.ranks());
  }
  if (!why.empty()) throw kit::UsageError(why + "; " + nearest(layout, card, ranks));
}

}  // namespace rackproof::steps
