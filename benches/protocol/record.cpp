#include "benches/protocol/record.hpp"

namespace rackproof::protocol {

bool is_digest(std::string_view text) {
  return !text.empty() && text.size() <= kMaxDigestLetters &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace rackproof::protocol
