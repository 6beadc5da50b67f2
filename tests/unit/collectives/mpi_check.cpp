// Every operation, type and reduction over MPI itself, in and out of place, with messages counted
// as MPI counts them and in the parts that larger ones need; then the bench as a harness runs it.
#include <cstdio>
#include <string>

#include "benches/collectives/cell.hpp"
#include "benches/collectives/mpi.hpp"
#include "benches/collectives/mpi_transport.hpp"
#include "benches/kit/errors.hpp"
#include "benches/kit/mpi/in_rank.hpp"
#include "benches/kit/mpi/mpi.hpp"

using namespace rackproof;
using namespace rackproof::collectives;

namespace {

int failures = 0;

void expect(bool holds, const std::string& what) {
  if (holds) return;
  ++failures;
  std::fprintf(stderr, "FAILED: %s\n", what.c_str());
}

void measure_all(std::int64_t most_count, std::int64_t bytes) {
  const auto transport = make_mpi_transport(most_count);
  const MeasuringRule rule{1, 2, 10, 0, 1};
  for (const auto& text : operation_words()) {
    const Operation operation = *operation_of(text);
    if (operation == Operation::kBroadcast && transport->size() == 1) continue;
    if (operation == Operation::kReduceScatter && most_count < kMpiMostCount) continue;
    for (const auto& type : mpi_repertoire().dtype_words()) {
      for (const auto& reduction : mpi_repertoire().redop_words()) {
        for (const bool in_place : {false, true}) {
          if (in_place && !has_in_place_form(operation)) continue;
          CellSpec spec{operation, *reduction::dtype_of(type), std::nullopt, bytes, in_place};
          if (reduces(operation)) spec.redop = reduction::redop_of(reduction);
          kit::ProgressWriter word;
          const CellResult result = measure_cell(
              *transport, spec, rule, {}, [](double) {}, word);
          expect(result.wrong == 0 && result.compared > 0, label(spec));
        }
        if (!reduces(operation)) break;
      }
    }
  }
}

void refuse_what_mpi_cannot_count() {
  const auto transport = make_mpi_transport(100);
  bool refused = false;
  try {
    transport->reduce_scatter(nullptr, nullptr, 101, Dtype::kInt8, RedOp::kSum);
  } catch (const kit::UsageError&) {
    refused = true;
  }
  expect(refused, "reduce_scatter beyond the count of MPI is refused");
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

void run_as_a_harness_does(int rank) {
  const kit::mpi::InRankBench bench = kit::mpi::in_rank(mpi_bench);
  expect(bench.name == "collectives" && bench.backend == "mpi", "it is called as its program is");
  const std::vector<std::string> arguments{
      "--ops", "all_reduce,sendrecv", "--begin", "8", "--end", "64", "--factor",
      "8",     "--min-seconds",       "0"};
  std::string said;
  const auto sink = [&](std::string_view line) { said += line; };
  const contract::ExitCode code = bench.run(arguments, sink, "n1", nullptr);
  expect(code == contract::ExitCode::kDone, "the bench ends well");
  expect(count(said, "\"kind\":\"hello\"") == 1, "hello on every rank");
  expect(count(said, "\"kind\":\"end\"") == 1, "end on every rank");
  expect(count(said, "\"kind\":\"phase\"") >= 5, "phases on every rank");
  expect(count(said, "\"nonce\":\"n1\"") == count(said, "\n"), "every record echoes the nonce");
  expect(count(said, "\"kind\":\"check\"") == (rank == 0 ? 4 : 0), "checks on rank 0 alone");
  expect((count(said, "\"kind\":\"metric\"") > 0) == (rank == 0), "metrics on rank 0 alone");
  expect(bench.run({"--ops", "gossip"}, sink, "n2", nullptr) == contract::ExitCode::kUsage,
         "a wrong word is a usage error on every rank");
}

}  // namespace

int main(int argc, char** argv) {
  const kit::mpi::Process mpi(&argc, &argv);
  measure_all(kMpiMostCount, 1000);
  measure_all(100, 3000);
  refuse_what_mpi_cannot_count();
  run_as_a_harness_does(mpi.rank());
  return failures == 0 ? 0 : 1;
}
