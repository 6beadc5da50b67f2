#pragma once

#include <cstddef>
#include <string>

#include "harness/config/installed.hpp"
#include "reports/model/platform_table.hpp"

namespace rackproof::coverage {

/// Baselines with a figure, and so with a source.
struct SourcedCount {
  std::size_t own = 0;
  std::size_t inherited = 0;
};

SourcedCount sourced_baselines(const model::PlatformTable& table);

/// docs/platforms.md: what each installed platform is judged on, by what right, and what nobody has
/// a figure for. The same tables give the same bytes. Throws ConfigError.
std::string platform_page(const config::Paths& paths);

}  // namespace rackproof::coverage
