#include "harness/job/accepted_claims.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/support/errors.hpp"

namespace rackproof::job {

std::map<std::string, std::string> parse_accepted_claims(const std::vector<std::string>& texts,
                                                         const std::vector<std::string>& claims) {
  std::map<std::string, std::string> accepted;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      throw support::UsageError("--accept-unjudged " + text + ": expected CLAIM=REASON");
    }
    const std::string id = text.substr(0, equals);
    if (std::find(claims.begin(), claims.end(), id) == claims.end()) {
      throw support::UsageError(
          fmt::format("--accept-unjudged {}: the suite claims no '{}'; expected one of {}", text,
                      id, fmt::join(claims, ", ")));
    }
    if (!accepted.emplace(id, text.substr(equals + 1)).second) {
      throw support::UsageError("--accept-unjudged: the claim '" + id + "' is given twice");
    }
  }
  return accepted;
}

}  // namespace rackproof::job
