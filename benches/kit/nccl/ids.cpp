#include "benches/kit/nccl/ids.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "benches/kit/errors.hpp"

namespace rackproof::kit::nccl {
namespace {

constexpr std::string_view kHeader = "nccl1:";
constexpr std::string_view kDigits = "0123456789abcdef";

// A token's value has room for 16384 characters.
constexpr int kMostIds =
    (16384 - static_cast<int>(kHeader.size())) / (2 * static_cast<int>(kIdBytes));
constexpr int kRanksPerId = 64;

unsigned digit(char c) {
  const auto at = kDigits.find(c);
  if (at == std::string_view::npos) {
    throw UsageError(
        "the token is malformed: an NCCL id has hexadecimal digits in lower case alone");
  }
  return static_cast<unsigned>(at);
}

}  // namespace

int ids_for(int ranks) {
  if (ranks < kScalableRanks) return 1;
  return std::min((ranks + kRanksPerId - 1) / kRanksPerId, kMostIds);
}

std::string to_token(const std::vector<Id>& ids) {
  std::string value(kHeader);
  for (const Id& id : ids) {
    for (const char c : id) {
      const auto byte = static_cast<unsigned char>(c);
      value += kDigits[byte >> 4];
      value += kDigits[byte & 15];
    }
  }
  return value;
}

std::vector<Id> from_token(std::string_view value, int wanted) {
  if (!value.starts_with(kHeader)) {
    throw UsageError(fmt::format("the token is malformed: it does not begin with '{}'", kHeader));
  }
  value.remove_prefix(kHeader.size());
  const std::size_t digits = 2 * kIdBytes * static_cast<std::size_t>(wanted);
  if (value.size() != digits) {
    throw UsageError(fmt::format(
        "the token is {}: {} hexadecimal digits where {} NCCL id{} of this group size {} {}",
        value.size() < digits ? "short" : "too long", value.size(), wanted, wanted == 1 ? "" : "s",
        wanted == 1 ? "has" : "have", digits));
  }
  std::vector<Id> ids(static_cast<std::size_t>(wanted));
  for (std::size_t i = 0; i < digits / 2; ++i) {
    const unsigned byte = digit(value[2 * i]) << 4 | digit(value[2 * i + 1]);
    ids[i / kIdBytes][i % kIdBytes] = static_cast<char>(byte);
  }
  return ids;
}

}  // namespace rackproof::kit::nccl
