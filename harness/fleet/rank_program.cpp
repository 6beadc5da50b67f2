#include "harness/fleet/rank_program.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <array>

namespace rackproof::fleet {

std::string mpi_soname() { return RACKPROOF_MPI_LIBRARY; }

MpiLibrary load_mpi(const std::string& soname) {
  MpiLibrary found;
  void* const handle = ::dlopen(soname.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* const why = ::dlerror();
    found.problem = why == nullptr ? soname + ": cannot be loaded" : why;
    return found;
  }
  // MPI lets this one be called before MPI_Init. MPI_MAX_LIBRARY_VERSION_STRING is 256 in Open MPI
  // and 8192 in MPICH.
  std::array<char, 8192> text{};
  int length = 0;
  const auto version =
      reinterpret_cast<int (*)(char*, int*)>(::dlsym(handle, "MPI_Get_library_version"));
  if (version != nullptr && version(text.data(), &length) == 0) found.version = text.data();
  return found;
}

RankObstacle find_obstacle(const std::string& folder, const std::string& soname,
                           const MpiLibrary& library) {
  if (soname.empty()) return RankObstacle::kNotBuilt;
  if (access((folder + "/" + kRankProgram).c_str(), X_OK) != 0) return RankObstacle::kNotInstalled;
  if (!library.problem.empty()) return RankObstacle::kNoLibrary;
  return RankObstacle::kNone;
}

}  // namespace rackproof::fleet
