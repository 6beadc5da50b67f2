#pragma once

#include <array>

#include "contract/words.hpp"

namespace rackproof::contract {

/// Which way a number is good.
enum class Better { kMore, kLess };

inline constexpr std::array kBetterWords = {Word{Better::kMore, "more"},
                                            Word{Better::kLess, "less"}};
constexpr const auto& words_of(Better) { return kBetterWords; }

}  // namespace rackproof::contract
