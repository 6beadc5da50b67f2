// The tournament over MPI itself, then the bench as a harness runs it, and one wrong bit.
#include <cstdio>
#include <string>

#include "benches/kit/mpi/in_rank.hpp"
#include "benches/kit/mpi/mpi.hpp"
#include "benches/pairs/mpi.hpp"

using namespace rackproof;

namespace {

int failures = 0;

void expect(bool holds, const std::string& what) {
  if (holds) return;
  ++failures;
  std::fprintf(stderr, "FAILED: %s\n", what.c_str());
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// What this rank said, and its exit code.
contract::ExitCode run(const std::vector<std::string>& arguments, std::string& said) {
  const kit::mpi::InRankBench bench = kit::mpi::in_rank(pairs::mpi_bench);
  expect(bench.name == "pairs" && bench.backend == "mpi", "it is called as its program is");
  said.clear();
  return bench.run(
      arguments, [&](std::string_view line) { said += line; }, "n1", nullptr);
}

void measure_all(int rank, int ranks) {
  std::string said;
  const auto code = run({"--sizes", "8,1048576,40", "--samples", "3"}, said);
  expect(code == contract::ExitCode::kDone, "the bench ends well");
  expect(count(said, "\"kind\":\"hello\"") == 1, "hello on every rank");
  expect(count(said, "\"kind\":\"end\"") == 1, "end on every rank");
  expect(count(said, "\"nonce\":\"n1\"") == count(said, "\n"), "every record echoes the nonce");
  const int matches = ranks * (ranks - 1) / 2 * 3 * 4;
  expect(count(said, "\"kind\":\"link\"") == (rank == 0 ? matches : 0), "links on rank 0 alone");
  expect(count(said, "\"passed\":true") == (rank == 0 ? matches + 3 * 3 : 0), "all is proved");
}

void catch_a_wrong_bit(int rank, int ranks) {
  std::string said;
  const auto code = run({"--sizes", "4096", "--tests", "both", "--inject", "bitflip:77:3"}, said);
  const bool speaks = rank == 0;
  expect((code == contract::ExitCode::kWrongAnswer) == speaks, "a wrong bit is exit code 4");
  expect(count(said, "\"passed\":false") == (speaks ? 2 : 0), "one pair and the sum are wrong");
  const std::string place = "word 77 of message 0 that rank " + std::to_string(ranks - 1);
  expect(count(said, place) == (speaks ? 2 : 0), "rank and word are named");
}

void refuse(int rank) {
  std::string said;
  expect(run({"--sizes", "7"}, said) == contract::ExitCode::kUsage,
         "a wrong size is a usage error on rank " + std::to_string(rank));
}

}  // namespace

int main(int argc, char** argv) {
  const kit::mpi::Process mpi(&argc, &argv);
  const int ranks = argc > 1 ? std::stoi(argv[1]) : 1;
  if (ranks == 1) {
    std::string said;
    expect(run({}, said) == contract::ExitCode::kUnavailable, "one rank alone is exit code 3");
  } else {
    measure_all(mpi.rank(), ranks);
    catch_a_wrong_bit(mpi.rank(), ranks);
  }
  refuse(mpi.rank());
  return failures == 0 ? 0 : 1;
}
