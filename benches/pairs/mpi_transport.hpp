#pragma once

#include <memory>

#include "benches/pairs/transport.hpp"

namespace rackproof::pairs {

/// A transport over a duplicate of MPI_COMM_WORLD whose errors are returned and become
/// kit::DeviceError. MPI must be initialised, by the thread that calls; every rank must make its
/// own at the same time.
std::unique_ptr<Transport> make_mpi_transport();

}  // namespace rackproof::pairs
