#include "harness/document/nearest.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace rackproof::document {
namespace {

constexpr std::size_t kLongestCompared = 64;

// Edits between two words, a swap of neighbours counted once (optimal string alignment).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before;
  std::vector<std::size_t> last(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::vector<std::size_t> row(b.size() + 1);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({changed, last[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::move(last);
    last = std::move(row);
  }
  return last.back();
}

bool same_letter(char a, char b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : int{c}; };
  return lower(a) == lower(b);
}

bool same_but_for_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_letter);
}

// Of a word that is part of some names: "h100" of h100-sxm and dgx-h100. Too few letters are part
// of anything.
std::vector<std::string_view> names_with(std::string_view word,
                                         const std::vector<std::string_view>& candidates) {
  constexpr std::size_t kFewestLetters = 3;
  std::vector<std::string_view> names;
  if (word.size() < kFewestLetters) return names;
  std::copy_if(
      candidates.begin(), candidates.end(), std::back_inserter(names), [&](std::string_view name) {
        return std::search(name.begin(), name.end(), word.begin(), word.end(), same_letter) !=
               name.end();
      });
  return names;
}

std::string listed(const std::string& before, const std::vector<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) {
    text += text.empty() ? before : ", ";
    text += name;
  }
  return text;
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
  if (word.size() > kLongestCompared) return {};
  for (const std::string_view candidate : candidates) {
    if (same_but_for_case(word, candidate)) return std::string(candidate);
  }
  std::string_view best;
  std::size_t least = std::max<std::size_t>(word.size() / 3, 1) + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t edits = distance(word, candidate);
    if (edits < least && edits < candidate.size()) {
      least = edits;
      best = candidate;
    }
  }
  return std::string(best);
}

std::string hint(std::string_view word, const std::vector<std::string_view>& candidates) {
  if (const std::string near = nearest(word, candidates); !near.empty()) {
    return "; did you mean '" + near + "'?";
  }
  const std::vector<std::string_view> names = names_with(word, candidates);
  return names.empty() ? "" : listed("; did you mean one of ", names) + "?";
}

std::string suggestion(std::string_view word, const std::vector<std::string_view>& candidates) {
  const std::string text = hint(word, candidates);
  return text.empty() ? listed("; expected one of ", candidates) : text;
}

}  // namespace rackproof::document
