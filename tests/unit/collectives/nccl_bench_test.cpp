// The whole of collectives-nccl but for its kernels, with devices and an NCCL that are none.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "benches/collectives/nccl.hpp"
#include "tests/unit/collectives/fake_gpu.hpp"

using namespace rackproof;
using namespace rackproof::collectives;

namespace {

struct Outcome {
  protocol::ExitCode code;
  std::string said;

  int count(const std::string& part) const {
    int found = 0;
    for (auto at = said.find(part); at != std::string::npos; at = said.find(part, at + 1)) ++found;
    return found;
  }
};

Outcome run(std::vector<std::string> arguments) {
  const auto quick = [&](const char* option, const char* value) {
    if (std::find(arguments.begin(), arguments.end(), option) != arguments.end()) return;
    arguments.insert(arguments.end(), {option, value});
  };
  quick("--min-seconds", "0");
  quick("--iterations", "3");
  quick("--max-iterations", "20");
  NcclSettings settings;
  Outcome outcome;
  outcome.code = kit::run_bench(
      arguments, nccl_bench(settings), [&](std::string_view line) { outcome.said += line; }, "");
  return outcome;
}

FakeGpu& devices(int count) {
  fake_gpu() = {};
  fake_gpu().devices = count;
  return fake_gpu();
}

void require_all_given_back() {
  CHECK(fake_gpu().memory_in_use == 0);
  CHECK(fake_gpu().communicators == 0);
  CHECK(fake_gpu().registrations == 0);
}

}  // namespace

TEST_CASE("every operation and type and reduction is measured on all devices by hand") {
  for (const int count : {2, 4}) {
    devices(count);
    const Outcome outcome = run(
        {"--begin", "64", "--end", "512", "--factor", "8", "--dtypes",
         "int8,uint8,int32,uint32,int64,uint64,float,double,half,bfloat16,float8e4m3,float8e5m2",
         "--redops", "sum,prod,min,max,avg"});
    INFO(outcome.said.substr(outcome.said.size() - 300));
    CHECK(outcome.code == protocol::ExitCode::kDone);
    const int cells = 2 * 12 * (3 * 5 + 4);
    CHECK(outcome.count("\"kind\":\"check\"") == cells + 1);
    CHECK(outcome.count("\"passed\":true") == cells + 1);
    CHECK(outcome.count("\"kind\":\"metric\"") == 3 * cells + 1);
    CHECK(outcome.count("\"name\":\"collectives.bringup\",\"unit\":\"s\"") == 1);
    CHECK(outcome.count("\"kind\":\"device\"") == count);
    CHECK(outcome.count("\"kind\":\"token\"") == 0);
    require_all_given_back();
    CHECK(fake_gpu().aborted == 0);
  }
}

TEST_CASE("in place and graphs and registered buffers give the same checked results") {
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{"--in-place"},
                                             {"--launch", "graph"},
                                             {"--in-place", "--launch", "graph"},
                                             {"--register", "local"},
                                             {"--register", "symmetric", "--launch", "graph"},
                                             {"--register", "symmetric", "--in-place"}}) {
    devices(3);
    std::vector<std::string> arguments{"--begin", "96", "--end", "960", "--factor", "10"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = run(arguments);
    INFO(options.front() << " " << outcome.said.substr(outcome.said.size() - 300));
    CHECK(outcome.code == protocol::ExitCode::kDone);
    const bool in_place = options.front() == "--in-place" || options.back() == "--in-place";
    const int cells = 2 * (in_place ? 4 : 7);
    CHECK(outcome.count("\"passed\":true") == cells + 1);
    const bool graph = outcome.count("\"launch\":\"graph\"") > 0;
    CHECK((fake_gpu().graph_launches > 0) == graph);
    require_all_given_back();
  }
}

