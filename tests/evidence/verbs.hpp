#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/evidence/document.hpp"

namespace rackproof::evidence {

/// Prints what docs/evidence.md has behind its marker.
int print_page(const std::vector<Kind>& kinds);

/// Says whether the file has that, and whether nothing is judged better that must not be. 0 or 1.
int check_page(const std::vector<Kind>& kinds, const std::string& file);

/// Spoils documents of the kind of that name, and says what broke the promise. 0, 1, or 2.
int go_on_a_spree(const std::vector<Kind>& kinds, const std::string& name, int count,
                  std::uint64_t seed);

}  // namespace rackproof::evidence
