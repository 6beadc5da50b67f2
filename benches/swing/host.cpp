#include "benches/swing/host.hpp"

#include <cmath>
#include <memory>
#include <vector>

#include "benches/kit/host.hpp"
#include "benches/kit/mpi/mpi.hpp"
#include "benches/swing/measure.hpp"
#include "benches/swing/rapl.hpp"

namespace rackproof::swing {
namespace {

// Tells processors that are alike from those that are not; no more than that.
double mark_of(const std::vector<int>& cpus) {
  double mark = 0;
  for (const int cpu : cpus) mark = std::fmod(mark * 1021 + cpu + 1, 1e9 + 7);
  return mark;
}

// Shares the processors of a host among the ranks that may use the same ones. Collective.
Place place_of(const Ranks& ranks, std::int64_t threads) {
  const std::vector<int> cpus = kit::one_cpu_per_core(kit::allowed_cpus());
  const double mark = mark_of(cpus);
  const std::vector<double> marks = ranks.share(mark);
  const auto here = static_cast<std::size_t>(ranks.rank());
  std::int64_t index = 0;
  std::int64_t of = 0;
  for (std::size_t other = 0; other < marks.size(); ++other) {
    if (marks[other] != mark || ranks.hosts()[other] != ranks.hosts()[here]) continue;
    if (other < here) ++index;
    ++of;
  }
  Place place;
  const std::vector<int> mine = share_of(cpus, index, of);
  const std::size_t count = threads == 0 ? mine.size() : static_cast<std::size_t>(threads);
  for (std::size_t i = 0; i < count; ++i) place.cpus.push_back(mine[i % mine.size()]);
  place.crowded = of > static_cast<std::int64_t>(cpus.size()) || count > mine.size();
  return place;
}

Parts parts_of(const Ranks& ranks, const Config& config) {
  Parts parts;
  parts.name = ranks.hosts()[static_cast<std::size_t>(ranks.rank())];
  parts.looks = ranks.local_rank() == 0;
  parts.load = std::make_unique<HostLoad>(place_of(ranks, config.threads));
  if (!parts.looks) {
    parts.counters = std::make_unique<NoCounters>();
    return parts;
  }
  parts.counters = std::make_unique<NodeCounters>(config.kernel_files);
  auto rapl = std::make_unique<Rapl>(config.kernel_files);
  parts.lack = rapl->lack();
  if (parts.lack == Lack::kNothing) parts.sensor = std::move(rapl);
  return parts;
}

}  // namespace

kit::Bench host_bench(Config& config) {
  kit::Bench bench;
  bench.name = "swing";
  bench.backend = "host";
  bench.summary =
      "A load that all ranks switch on and off in step: how far in step, and what it does.";
  bench.example = "mpirun -n 4 swing-host --frequencies 0.5,2 --seconds 20";
  bench.declare = [&config](kit::Options& options) { declare_host(options, config); };
  bench.libraries = [] { return kit::mpi::library(); };
  bench.fault = [&config] { return fault_of(config); };
  bench.run = [&config](kit::Session& session) {
    const Kind kind{
        parts_of, Event::kPowerLimit, "hosts",
        "power of each host is that of its processor packages, by their energy counters"};
    measure(config, kind, session);
  };
  return bench;
}

}  // namespace rackproof::swing