TEST_CASE("short operations are timed together, and one by one for their tail") {
  devices(2);
  const Outcome outcome =
      run({"--ops", "all_reduce", "--begin", "64", "--end", "1M", "--factor", "16384"});
  CHECK(outcome.code == protocol::ExitCode::kDone);
  CHECK(outcome.count("all_reduce.latency_p99\",\"unit\"") == 2);
  CHECK(outcome.count("\"operations_per_sample\":62") == 1);
}

TEST_CASE("a graph has no tail: it is timed as a whole, and as often as was asked for") {
  devices(2);
  const Outcome outcome = run({"--ops", "all_reduce", "--begin", "64", "--end", "64", "--launch",
                               "graph", "--iterations", "5", "--max-iterations", "20000"});
  CHECK(outcome.code == protocol::ExitCode::kDone);
  CHECK(outcome.count("latency_p99") == 0);
  CHECK(outcome.count("\"operations_per_sample\":64") == 1);
  CHECK(fake_gpu().graph_launches >= 2 * 5);
}

TEST_CASE("one device alone has times and no bus bandwidth") {
  devices(1);
  const Outcome outcome = run({"--begin", "1K", "--end", "1K"});
  CHECK(outcome.code == protocol::ExitCode::kDone);
  CHECK(outcome.count("busbw\",\"unit\"") == 0);
  CHECK(outcome.count("\"name\":\"all_reduce.time\"") == 1);
  CHECK(outcome.count("broadcast.time") == 0);
  CHECK(outcome.count("one rank alone") == 1);
  const Outcome member = run({"--begin", "1K", "--end", "1K", "--ranks", "1", "--rank", "0"});
  CHECK(member.code == protocol::ExitCode::kDone);
  CHECK(member.count("\"kind\":\"token\"") == 0);
}

TEST_CASE("an injected bit fails the check of its cell with its rank and element") {
  for (const std::string operation : {"all_gather", "reduce", "reduce_scatter", "sendrecv"}) {
    for (const bool graph : {false, true}) {
      devices(3);
      const Outcome outcome =
          run({"--ops", operation, "--begin", "1200", "--end", "1200", "--inject", "bitflip:50:3",
               "--launch", graph ? "graph" : "plain"});
      INFO(operation << " " << outcome.said);
      CHECK(outcome.code == protocol::ExitCode::kWrongAnswer);
      CHECK(outcome.count("\"wrong\":1,") == 1);
      CHECK(outcome.count(std::string("rank ") + (operation == "reduce" ? "0" : "2") +
                          ", element 50 of the output") >= 1);
    }
  }
}

TEST_CASE("a wrong element of any lane and slot is found whichever operation has it") {
  for (const auto& operation : operation_words()) {
    FakeGpu& gpu = devices(3);
    int spoiled = 0;
    gpu.spoil = [&](int rank, std::int64_t number, void* out) {
      const int victim = operation == "reduce" ? 0 : 1;
      // Late enough to be in a timed batch, and never the alignment before it.
      if (rank != victim || number < 100 || spoiled > 0) return;
      static_cast<unsigned char*>(out)[5] ^= 4;
      ++spoiled;
    };
    const Outcome outcome = run({"--ops", operation, "--begin", "300", "--end", "300"});
    INFO(operation << " " << outcome.said);
    CHECK(spoiled == 1);
    CHECK(outcome.code == protocol::ExitCode::kWrongAnswer);
    CHECK(outcome.count(", element 1 of the output") >= 1);
  }
}

TEST_CASE("a group that does not come together ends with what is known and is aborted") {
  devices(2).members_missing = true;
  const Outcome outcome = run({"--bring-up", "1"});
  CHECK(outcome.code == protocol::ExitCode::kDeviceError);
  CHECK(outcome.count("did not come together within 1 s: ranks 0 to 1 of 2") >= 1);
  CHECK(fake_gpu().aborted == 2);
  require_all_given_back();
}

