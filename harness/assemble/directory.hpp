#pragma once

#include <string>

#include "harness/warden/store.hpp"
#include "reports/model/report.hpp"

namespace rackproof::assemble {

/// The report out of the journals and recordings in a run directory, which messages call
/// `directory`. Throws UsageError when it holds no run.
model::Report assemble_directory(warden::Store& store, const std::string& directory);

}  // namespace rackproof::assemble
