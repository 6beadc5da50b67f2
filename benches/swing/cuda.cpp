#include "benches/swing/cuda.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "benches/kit/cublas/api.hpp"
#include "benches/kit/cuda/device.hpp"
#include "benches/kit/cuda/nvml.hpp"
#include "benches/kit/errors.hpp"
#include "benches/kit/mpi/mpi.hpp"
#include "benches/swing/device_load.hpp"
#include "benches/swing/gpu_sensor.hpp"
#include "benches/swing/measure.hpp"

namespace rackproof::swing {
namespace {

namespace cuda = kit::cuda;

// The device of this rank by its place on its host. Launchers that show each rank a GPU of its own
// show one.
cuda::Device device_of(const Ranks& ranks) {
  const auto count = static_cast<std::int64_t>(cuda::devices().size());
  return cuda::select(std::to_string(ranks.local_rank() % count));
}

// Two ranks on one GPU would halve what each can do, and both would be blamed for it.
void require_one_each(const Ranks& ranks, const std::string& name) {
  const std::vector<std::string> names = ranks.names(name);
  std::set<std::string> seen;
  bool twice = false;
  for (const std::string& one : names) twice = !seen.insert(one).second || twice;
  if (ranks.from_first(twice ? 1 : 0) == 0) return;
  throw kit::UsageError(
      "expected at most one rank a GPU: fewer ranks a host, or CUDA_VISIBLE_DEVICES of each");
}

Parts parts_of(const Ranks& ranks, const Config& config, const std::optional<cuda::Device>& named) {
  const cuda::Device device = named ? *named : device_of(ranks);
  Parts parts;
  parts.name =
      fmt::format("{}/{}", ranks.hosts()[static_cast<std::size_t>(ranks.rank())], device.uuid);
  require_one_each(ranks, parts.name);
  if (const auto lacks = product::lacking(product::Dtype::kBf16, device.major, device.minor)) {
    throw kit::Unavailable(*lacks);
  }
  parts.load = std::make_unique<DeviceLoad>(device.index, parts.name, config.size,
                                            static_cast<std::uint64_t>(config.seed));
  std::unique_ptr<Counters> node;
  if (ranks.local_rank() == 0) {
    node = std::make_unique<NodeLinks>(config.kernel_files);
  } else {
    node = std::make_unique<NoCounters>();
  }
  auto nvml = cuda::Nvml::open(device.uuid);
  if (!nvml) {
    parts.lack = Lack::kNoLibrary;
    parts.counters = std::move(node);
    return parts;
  }
  const auto shared = std::make_shared<cuda::Nvml>(*std::move(nvml));
  parts.smoothing = smoothing_of(*shared);
  auto counters = std::make_unique<GpuCounters>(shared, std::move(node));
  if (shared->energy_j()) {
    parts.sensor = std::make_unique<GpuSensor>(shared, *counters);
  } else {
    parts.lack = Lack::kNoGpuCounter;
  }
  parts.counters = std::move(counters);
  return parts;
}

}  // namespace

kit::Bench cuda_bench(Config& config) {
  kit::Bench bench;
  bench.name = "swing";
  bench.backend = "cuda";
  bench.summary =
      "A load that all GPUs switch on and off in step: how far in step, and what it does.";
  bench.example = "mpirun -n 8 swing-cuda --frequencies 0.5,2 --seconds 20";
  bench.declare = [&config](kit::Options& options) { declare_cuda(options, config); };
  bench.libraries = [] {
    auto libraries = cuda::libraries();
    libraries.merge(kit::mpi::library());
    return libraries;
  };
  bench.fault = [&config] { return fault_of(config); };
  bench.run = [&config](kit::Session& session) {
    // Before the driver starts: a sick neighbour of a device that was named is not touched.
    std::optional<cuda::Device> named;
    if (!config.device.empty()) named = cuda::select(config.device);
    const auto make = [&named](const Ranks& ranks, const Config& of_rank) {
      return parts_of(ranks, of_rank, named);
    };
    const Kind kind{make, Event::kPowerBrake, "GPUs",
                    "power of each GPU is that of its board, by the energy counter of NVML", true};
    measure(config, kind, session);
  };
  return bench;
}

}  // namespace rackproof::swing
