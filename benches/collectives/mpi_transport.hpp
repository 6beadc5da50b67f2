#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

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

/// {"Open MPI": "4.1.4"}, of the library that is loaded; may be asked before MPI_Init.
std::map<std::string, std::string> mpi_library();

/// The same out of the text of MPI_Get_library_version.
std::map<std::string, std::string> parse_mpi_library(const std::string& text);

/// MPI for the length of a program: MPI_Init and MPI_Finalize.
class MpiProcess {
 public:
  MpiProcess(int* argc, char*** argv);
  ~MpiProcess();
  MpiProcess(const MpiProcess&) = delete;
  MpiProcess& operator=(const MpiProcess&) = delete;

  int rank() const;

  /// Ends the whole job: the way out for a rank whose partners still wait for it.
  [[noreturn]] static void abort(int exit_code);
};

}  // namespace rackproof::collectives
