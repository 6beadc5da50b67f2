#include "benches/pairs/nccl.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "benches/kit/cuda/check.hpp"
#include "benches/kit/cuda/device.hpp"
#include "benches/kit/errors.hpp"
#include "benches/kit/nccl/communicator.hpp"
#include "benches/kit/nccl/library.hpp"
#include "benches/kit/nccl/log.hpp"
#include "benches/kit/nccl/log_file.hpp"
#include "benches/pairs/nccl_transport.hpp"

namespace rackproof::pairs {
namespace {

using kit::cuda::Device;
using Transports = std::vector<std::unique_ptr<NcclTransport>>;

// What the threads of the other members have to say: nothing.
class Silent final : public kit::Session {
 public:
  explicit Silent(std::optional<kit::Injection> injection) : injection_(injection) {}

  void device(protocol::Device /*record*/) override {}
  void token(protocol::Token /*record*/) override {}
  void phase(std::string /*name*/, double /*fraction*/) override {}
  void check(protocol::Check /*record*/) override {}
  void metric(protocol::Metric /*record*/) override {}
  void note(std::string /*text*/, contract::Parameters /*facts*/) override {}
  std::optional<kit::Injection> injection() const override { return injection_; }

 private:
  std::optional<kit::Injection> injection_;
};

std::vector<Device> choose_devices(const NcclSettings& settings) {
  if (settings.membership.supervised() || !settings.device.empty()) {
    return {kit::cuda::select(settings.device)};
  }
  return kit::cuda::devices();
}

std::string host_name() {
  std::array<char, 128> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

void use(int device) { RACKPROOF_CUDA(cudaSetDevice(device)); }

// Each member on a thread of its own: the calls of a match wait for the partner. The first failure
// is thrown again, after the others were told.
void measure_on_threads(Transports& transports, const std::vector<Device>& devices,
                        const Config& config, const Stop& stop, kit::Session& session) {
  std::mutex mutex;
  std::exception_ptr first;
  const auto member = [&](std::size_t i) {
    try {
      use(devices[i].index);
      Silent silent(session.injection());
      transports[i]->meet_everybody();
      measure(*transports[i], config, i == 0 ? session : static_cast<kit::Session&>(silent));
    } catch (...) {
      {
        const std::lock_guard lock(mutex);
        if (!first) first = std::current_exception();
      }
      stop->store(true);
      transports[i]->abort();
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < transports.size(); ++i) threads.emplace_back(member, i);
  for (std::thread& thread : threads) thread.join();
  if (first) std::rethrow_exception(first);
}

void say_log(const kit::nccl::LogFile& log, kit::Session& session) {
  if (!log.works()) {
    session.note("NCCL's log is not read: NCCL_DEBUG is set, or there is no folder for a file");
    return;
  }
  session.note("what NCCL made of the group",
               kit::nccl::to_facts(kit::nccl::parse_log(log.text())));
}

void run(const NcclSettings& settings, kit::Session& session) {
  const kit::nccl::Membership& membership = settings.membership;
  kit::nccl::validate(membership);
  const std::int64_t span = span_of(specs_of(settings.config));
  const std::vector<Device> devices = choose_devices(settings);
  kit::nccl::require_library();
  const bool supervised = membership.supervised();
  const int ranks =
      supervised ? static_cast<int>(membership.ranks) : static_cast<int>(devices.size());
  for (const Device& device : devices) session.device(kit::cuda::to_record(device));
  if (ranks < 2) throw kit::Unavailable("one GPU alone makes no pair");

  const kit::nccl::LogFile log;
  const std::vector<kit::nccl::Id> ids =
      supervised ? kit::nccl::exchange_ids(membership, session, STDIN_FILENO, kit::nccl::make_ids)
                 : kit::nccl::make_ids(kit::nccl::ids_for(ranks));
  std::vector<int> indices;
  for (const Device& device : devices) indices.push_back(device.index);
  session.phase("bringing up the group", 0);
  std::vector<kit::nccl::Communicator> members;
  session.progress().begin("bringing up the group", 0);
  session.progress().exchange([&] {
    members = kit::nccl::bring_up(indices, static_cast<int>(membership.rank), ranks, ids,
                                  membership.bring_up_seconds);
  });
  const Stop stop = std::make_shared<std::atomic<bool>>(false);
  Transports transports;
  for (std::size_t i = 0; i < members.size(); ++i) {
    use(devices[i].index);
    transports.push_back(make_nccl_transport(std::move(members[i]),
                                             fmt::format("{} {}", host_name(), devices[i].uuid),
                                             span, settings.patience_seconds, stop));
  }
  if (supervised) {
    // Before anything is freed, which would wait for a kernel of NCCL that waits for a peer.
    try {
      session.progress().exchange([&] { transports.front()->meet_everybody(); });
      measure(*transports.front(), settings.config, session);
    } catch (...) {
      transports.front()->abort();
      throw;
    }
  } else {
    measure_on_threads(transports, devices, settings.config, stop, session);
  }
  if (membership.rank == 0) say_log(log, session);
}

}  // namespace

kit::Bench nccl_bench(NcclSettings& settings) {
  settings.config.window = kDeviceWindow;
  kit::Bench bench;
  bench.name = "pairs";
  bench.backend = "nccl";
  bench.summary = "Bandwidth and latency between every two GPUs over NCCL, every word proved.";
  bench.example = "pairs-nccl --sizes 8,16M";
  bench.declare = [&settings](kit::Options& options) {
    declare(options, settings.config);
    kit::nccl::declare(options, settings.membership);
    options.text(
        "device", settings.device,
        "the GPU of this member: an index, GPU-<uuid> or MIG-<uuid>; by hand all are used");
    options.number("patience", settings.patience_seconds, 1, 86'400,
                   "seconds for any wait once the group is up, before it is aborted");
  };
  bench.libraries = [] {
    std::map<std::string, std::string> all = kit::cuda::libraries();
    all.merge(kit::nccl::libraries());
    return all;
  };
  bench.run = [&settings](kit::Session& session) { run(settings, session); };
  return bench;
}

}  // namespace rackproof::pairs
