#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace rackproof::kit::mpi {

/// All ranks of MPI_COMM_WORLD, with a communicator of their own that returns errors. Every rank
/// makes one at the same time; throws DeviceError where MPI does not do as asked.
class World {
 public:
  World();
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  MPI_Comm group() const { return group_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  /// Ranks on this node and nodes, as far as MPI can tell: by who can share memory.
  int local_size() const { return local_size_; }
  /// "2 nodes, UCX_TLS=rc": nodes, and which transports the environment chooses.
  std::string path() const;
  /// The name of each rank's processor; every rank must ask at the same time.
  std::vector<std::string> processor_names() const;

 private:
  MPI_Comm group_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  int local_size_ = 1;
  int nodes_ = 1;
};

}  // namespace rackproof::kit::mpi
