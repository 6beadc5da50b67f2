#pragma once

#include <span>
#include <string_view>

#include "tests/evidence/spoil.hpp"

namespace rackproof::evidence {

/// A spoil that is judged better, and rightly so.
struct Allowed {
  std::string_view kind;
  std::string_view pattern;
  Spoil spoil;
  std::string_view why;
};

std::span<const Allowed> allowed();

}  // namespace rackproof::evidence
