#include "benches/stream/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "benches/kit/errors.hpp"

namespace rackproof::stream {
namespace {

// `count` of `from`, evenly spread, in order.
std::vector<int> spread(const std::vector<int>& from, std::size_t count) {
  std::vector<int> chosen;
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(from[i * from.size() / count]);
  return chosen;
}

Domain make_domain(std::string name, const std::vector<int>& cpus, std::int64_t threads,
                   const std::filesystem::path& root) {
  const std::vector<int> cores = kit::one_cpu_per_core(cpus, root);
  const auto wanted = threads == 0 ? cores.size() : static_cast<std::size_t>(threads);
  if (wanted > cpus.size()) {
    throw kit::UsageError(
        fmt::format("--threads {}: domain {} has {} processors that this process "
                    "may use",
                    threads, name, cpus.size()));
  }
  Domain domain;
  domain.name = std::move(name);
  domain.cpus = spread(wanted > cores.size() ? cpus : cores, wanted);
  domain.cache_bytes = kit::last_level_cache_bytes(domain.cpus, root);
  return domain;
}

// Sizes for a machine that does not tell its caches: above any last-level cache of one socket.
constexpr std::int64_t kUnknownCaches = std::int64_t{1} << 30;
// Faster than any memory: a kernel that moves this many bytes a second still lasts its clock steps.
constexpr double kFastest = 20e12;

}  // namespace

std::vector<Domain> choose_domains(const Settings& settings,
                                   const std::vector<kit::NumaDomain>& machine,
                                   const std::filesystem::path& root) {
  std::vector<Domain> domains;
  if (settings.domain != "numa") {
    std::vector<int> all;
    for (const auto& numa : machine) all.insert(all.end(), numa.cpus.begin(), numa.cpus.end());
    std::sort(all.begin(), all.end());
    domains.push_back(make_domain("node", all, settings.threads, root));
  }
  if (settings.domain == "numa" || (settings.domain == "all" && machine.size() > 1)) {
    for (const auto& numa : machine) {
      domains.push_back(
          make_domain(fmt::format("numa{}", numa.index), numa.cpus, settings.threads, root));
    }
  }
  return domains;
}

std::int64_t choose_elements(const SizeRule& rule) {
  const std::int64_t rows = kCacheMultiple * rule.cache_bytes;
  const std::int64_t least = (rows + rule.element_bytes - 1) / rule.element_bytes;
  const auto room = static_cast<std::int64_t>(0.95 * static_cast<double>(rule.available_bytes));
  const std::int64_t most = room / (3 * rule.element_bytes);
  if (rule.elements > 0) {
    if (rule.elements < least) {
      throw kit::UsageError(
          fmt::format("{} elements ({} B an array) would be measured in the caches: an array is at "
                      "least {} times "
                      "the last-level caches in use ({} B), that is {} elements",
                      rule.elements, rule.elements * rule.element_bytes, kCacheMultiple,
                      rule.cache_bytes, least));
    }
    if (rule.elements > most) {
      throw kit::UsageError(fmt::format(
          "three arrays of {} elements ({} B each) do not fit: {} B of memory are available",
          rule.elements, rule.elements * rule.element_bytes, rule.available_bytes));
    }
    return rule.elements;
  }
  const auto for_clock =
      static_cast<std::int64_t>(std::ceil(kClockSteps * rule.clock_resolution * kFastest /
                                          (2 * static_cast<double>(rule.element_bytes))));
  const std::int64_t for_caches =
      rule.cache_bytes > 0 ? least : kUnknownCaches / rule.element_bytes;
  const std::int64_t chosen = std::max({std::int64_t{1}, for_caches, for_clock});
  if (chosen > most) {
    throw kit::Unavailable(
        fmt::format("three arrays of {} B each, {} times the last-level caches in use, do not fit: "
                    "{} B of memory "
                    "are available",
                    chosen * rule.element_bytes, kCacheMultiple, rule.available_bytes));
  }
  return chosen;
}

}  // namespace rackproof::stream
