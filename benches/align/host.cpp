#include "benches/align/host.hpp"

#include <fmt/format.h>
#include <gnu/libc-version.h>

#include "benches/align/host_engine.hpp"
#include "benches/kit/errors.hpp"
#include "benches/kit/product/seed.hpp"

namespace rackproof::align {
namespace {

KernelSet kernels_named(const std::string& name) {
  const KernelSets all = kernel_sets();
  if (name == "auto") return all.sets[all.count - 1];
  std::string there;
  for (int i = 0; i < all.count; ++i) {
    if (name == all.sets[i].name) return all.sets[i];
    there += (i == 0 ? "" : ", ") + std::string(all.sets[i].name);
  }
  throw kit::Unavailable(fmt::format("--kernels {}: this processor has {}", name, there));
}

}  // namespace

void declare_host(kit::Options& options, HostSettings& settings) {
  declare(options, settings);
  options.choice("kernels", settings.kernels,
                 {"auto", "plain", "avx2", "avx512bw", "neon", "sve256", "sve512"},
                 "vectors to use; auto: the widest that the processor has");
}

std::map<std::string, std::string> host_libraries() { return {{"glibc", gnu_get_libc_version()}}; }

void measure_host(const HostSettings& settings, kit::Session& session) {
  const KernelSet kernels = kernels_named(settings.kernels);
  const Scoring scoring = scoring_of(settings);
  const std::uint64_t seed =
      settings.seed != 0 ? static_cast<std::uint64_t>(settings.seed) : product::fresh_seed() >> 1U;
  Crew crew(crew_cpus(settings.threads));
  session.note(fmt::format("{} threads, kernels {}", crew.threads(), kernels.name),
               {{"threads", std::int64_t{crew.threads()}},
                {"bound", crew.bound()},
                {"kernels", std::string(kernels.name)},
                {"lanes", std::int64_t{kernels.in8.lanes}}});
  session.phase("making the database", 0);
  // So many that each thread has hundreds of blocks of the widest vectors.
  Workload work = workload_of(settings, scoring, kFewestDrawn * crew.threads(), seed, crew);
  HostEngine engine(kernels, scoring, fault_of(settings), crew);
  protocol::Metric like;
  like.conditions = {{"kernels", std::string(kernels.name)}};
  measure(settings, scoring, seed, work, engine, crew, like, session);
}

}  // namespace rackproof::align
