#include "benches/kit/nccl/membership.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <variant>

#include "benches/kit/clock.hpp"
#include "benches/kit/errors.hpp"
#include "benches/protocol/token_line.hpp"

namespace rackproof::kit::nccl {
namespace {

constexpr std::int64_t kMostRanks = 1 << 20;
constexpr std::size_t kMostBytes = 64 * 1024;

std::string group_name() {
  const char* name = std::getenv(protocol::kGroupVariable);
  return name == nullptr ? protocol::kGroupByHand : name;
}

std::vector<Id> read_ids(const Membership& membership, int descriptor) {
  const int ranks = static_cast<int>(membership.ranks);
  const std::string line = read_to_end(descriptor, membership.bring_up_seconds);
  const auto read = protocol::read_token_line(line, group_name(), ranks);
  if (const auto* problem = std::get_if<std::string>(&read)) throw UsageError(*problem);
  const auto& token = std::get<protocol::Token>(read);
  if (token.name != kTokenName) {
    throw UsageError(
        fmt::format("the token on stdin is '{}', this bench needs '{}'", token.name, kTokenName));
  }
  return from_token(token.value, ids_for(ranks));
}

}  // namespace

void declare(Options& options, Membership& membership) {
  options.integer("ranks", membership.ranks, 1, kMostRanks,
                  "members of the group that this process is one of; without it the process "
                  "measures over the devices it has");
  options.integer("rank", membership.rank, 0, kMostRanks - 1,
                  "which member; 0 says the token that the others read from stdin");
  options.number("bring-up", membership.bring_up_seconds, 1, 86'400,
                 "seconds for all members to come together");
}

void validate(const Membership& membership) {
  if (!membership.supervised() && membership.rank > 0) {
    throw UsageError(fmt::format("--rank {} without --ranks", membership.rank));
  }
  if (membership.supervised() && membership.rank >= membership.ranks) {
    throw UsageError(fmt::format("--rank {} is outside of a group of {}: expected 0 to {}",
                                 membership.rank, membership.ranks, membership.ranks - 1));
  }
}

std::vector<Id> exchange_ids(const Membership& membership, Session& session, int descriptor,
                             const std::function<std::vector<Id>(int count)>& make) {
  if (membership.rank > 0) return read_ids(membership, descriptor);
  std::vector<Id> ids = make(ids_for(static_cast<int>(membership.ranks)));
  if (membership.ranks > 1) session.token({kTokenName, to_token(ids)});
  return ids;
}

std::string read_to_end(int descriptor, double seconds) {
  const double end = now_seconds() + seconds;
  std::string bytes;
  std::array<char, 4096> part{};
  while (bytes.size() < kMostBytes) {
    const double left = end - now_seconds();
    if (left <= 0) {
      throw GaveUp(fmt::format("no token came on stdin within {:g} s of bring-up", seconds));
    }
    pollfd wait{descriptor, POLLIN, 0};
    const int ready = poll(&wait, 1, static_cast<int>(std::min(std::ceil(left * 1e3), 1e6)));
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t got = ready < 0 ? -1 : read(descriptor, part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw UsageError("stdin cannot be read: the token was to come there");
    if (got == 0) break;
    bytes.append(part.data(), static_cast<std::size_t>(got));
  }
  return bytes;
}

}  // namespace rackproof::kit::nccl
