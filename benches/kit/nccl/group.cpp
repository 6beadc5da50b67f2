#include "benches/kit/nccl/group.hpp"

#include <unistd.h>

#include "benches/kit/nccl/library.hpp"

namespace rackproof::kit::nccl {

int GroupSettings::ranks(const std::vector<cuda::Device>& devices) const {
  return membership.supervised() ? static_cast<int>(membership.ranks)
                                 : static_cast<int>(devices.size());
}

void declare(Options& options, GroupSettings& settings) {
  declare(options, settings.membership);
  options.text("device", settings.device,
               "which GPU: an index, GPU-<uuid> or MIG-<uuid>; by hand all of them when left out");
  options.number("patience", settings.patience_seconds, 1, 86'400,
                 "seconds for any wait once the group is up, before it is aborted");
}

std::map<std::string, std::string> group_libraries() {
  std::map<std::string, std::string> all = cuda::libraries();
  all.merge(libraries());
  return all;
}

std::vector<cuda::Device> choose_devices(const GroupSettings& settings) {
  const bool one = settings.membership.supervised() || !settings.device.empty();
  std::vector<cuda::Device> devices =
      one ? std::vector{cuda::select(settings.device)} : cuda::devices();
  require_library();
  return devices;
}

std::vector<Communicator> bring_up(const GroupSettings& settings,
                                   const std::vector<cuda::Device>& devices, Session& session,
                                   BringUp* times) {
  const Membership& membership = settings.membership;
  const int ranks = settings.ranks(devices);
  const std::vector<Id> ids = membership.supervised()
                                  ? exchange_ids(membership, session, STDIN_FILENO, make_ids)
                                  : make_ids(ids_for(ranks));
  std::vector<int> indices;
  for (const cuda::Device& device : devices) indices.push_back(device.index);
  session.phase("bringing up the group", 0);
  std::vector<Communicator> members;
  session.progress().begin("bringing up the group", 0);
  session.progress().exchange([&] {
    members = bring_up(indices, static_cast<int>(membership.rank), ranks, ids,
                       membership.bring_up_seconds, times);
  });
  return members;
}

contract::Parameters note_log(const LogFile& file, const Log& log, Session& session) {
  if (!file.works()) {
    session.note("NCCL's log is not read: NCCL_DEBUG is set, or there is no folder for a file");
    return {};
  }
  contract::Parameters facts = to_facts(log);
  session.note("what NCCL made of the group", facts);
  return facts;
}

}  // namespace rackproof::kit::nccl
