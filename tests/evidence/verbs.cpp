#include "tests/evidence/verbs.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "tests/evidence/fates.hpp"
#include "tests/evidence/page.hpp"
#include "tests/evidence/spree.hpp"

namespace rackproof::evidence {
namespace {

// The same lines, but for what stands in rows that were skipped.
bool is_page(const std::string& found, const std::string& made) {
  std::istringstream there(found);
  std::istringstream here(made);
  std::string mine;
  for (std::string line; std::getline(there, line);) {
    if (!std::getline(here, mine)) return false;
    const bool skipped = mine.ends_with(kSkipped);
    if (skipped ? !line.starts_with(mine.substr(0, mine.size() - kSkipped.size())) : line != mine) {
      return false;
    }
  }
  return !std::getline(here, mine);
}

}  // namespace

int print_page(const std::vector<Kind>& kinds) {
  fmt::print("{}", make_page(kinds).text);
  return 0;
}

int check_page(const std::vector<Kind>& kinds, const std::string& file) {
  const Page page = make_page(kinds);
  for (const std::string& problem : page.problems) fmt::print("{}\n", problem);
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  const std::string whole = text.str();
  const std::size_t marker = whole.find(kMarker);
  const bool same = marker != std::string::npos &&
                    is_page(whole.substr(marker + std::string(kMarker).size()), page.text);
  if (!same) fmt::print("{}: is not what `evidence page` prints\n", file);
  return same && page.problems.empty() ? 0 : 1;
}

int go_on_a_spree(const std::vector<Kind>& kinds, const std::string& name, int count,
                  std::uint64_t seed) {
  for (const Kind& kind : kinds) {
    if (kind.name != name) continue;
    const std::string broken = spree(kind, seed, count);
    fmt::print("{}{} spoiled documents\n", broken.empty() ? "" : broken + "\n", count);
    return broken.empty() ? 0 : 1;
  }
  fmt::print(stderr, "evidence: no kind '{}'\n", name);
  return 2;
}

}  // namespace rackproof::evidence
