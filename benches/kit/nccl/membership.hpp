#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "benches/kit/nccl/ids.hpp"
#include "benches/kit/options.hpp"
#include "benches/kit/session.hpp"

namespace rackproof::kit::nccl {

/// Which member of which group this process is, as its command line says. Without --ranks the
/// process is no member: it makes up a group of its own out of the devices it has.
struct Membership {
  std::int64_t ranks = 0;
  std::int64_t rank = 0;
  double bring_up_seconds = 120;

  bool supervised() const { return ranks > 0; }
};

/// Adds --ranks, --rank and --bring-up.
void declare(Options& options, Membership& membership);

/// Throws UsageError for a rank outside its group, or one without a group.
void validate(const Membership& membership);

/// The ids of the group. Member 0 makes them with `make` and says them as a token; the others read
/// the line of docs/protocol.md, "Groups", from `descriptor` and wait at most until the bring-up
/// deadline. Throws UsageError for a line that is malformed, short or of another group, and
/// GaveUp when none came in time.
std::vector<Id> exchange_ids(const Membership& membership, Session& session, int descriptor,
                             const std::function<std::vector<Id>(int count)>& make);

/// All bytes up to the end of file, 64 KiB at most. Throws GaveUp when it has not come after
/// `seconds`.
std::string read_to_end(int descriptor, double seconds);

}  // namespace rackproof::kit::nccl
