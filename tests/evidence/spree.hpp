#pragma once

#include <cstdint>
#include <string>

#include "tests/evidence/document.hpp"

namespace rackproof::evidence {

/// Spoils values of random documents, up to four at once, `count` times, and never the evidence of
/// what is wrong or what says which suite and table it was judged by. Returns what broke the
/// promise that evidence which gets worse is never judged better; empty when nothing did.
std::string spree(const Kind& kind, std::uint64_t seed, int count);

}  // namespace rackproof::evidence
