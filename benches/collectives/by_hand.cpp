#include "benches/collectives/by_hand.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "benches/collectives/mpi.hpp"
#include "benches/collectives/mpi_transport.hpp"
#include "benches/collectives/speak.hpp"

namespace rackproof::collectives {
namespace {

using protocol::ExitCode;

// The rank that the launcher gave this process; "0" without one.
std::string_view launched_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) {
    if (const char* rank = std::getenv(name)) return rank;
  }
  return "0";
}

// A rank that failed alone leaves its partners waiting; a wrong command line fails on all alike.
bool alone(ExitCode code) {
  return code == ExitCode::kDeviceError || code == ExitCode::kUnexpected;
}

}  // namespace

int run_by_hand(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  Config config;
  const kit::Bench bench = mpi_bench(config);
  if (asks(arguments, "--help") || asks(arguments, "--version") || asks(arguments, "--describe")) {
    return launched_rank() == "0" ? kit::bench_main(argc, argv, bench) : 0;
  }
  const int rows = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  const MpiProcess mpi(&argc, &argv);
  if (mpi.rank() != 0) {
    const ExitCode code = kit::run_bench(
        arguments, bench, [](std::string_view) {}, "");
    if (alone(code)) MpiProcess::abort(static_cast<int>(code));
    return 0;
  }
  const bool records = wants_records(arguments);
  const int code = speak(argc, argv, bench, records, rows);
  if (alone(static_cast<ExitCode>(code))) MpiProcess::abort(code);
  return code;
}

}  // namespace rackproof::collectives
