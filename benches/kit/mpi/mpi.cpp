#include "benches/kit/mpi/mpi.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "benches/kit/clock.hpp"
#include "benches/kit/errors.hpp"

namespace rackproof::kit::mpi {

void require(int code, const char* call) {
  if (code == MPI_SUCCESS) [[likely]]
    return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  if (MPI_Error_string(code, text.data(), &length) != MPI_SUCCESS) length = 0;
  throw DeviceError(fmt::format("{}: error {}: {}", call, code,
                                std::string_view(text.data(), static_cast<std::size_t>(length))));
}

std::map<std::string, std::string> parse_library(const std::string& text) {
  // "Open MPI v4.1.4, package: ..." and "MPICH Version:\t4.0.2\nMPICH Release date: ..."
  const std::string line = text.substr(0, std::min(text.find('\n'), text.find(',')));
  for (const std::string_view mark : {" v", " Version:"}) {
    const std::size_t at = line.find(mark);
    if (at == std::string::npos) continue;
    const std::size_t version = line.find_first_of("0123456789", at + mark.size());
    if (version == std::string::npos) continue;
    return {{line.substr(0, at), line.substr(version)}};
  }
  return {{"MPI", line}};
}

std::map<std::string, std::string> library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  require(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
  return parse_library(std::string(text.data(), static_cast<std::size_t>(length)));
}

Process::Process(int* argc, char*** argv, Callers callers) {
  if (callers == Callers::kOneThread) {
    require(MPI_Init(argc, argv), "MPI_Init");
    return;
  }
  int granted = 0;
  require(MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &granted), "MPI_Init_thread");
}

Process::~Process() { MPI_Finalize(); }

int Process::rank() const {
  int rank = 0;
  require(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
  return rank;
}

bool Process::all_end(double patience_seconds) const {
  MPI_Request request = MPI_REQUEST_NULL;
  require(MPI_Ibarrier(MPI_COMM_WORLD, &request), "MPI_Ibarrier");
  int done = 0;
  for (const double begun = now_seconds(); now_seconds() - begun < patience_seconds;) {
    require(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done != 0) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

void Process::abort(int exit_code) {
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

}  // namespace rackproof::kit::mpi
