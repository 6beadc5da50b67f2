#include "benches/collectives/by_hand.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "benches/collectives/mpi.hpp"
#include "benches/collectives/mpi_transport.hpp"
#include "benches/collectives/table.hpp"

namespace rackproof::collectives {
namespace {

using protocol::ExitCode;

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

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written <= 0) throw std::runtime_error("cannot write to stdout");
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

// Rank 0 speaks to people as nccl-tests does, or in records; the kit keeps stdout for itself, so
// the rows go to a copy that was made before.
int speak(int argc, char** argv, kit::Bench bench, bool records, int rows) {
  if (!records) {
    bench.run = [measure = bench.run, rows](kit::Session& session) {
      TableSession table(session, [rows](std::string_view text) { write_all(rows, text); });
      measure(table);
    };
  }
  return kit::bench_main(argc, argv, bench);
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
  const bool records =
      asks(arguments, "--json") || std::getenv(protocol::kNonceVariable) != nullptr;
  const int code = speak(argc, argv, bench, records, rows);
  if (alone(static_cast<ExitCode>(code))) MpiProcess::abort(code);
  return code;
}

}  // namespace rackproof::collectives
