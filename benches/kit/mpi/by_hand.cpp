#include "benches/kit/mpi/by_hand.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace rackproof::kit::mpi {
namespace {

using contract::ExitCode;

bool asks(const std::vector<std::string>& arguments, std::string_view option) {
  return std::find(arguments.begin(), arguments.end(), option) != arguments.end();
}

// The rank that the launcher gave this process; "0" without one.
std::string_view launched_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) {
    if (const char* rank = std::getenv(name)) return rank;
  }
  return "0";
}

// A rank that failed alone leaves its partners waiting; a wrong command line fails on all alike.
bool alone(ExitCode code) {
  return code == ExitCode::kDeviceError || code == ExitCode::kGaveUp ||
         code == ExitCode::kUnexpected;
}

}  // namespace

int run_by_hand(int argc, char** argv, const Bench& bench, const std::function<int()>& first_rank,
                Callers callers) {
  const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  if (asks(arguments, "--help") || asks(arguments, "--version") || asks(arguments, "--describe")) {
    return launched_rank() == "0" ? bench_main(argc, argv, bench) : 0;
  }
  const Process mpi(&argc, &argv, callers);
  const bool first = mpi.rank() == 0;
  int code = 0;
  if (!first) {
    code = static_cast<int>(run_bench(
        arguments, bench, [](std::string_view) {}, ""));
  } else {
    code = first_rank ? first_rank() : bench_main(argc, argv, bench);
  }
  if (alone(static_cast<ExitCode>(code))) Process::abort(code);
  return first ? code : 0;
}

}  // namespace rackproof::kit::mpi
