#include "benches/kit/product/pattern.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace rackproof::product {
namespace {

constexpr std::array<const char*, 4> kNames = {"normal", "zeros", "constant", "integers"};

}  // namespace

std::vector<std::string> pattern_names() { return {kNames.begin(), kNames.end()}; }

Pattern pattern_of(std::string_view name) {
  const auto* const at = std::find(kNames.begin(), kNames.end(), name);
  if (at == kNames.end())
    throw std::invalid_argument("unknown pattern '" + std::string(name) + "'");
  return static_cast<Pattern>(at - kNames.begin());
}

}  // namespace rackproof::product
