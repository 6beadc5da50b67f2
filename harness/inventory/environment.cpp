#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "harness/inventory/collectors.hpp"
#include "reports/model/fact_name.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX wants it declared by us

namespace rackproof::inventory {
namespace {

// What changes how benches find libraries and talk to each other. Nothing else: variables hold
// names and secrets, which do not belong in a report.
constexpr std::array<std::string_view, 6> kPrefixes = {"NCCL_", "CUDA_", "NVIDIA_",
                                                       "UCX_",  "FI_",   "LD_"};
constexpr std::string_view kDropped = "RACKPROOF_DROPPED";
constexpr std::string_view kVisible = "RACKPROOF_VISIBLE_DEVICES";
constexpr const char* kKept = "kept from the benches";
constexpr const char* kEnvironment = "the environment";

}  // namespace

void collect_environment(const FileTree& tree, FactSheet& sheet) {
  if (!tree.live()) return;
  sheet.put(model::fact_name::kProcessIsRoot, runs_as_root(tree), "/proc/self/status");
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view line(*entry);
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view name = line.substr(0, equals);
    const std::string value(line.substr(equals + 1));
    if (name == kDropped) {
      sheet.put(model::fact_name::kEnvironmentDropped, value, kKept);
    } else if (name == kVisible) {
      sheet.put("environment.dropped.CUDA_VISIBLE_DEVICES", value, kKept);
    } else if (std::any_of(kPrefixes.begin(), kPrefixes.end(),
                           [&](std::string_view prefix) { return name.starts_with(prefix); })) {
      sheet.put("environment." + std::string(name), value, kEnvironment);
    }
  }
}

}  // namespace rackproof::inventory
