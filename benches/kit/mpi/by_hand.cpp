#include "benches/kit/mpi/by_hand.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
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

// How long a first rank that failed waits for the others to come to their ends, in seconds: where
// all agreed to stop they are as good as there.
constexpr double kPatience = 2;
// How much later than the others it leaves with its exit code. Open MPI 4.1's mpirun kills the rest
// when it sees one, and crashed or hung in 5 of 60 runs whose others were leaving just then.
constexpr auto kLeavesLater = std::chrono::milliseconds(200);

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
  bool first = true;
  int code = 0;
  {
    const Process mpi(&argc, &argv, callers);
    first = mpi.rank() == 0;
    if (!first) {
      code = static_cast<int>(run_bench(
          arguments, bench, [](std::string_view) {}, ""));
    } else {
      code = first_rank ? first_rank() : bench_main(argc, argv, bench);
    }
    const bool failed = alone(static_cast<ExitCode>(code));
    if (failed && !first) Process::abort(code);
    if (!mpi.all_end(failed ? kPatience : HUGE_VAL)) Process::abort(code);
  }
  if (first && code != 0) std::this_thread::sleep_for(kLeavesLater);
  return first ? code : 0;
}

}  // namespace rackproof::kit::mpi
