#include <cstdio>
#include <exception>

#include "benches/collectives/mpi.hpp"
#include "benches/kit/mpi/in_rank.hpp"
#include "benches/pairs/mpi.hpp"
#include "harness/command_line/app.hpp"
#include "harness/fleet/mpi.hpp"
#include "harness/warden/standard_streams.hpp"

namespace {

rackproof::crew::InRank in_rank(const rackproof::kit::mpi::InRankBench& bench) {
  return {bench.name + "-" + bench.backend,
          [run = bench.run](const auto& arguments, const auto& say, const std::string& nonce,
                            auto* page) {
            const auto sink = [&say](std::string_view line) {
              if (line.ends_with('\n')) line.remove_suffix(1);
              say(std::string(line));
            };
            return static_cast<int>(run(arguments, sink, nonce, page));
          }};
}

}  // namespace

// The program of the ranks. The one place of the harness that knows a bench, since only a launcher
// can make MPI processes and so the MPI benches run inside the ranks.
int main(int argc, char** argv) {
  rackproof::warden::open_standard_streams();
  try {
    using namespace rackproof;
    command_line::RankSide ranks;
    ranks.make_mpi_team = fleet::make_mpi_team;
    ranks.benches = {in_rank(kit::mpi::in_rank(collectives::mpi_bench)),
                     in_rank(kit::mpi::in_rank(pairs::mpi_bench))};
    return command_line::run_app(argc, argv, std::move(ranks));
  } catch (const std::exception& error) {
    // Before there is a verb: no memory for its command line.
    std::fprintf(stderr, "rackproof: internal error: %s\n", error.what());
    return 1;
  }
}
