// evidence page: what docs/evidence.md has behind its marker.
// evidence check FILE: whether it has, and whether nothing is judged better that must not be.
// evidence spree KIND COUNT [SEED]: COUNT spoiled documents; exit 1 when one is judged better.
#include <fmt/format.h>

#include <cstdlib>

#include "tests/evidence/verbs.hpp"

using namespace rackproof::evidence;

int main(int argc, char** argv) try {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const std::string verb = words.empty() ? "" : words[0];
  const Installation installation;
  const std::vector<Kind> all = kinds(scenes(installation), installation);
  if (verb == "page" && words.size() == 1) return print_page(all);
  if (verb == "check" && words.size() == 2) return check_page(all, words[1]);
  if (verb == "spree" && (words.size() == 3 || words.size() == 4)) {
    const std::uint64_t seed = words.size() == 4 ? std::strtoull(words[3].c_str(), nullptr, 10) : 1;
    return go_on_a_spree(all, words[1], std::atoi(words[2].c_str()), seed);
  }
  fmt::print(stderr, "usage: evidence page | check FILE | spree KIND COUNT [SEED]\n");
  return 2;
} catch (const std::exception& error) {
  fmt::print(stderr, "evidence: {}\n", error.what());
  return 1;
}
