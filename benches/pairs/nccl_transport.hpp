#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "benches/kit/nccl/communicator.hpp"
#include "benches/pairs/transport.hpp"

namespace rackproof::pairs {

/// What the members of one process know of each other: set when one of them fails, so that the
/// others do not wait for it.
using Stop = std::shared_ptr<std::atomic<bool>>;

/// A transport over NCCL's send and receive, for one thread with its device current.
class NcclTransport : public Transport {
 public:
  /// Ends all that runs on its communicator, on this side alone.
  virtual void abort() = 0;
  /// Finds out where everybody is; every member must call it, before anything else.
  virtual void meet_everybody() = 0;
};

/// One of `member`'s device, which must be current. `place` says where it is; `span` is the most
/// that reserve() will be asked for, since memory is taken now; no wait is longer than `patience`
/// seconds.
std::unique_ptr<NcclTransport> make_nccl_transport(kit::nccl::Communicator member,
                                                   const std::string& place, std::int64_t span,
                                                   double patience, Stop stop);

}  // namespace rackproof::pairs
