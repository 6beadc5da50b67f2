#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "benches/kit/host.hpp"

namespace rackproof::stream {

/// What the command line asked for; 0 lets the bench choose.
struct Settings {
  std::string type = "double";
  std::int64_t elements = 0;
  std::int64_t size = 0;
  std::int64_t iterations = 20;
  double search_seconds = 20;  ///< about how long the candidates of a variant are compared
  std::int64_t threads = 0;
  std::string variant = "both";
  std::string domain = "all";
};

/// Processors that are measured together, one thread on each.
struct Domain {
  std::string name;  ///< "node", or "numa0" and so on
  std::vector<int> cpus;
  std::int64_t cache_bytes = 0;  ///< sum of their last-level caches; 0 when unknown
};

/// The domains that `settings` names on a machine with these NUMA domains. One thread per physical
/// core, or settings.threads spread evenly over the cores (over all processors when there are more
/// threads than cores). Throws UsageError for more threads than a domain has processors.
std::vector<Domain> choose_domains(const Settings& settings,
                                   const std::vector<kit::NumaDomain>& machine,
                                   const std::filesystem::path& root = kit::kKernelFiles);

/// What the number of elements depends on.
struct SizeRule {
  std::int64_t elements = 0;  ///< as asked for; 0 when not
  std::int64_t element_bytes = 8;
  std::int64_t cache_bytes = 0;
  std::int64_t available_bytes = 0;
  double clock_resolution = 0;
};

/// Each array holds at least this many times the caches in use (McCalpin's rule).
inline constexpr std::int64_t kCacheMultiple = 4;
/// Each kernel lasts at least this many steps of the clock (McCalpin's rule).
inline constexpr int kClockSteps = 20;

/// Elements of each array. Without a wish: the least that obeys both rules. Throws UsageError for a
/// wish that is too small for the caches or too large for the memory, Unavailable when the machine
/// has too little memory for a size that obeys.
std::int64_t choose_elements(const SizeRule& rule);

}  // namespace rackproof::stream
