#pragma once

// Catch2 3, which Debian 13 has, in the words of Catch2 2, which Debian 12 has and the tests are
// written in.
#include <catch2/catch_all.hpp>

namespace Catch {
inline auto Contains(const std::string& part) { return Matchers::ContainsSubstring(part); }
using Matchers::EndsWith;
using Matchers::Matches;
using Matchers::StartsWith;
}  // namespace Catch

using Catch::Approx;
