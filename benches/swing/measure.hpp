#pragma once

#include "benches/kit/session.hpp"
#include "benches/swing/config.hpp"
#include "benches/swing/parts.hpp"

namespace rackproof::swing {

/// The whole of a measurement over all ranks of MPI, each with parts of this kind. Rank 0 says all
/// that is said. Throws kit::UsageError for what cannot be, kit::DeviceError where a run was
/// stopped.
void measure(const Config& config, const Kind& kind, kit::Session& session);

}  // namespace rackproof::swing
