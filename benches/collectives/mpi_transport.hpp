#pragma once

#include <cstdint>
#include <memory>

#include "benches/collectives/transport.hpp"

namespace rackproof::collectives {

/// What one MPI 3.1 call counts to.
inline constexpr std::int64_t kMpiMostCount = 0x7fffffff;

/// A transport over a duplicate of MPI_COMM_WORLD whose errors are returned and become
/// kit::DeviceError. MPI must be initialised, by the thread that calls; every rank must make its
/// own at the same time.
///
/// Messages of more than `most_count` elements go as one element of a large derived type where data
/// is moved, and in parts of `most_count` where it is reduced; reduce_scatter has no such form and
/// throws kit::UsageError.
std::unique_ptr<Transport> make_mpi_transport(std::int64_t most_count = kMpiMostCount);

}  // namespace rackproof::collectives
