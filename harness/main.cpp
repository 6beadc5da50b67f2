#include "benches/collectives/in_rank.hpp"
#include "harness/cli/app.hpp"

// The composition root: the one place of the harness that knows a bench, since only a launcher can
// make MPI processes and so the MPI benches run inside the ranks.
int main(int argc, char** argv) {
  std::vector<rackproof::run::InRank> in_rank;
  for (auto& bench : rackproof::collectives::in_rank_benches()) {
    in_rank.push_back(
        {bench.name + "-" + bench.backend,
         [run = bench.run](const auto& arguments, const auto& say, const std::string& nonce) {
           const auto sink = [&say](std::string_view line) {
             if (line.ends_with('\n')) line.remove_suffix(1);
             say(std::string(line));
           };
           return static_cast<int>(run(arguments, sink, nonce));
         }});
  }
  return rackproof::cli::run_app(argc, argv, std::move(in_rank));
}
