#include "harness/warden/seal.hpp"

#include <utility>

#include "harness/support/digest.hpp"

namespace rackproof::warden {
namespace {

constexpr std::string_view kBefore = ",\"seal\":\"";
constexpr std::string_view kAfter = "\"}";
constexpr std::size_t kDigits = 16;
constexpr std::size_t kLength = kBefore.size() + kDigits + kAfter.size();

std::string digest_of(std::string_view before, std::string_view line) {
  std::string text(before);
  text += line;
  return support::sha256_hex(text).substr(0, kDigits);
}

}  // namespace

std::string Seal::sealed(std::string_view line) {
  last_ = digest_of(last_, line);
  std::string text(line.substr(0, line.size() - 1));
  return text.append(kBefore).append(last_).append(kAfter);
}

std::string_view Seal::of(std::string_view line) {
  if (line.size() <= kLength) return {};
  const std::string_view tail = line.substr(line.size() - kLength);
  if (!tail.starts_with(kBefore) || !tail.ends_with(kAfter)) return {};
  return tail.substr(kBefore.size(), kDigits);
}

std::optional<std::string> Seal::opened(std::string_view line) {
  const std::string_view seal = of(line);
  if (seal.empty()) return std::nullopt;
  const std::string before = std::exchange(last_, seal);
  std::string text(line.substr(0, line.size() - kLength));
  text += '}';
  if (digest_of(before, text) != last_) return std::nullopt;
  return text;
}

}  // namespace rackproof::warden
