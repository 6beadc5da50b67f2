#pragma once

#include <string>

#include "harness/support/store.hpp"
#include "reports/model/report.hpp"

namespace rackproof::assemble {

/// The report out of the journals and recordings in a run directory, which messages call
/// `directory`. Throws UsageError when it holds no run.
model::Report assemble_directory(support::Store& store, const std::string& directory);

}  // namespace rackproof::assemble
