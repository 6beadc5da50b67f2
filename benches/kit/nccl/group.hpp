#pragma once

#include <map>
#include <string>
#include <vector>

#include "benches/kit/cuda/device.hpp"
#include "benches/kit/nccl/communicator.hpp"
#include "benches/kit/nccl/log.hpp"
#include "benches/kit/nccl/log_file.hpp"
#include "benches/kit/nccl/membership.hpp"

/// How a bench over a group of GPUs comes to its communicators.
namespace rackproof::kit::nccl {

/// What the command line of such a bench says of the group.
struct GroupSettings {
  Membership membership;
  std::string device;            ///< by hand without it: every device of this process
  double patience_seconds = 60;  ///< for any wait once the group is up

  /// Ranks of the group, which drives `devices` here.
  int ranks(const std::vector<cuda::Device>& devices) const;
};

/// Adds the options of Membership, --device and --patience.
void declare(Options& options, GroupSettings& settings);

/// Of CUDA and of NCCL, as loaded.
std::map<std::string, std::string> group_libraries();

/// The devices of this process's members: the one that was asked for, or by hand all of them.
/// Throws as cuda::select() does, and Unavailable without NCCL.
std::vector<cuda::Device> choose_devices(const GroupSettings& settings);

/// The members of this process, one on each of `devices`, after the ids were exchanged; see
/// bring_up() in communicator.hpp. A log of NCCL is opened before.
std::vector<Communicator> bring_up(const GroupSettings& settings,
                                   const std::vector<cuda::Device>& devices, Session& session,
                                   BringUp* times = nullptr);

/// Says what NCCL's log tells of the group, or that it is not read, and gives the facts of it: none
/// in that case.
contract::Parameters note_log(const LogFile& file, const Log& log, Session& session);

}  // namespace rackproof::kit::nccl
