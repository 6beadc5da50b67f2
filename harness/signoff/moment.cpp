#include "harness/signoff/moment.hpp"

namespace rackproof::signoff {

std::string moment_of(const std::string& utc) {
  constexpr std::size_t kMomentDigits = 14;
  std::string digits;
  for (const char c : utc) {
    if (c >= '0' && c <= '9' && digits.size() < kMomentDigits) digits += c;
  }
  return digits + "Z";
}

}  // namespace rackproof::signoff
