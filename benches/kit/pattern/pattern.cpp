#include "benches/kit/pattern/pattern.hpp"

#include <fmt/format.h>

namespace rackproof::kit::pattern {

void fill(std::uint64_t* to, std::int64_t words, std::uint64_t key, std::uint64_t mask) {
  for (std::int64_t i = 0; i < words; ++i) to[i] = word(key, i) ^ mask;
}

Difference compare(const std::uint64_t* got, std::int64_t words, std::uint64_t key) {
  Difference found;
  found.compared = words;
  for (std::int64_t i = 0; i < words; ++i) {
    const std::uint64_t want = word(key, i);
    if (got[i] == want) [[likely]]
      continue;
    if (found.wrong++ > 0) continue;
    found.first = i;
    found.got = got[i];
    found.want = want;
  }
  return found;
}

std::string text_of(std::uint64_t word) { return fmt::format("{:#018x}", word); }

}  // namespace rackproof::kit::pattern