TEST_CASE("the first member says the ids of its group before it waits for the others") {
  devices(1).members_missing = true;
  const Outcome outcome = run({"--ranks", "130", "--rank", "0", "--bring-up", "1"});
  CHECK(outcome.code == protocol::ExitCode::kDeviceError);
  CHECK(outcome.count("\"kind\":\"token\"") == 1);
  CHECK(outcome.count("\"name\":\"nccl\",\"value\":\"nccl1:6969") == 1);
  CHECK(outcome.count("rank 0 of 130 waited here") >= 1);
  CHECK(fake_gpu().communicators == 0);
}

TEST_CASE("an error in the background ends the wait with an abort") {
  FakeGpu& gpu = devices(2);
  gpu.broken_after = 20;
  gpu.spoil = [&](int, std::int64_t number, void*) {
    if (number >= 20) gpu.stuck = true;
  };
  const Outcome outcome = run({"--ops", "all_reduce"});
  CHECK(outcome.code == protocol::ExitCode::kDeviceError);
  CHECK(outcome.count("ncclRemoteError") >= 1);
  CHECK(outcome.count("the communicator was aborted") >= 1);
  CHECK(fake_gpu().aborted == 4);
  CHECK(fake_gpu().memory_in_use == 0);
}

TEST_CASE("an operation that never ends is aborted by the deadline") {
  FakeGpu& gpu = devices(2);
  gpu.spoil = [&](int, std::int64_t number, void*) {
    if (number >= 20) gpu.stuck = true;
  };
  const Outcome outcome = run({"--ops", "all_reduce", "--patience", "1"});
  CHECK(outcome.code == protocol::ExitCode::kDeviceError);
  CHECK(outcome.count("not done after 1 s") >= 1);
  CHECK(fake_gpu().aborted == 4);
  CHECK(fake_gpu().memory_in_use == 0);
}

TEST_CASE("graphs of captured work go before the communicators that wait for them") {
  for (const bool background : {false, true}) {
    FakeGpu& gpu = devices(2);
    if (background) gpu.broken_after = 150;
    gpu.spoil = [&](int, std::int64_t number, void*) {
      if (gpu.graph_launches > 0 && number >= 150) gpu.stuck = true;
    };
    const Outcome outcome = run({"--ops", "all_reduce", "--launch", "graph", "--patience", "1"});
    CHECK(outcome.code == protocol::ExitCode::kDeviceError);
    CHECK(outcome.count("the communicator was aborted") >= 1);
    CHECK(fake_gpu().graph_launches > 0);
    CHECK(fake_gpu().aborted == 4);
    CHECK(fake_gpu().aborted_under_graphs == 0);
    CHECK(fake_gpu().graphs == 0);
  }
}

TEST_CASE("a size over the free memory is refused with how much is free") {
  devices(2).free_bytes = std::int64_t{1} << 30;
  const Outcome outcome = run({"--ops", "all_reduce", "--begin", "1G", "--end", "1G"});
  CHECK(outcome.code == protocol::ExitCode::kUnavailable);
  CHECK(outcome.count("B are free") >= 1);
  CHECK(outcome.count("all_reduce 1073741824 B float sum needs 2147483648 B") >= 1);
  require_all_given_back();
}

TEST_CASE("buffers that NCCL does not register are no registered buffers") {
  devices(2).registers = false;
  const Outcome outcome = run({"--ops", "all_reduce", "--register", "symmetric"});
  CHECK(outcome.code == protocol::ExitCode::kUnavailable);
  CHECK(outcome.count("does not register buffers here") >= 1);
  require_all_given_back();
}

TEST_CASE("a wrong command line is refused before any device is looked for") {
  devices(0);
  CHECK(run({"--ranks", "4", "--rank", "4"}).code == protocol::ExitCode::kUsage);
  CHECK(run({"--in-place", "--ops", "alltoall"}).code == protocol::ExitCode::kUsage);
  CHECK(run({"--ranks", "65", "--dtypes", "float8e4m3", "--redops", "avg"}).code ==
        protocol::ExitCode::kUsage);
  CHECK(run({}).code == protocol::ExitCode::kUnavailable);
}
