#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rackproof::kit::nccl {

/// What ncclGetUniqueId makes: opaque bytes that name a listener in the process that made them.
inline constexpr std::size_t kIdBytes = 128;
using Id = std::array<char, kIdBytes>;

/// The name of the token that carries ids, in its record and on the line that members read.
inline constexpr const char* kTokenName = "nccl";

/// From so many ranks on several ids are used (ncclCommInitRankScalable): with one, its listener
/// speaks with every rank in turn.
inline constexpr int kScalableRanks = 128;

/// How many ids a group of `ranks` uses: one below kScalableRanks, then one for each 64 ranks, and
/// never more than a token can carry.
int ids_for(int ranks);

/// "nccl1:<hex>": the value of a token.
std::string to_token(const std::vector<Id>& ids);

/// The ids in such a value. Throws UsageError with what is wrong: another header, an odd, short or
/// long number of digits, a letter that is no digit, or another number of ids than `wanted`.
std::vector<Id> from_token(std::string_view value, int wanted);

}  // namespace rackproof::kit::nccl
