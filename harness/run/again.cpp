#include "harness/run/again.hpp"

#include <algorithm>

namespace rackproof::run {

bool measures(const model::Subject& own, const model::Subject& subject) {
  if (subject == own) return true;
  if (own.kind == contract::SubjectKind::kNode) {
    const bool within = subject.peer_host.empty() || subject.peer_host == own.host;
    return subject.host == own.host && within;
  }
  const auto inside = [&own](const std::string& host) {
    return std::binary_search(own.members.begin(), own.members.end(), host);
  };
  return subject.kind == contract::SubjectKind::kLink && inside(subject.host) &&
         inside(subject.peer_host);
}

}  // namespace rackproof::run
