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
#include "benches/kit/nccl/group.hpp"
#include "benches/pairs/nccl_transport.hpp"

namespace rackproof::pairs {
namespace {

using kit::cuda::Device;
using Transports = std::vector<std::unique_ptr<NcclTransport>>;

// What the threads of the other members have to say: nothing.
class NullSession final : public kit::Session {
 public:
  explicit NullSession(std::optional<kit::Injection> injection) : injection_(injection) {}

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
      NullSession silent(session.injection());
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

void run(const NcclSettings& settings, kit::Session& session) {
  const kit::nccl::Membership& membership = settings.group.membership;
  kit::nccl::validate(membership);
  const std::int64_t span = span_of(specs_of(settings.config));
  const std::vector<Device> devices = kit::nccl::choose_devices(settings.group);
  for (const Device& device : devices) session.device(kit::cuda::to_record(device));
  if (settings.group.ranks(devices) < 2) throw kit::Unavailable("one GPU alone makes no pair");

  const kit::nccl::LogFile log;
  std::vector<kit::nccl::Communicator> members =
      kit::nccl::bring_up(settings.group, devices, session);
  const Stop stop = std::make_shared<std::atomic<bool>>(false);
  Transports transports;
  for (std::size_t i = 0; i < members.size(); ++i) {
    use(devices[i].index);
    transports.push_back(make_nccl_transport(std::move(members[i]),
                                             fmt::format("{} {}", host_name(), devices[i].uuid),
                                             span, settings.group.patience_seconds, stop));
  }
  if (membership.supervised()) {
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
  if (membership.rank == 0) {
    kit::nccl::note_log(log, kit::nccl::parse_log(log.text()), session);
  }
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
    kit::nccl::declare(options, settings.group);
  };
  bench.libraries = kit::nccl::group_libraries;
  bench.run = [&settings](kit::Session& session) { run(settings, session); };
  return bench;
}

}  // namespace rackproof::pairs
