#pragma once

#include <string>

#include "benches/steps/card.hpp"

namespace rackproof::test {

/// A shipped card, from the source tree.
inline steps::Card shipped_card(const std::string& name) {
  return steps::load_card(name, {std::string(RACKPROOF_SOURCE_DIR) + "/cards"});
}

}  // namespace rackproof::test
