#pragma once

#include <map>
#include <string>

#include "benches/kit/options.hpp"
#include "benches/kit/session.hpp"
#include "benches/stream/plan.hpp"

namespace rackproof::stream {

/// The run rules of STREAM ask for this label on results of changed code.
inline constexpr const char* kLabel = "based on a variant of the STREAM benchmark code";

void declare(kit::Options& options, Settings& settings);

std::map<std::string, std::string> libraries();

/// Measures copy, scale, add and triad of each domain and variant that `settings` names: for each a
/// check `stream.<type>.<variant>.<domain>`, then metrics stream.copy, stream.scale, stream.add and
/// stream.triad in B/s (best; samples without the first iteration) with the parameters type,
/// variant and domain. What was chosen (kernels, pages, threads, sizes) is in a note. The caches,
/// and so the least size, are those that the kernel's files below `root` tell.
void measure(const Settings& settings, kit::Session& session,
             const std::filesystem::path& root = kit::kKernelFiles);

}  // namespace rackproof::stream
