#include "benches/kit/mpi/world.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "benches/kit/mpi/mpi.hpp"

namespace rackproof::kit::mpi {

World::World() {
  require(MPI_Comm_dup(MPI_COMM_WORLD, &group_), "MPI_Comm_dup");
  require(MPI_Comm_set_errhandler(group_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  require(MPI_Comm_rank(group_, &rank_), "MPI_Comm_rank");
  require(MPI_Comm_size(group_, &size_), "MPI_Comm_size");
  MPI_Comm node = MPI_COMM_NULL;
  require(MPI_Comm_split_type(group_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node),
          "MPI_Comm_split_type");
  int local_rank = 0;
  require(MPI_Comm_rank(node, &local_rank), "MPI_Comm_rank");
  require(MPI_Comm_size(node, &local_size_), "MPI_Comm_size");
  const int first = local_rank == 0 ? 1 : 0;
  require(MPI_Allreduce(&first, &nodes_, 1, MPI_INT, MPI_SUM, group_), "MPI_Allreduce");
  MPI_Comm_free(&node);
}

World::~World() { MPI_Comm_free(&group_); }

std::string World::path() const {
  std::string path = nodes_ == 1 ? std::string("1 node") : fmt::format("{} nodes", nodes_);
  for (const char* choice : {"OMPI_MCA_pml", "OMPI_MCA_btl", "OMPI_MCA_mtl", "UCX_TLS"}) {
    if (const char* value = std::getenv(choice)) path += fmt::format(", {}={}", choice, value);
  }
  return path;
}

std::vector<std::string> World::processor_names() const {
  using Name = std::array<char, MPI_MAX_PROCESSOR_NAME>;
  Name own{};
  int length = 0;
  require(MPI_Get_processor_name(own.data(), &length), "MPI_Get_processor_name");
  std::vector<Name> all(static_cast<std::size_t>(size_));
  require(MPI_Allgather(own.data(), static_cast<int>(own.size()), MPI_CHAR, all.data(),
                        static_cast<int>(own.size()), MPI_CHAR, group_),
          "MPI_Allgather");
  std::vector<std::string> names;
  for (const Name& name : all) names.emplace_back(name.data());
  return names;
}

}  // namespace rackproof::kit::mpi
