#include "benches/align/cuda.hpp"

#include <fmt/format.h>

#include "benches/align/cuda_engine.hpp"
#include "benches/kit/product/seed.hpp"
#include "benches/kit/results.hpp"

namespace rackproof::align {
namespace {

namespace cuda = kit::cuda;

// A few hundred megabytes: what a large device holds at a time is a small part of it.
constexpr std::int64_t kSubjectsOfDevice = std::int64_t{1} << 20;

}  // namespace

void declare_cuda(kit::Options& options, CudaSettings& settings) {
  cuda::declare_device(options, settings.device);
  declare(options, settings);
  std::vector<std::string> tiles = way_names();
  tiles.insert(tiles.begin(), "auto");
  options.choice("tile", settings.tile, tiles,
                 "lanes that share a pair of subjects, columns of each, and what the table of "
                 "scores is made of; auto: for each query the fastest");
}

void measure_cuda(const CudaSettings& settings, kit::Session& session) {
  const Scoring scoring = scoring_of(settings);
  const cuda::Device device = cuda::select(settings.device);
  session.device(cuda::to_record(device));
  const std::uint64_t seed =
      settings.seed != 0 ? static_cast<std::uint64_t>(settings.seed) : product::fresh_seed() >> 1U;
  Crew crew(crew_cpus(settings.threads));
  CudaEngine engine(device, settings.tile == "auto" ? "" : settings.tile, scoring,
                    fault_of(settings), crew);
  session.phase("making the database", 0);
  Workload work = workload_of(settings, scoring, kSubjectsOfDevice, seed, crew);
  protocol::Metric like;
  like.subject = kit::device_subject(device.uuid);
  measure(settings, scoring, seed, work, engine, crew, like, session);
}

}  // namespace rackproof::align
