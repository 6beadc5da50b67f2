// The whole of collectives-nccl, with devices and an NCCL that are played.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "benches/collectives/nccl.hpp"
#include "tests/support/cuda_host/play.hpp"

using namespace rackproof;
using namespace rackproof::collectives;
using namespace rackproof::reduction;
using cuda_host::counts;
using cuda_host::machine_to_change;
using cuda_host::play;
using cuda_host::Stage;

namespace {

struct Outcome {
  contract::ExitCode code;
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

// Of the metric of this name.
double value_of(const std::string& said, const std::string& name) {
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    const auto record = nlohmann::json::parse(line);
    if (record["kind"] == "metric" && record["name"] == name) return record["value"];
  }
  return -1;
}

void devices(int count) { machine_to_change().devices = count; }

void require_all_given_back() {
  CHECK(cuda_host::still_held() == 0);
  CHECK(counts().communicators == 0);
  CHECK(counts().registrations == 0);
  CHECK(counts().graphs == 0);
}

}  // namespace

TEST_CASE("every operation and size and reduction that is asked for has its records") {
  const Stage stage;
  for (const int count : {2, 4}) {
    counts().aborted = 0;
    devices(count);
    const Outcome outcome = run({"--begin", "64", "--end", "512", "--factor", "8", "--dtypes",
                                 "float8e4m3", "--redops", "sum,avg"});
    INFO(outcome.said.substr(outcome.said.size() - 300));
    CHECK(outcome.code == contract::ExitCode::kDone);
    const int cells = 2 * (3 * 2 + 4);
    CHECK(outcome.count("\"kind\":\"check\"") == cells + 1);
    CHECK(outcome.count("\"passed\":true") == cells + 1);
    CHECK(outcome.count("\"kind\":\"metric\"") == 3 * cells + 1);
    CHECK(outcome.count("\"name\":\"collectives.bringup\",\"unit\":\"s\"") == 1);
    CHECK(outcome.count("\"kind\":\"device\"") == count);
    CHECK(outcome.count("\"kind\":\"token\"") == 0);
    require_all_given_back();
    CHECK(counts().aborted == 0);
  }
}

TEST_CASE("in place and graphs and registered buffers give the same checked results") {
  const Stage stage;
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{"--in-place"},
                                             {"--launch", "graph"},
                                             {"--in-place", "--launch", "graph"},
                                             {"--register", "local"},
                                             {"--register", "symmetric", "--launch", "graph"},
                                             {"--register", "symmetric", "--in-place"}}) {
    counts().graph_launches = 0;
    devices(3);
    std::vector<std::string> arguments{"--begin", "96", "--end", "96"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = run(arguments);
    INFO(options.front() << " " << outcome.said.substr(outcome.said.size() - 300));
    CHECK(outcome.code == contract::ExitCode::kDone);
    const bool in_place = options.front() == "--in-place" || options.back() == "--in-place";
    const int cells = in_place ? 4 : 7;
    CHECK(outcome.count("\"passed\":true") == cells + 1);
    const bool graph = outcome.count("\"launch\":\"graph\"") > 0;
    CHECK((counts().graph_launches > 0) == graph);
    require_all_given_back();
  }
}

TEST_CASE("short operations are timed together, and one by one for their tail") {
  const Stage stage;
  devices(2);
  const Outcome outcome =
      run({"--ops", "all_reduce", "--begin", "64", "--end", "1K", "--factor", "16"});
  CHECK(outcome.code == contract::ExitCode::kDone);
  CHECK(outcome.count("all_reduce.latency_p99\",\"unit\"") == 2);
  CHECK(outcome.count("\"operations_per_sample\":31") == 2);
}

TEST_CASE("a sample is the mean of what lies between two events, and the tail is of single ones") {
  const Stage stage;
  devices(2);
  // The last operation of each batch takes long. What is no operation of NCCL stands before the
  // alignment, which is the first one.
  std::map<int, int> since;
  play().seconds = [&](const cuda_host::Done& done) {
    if (done.operation.find("NCCL") == std::string_view::npos) {
      since[done.device] = 0;
      return 1e-6;
    }
    constexpr int kLast = 1 + 64;
    return ++since[done.device] == kLast ? 320e-6 : 10e-6;
  };
  const Outcome outcome = run({"--ops", "all_reduce", "--begin", "64", "--end", "64"});
  INFO(outcome.said);
  CHECK(outcome.code == contract::ExitCode::kDone);
  // Of 31 in 10 us, and of 30 in 10 us with one in 320 us: as many of the former as of the latter.
  CHECK(value_of(outcome.said, "all_reduce.time") == Approx(15e-6));
  CHECK(value_of(outcome.said, "all_reduce.latency_p99") == Approx(320e-6));
}

TEST_CASE("a graph has no tail: it is timed as a whole, and as often as was asked for") {
  const Stage stage;
  devices(2);
  const Outcome outcome = run({"--ops", "all_reduce", "--begin", "64", "--end", "64", "--launch",
                               "graph", "--iterations", "5", "--max-iterations", "20000"});
  CHECK(outcome.code == contract::ExitCode::kDone);
  CHECK(outcome.count("latency_p99") == 0);
  CHECK(outcome.count("\"operations_per_sample\":64") == 1);
  CHECK(counts().graph_launches >= 2 * 5);
}

TEST_CASE("one device alone has times and no bus bandwidth") {
  const Stage stage;
  devices(1);
  const Outcome outcome = run({"--begin", "1K", "--end", "1K"});
  CHECK(outcome.code == contract::ExitCode::kDone);
  CHECK(outcome.count("busbw\",\"unit\"") == 0);
  CHECK(outcome.count("\"name\":\"all_reduce.time\"") == 1);
  CHECK(outcome.count("broadcast.time") == 0);
  CHECK(outcome.count("one rank alone") == 1);
  const Outcome member = run({"--begin", "1K", "--end", "1K", "--ranks", "1", "--rank", "0"});
  CHECK(member.code == contract::ExitCode::kDone);
  CHECK(member.count("\"kind\":\"token\"") == 0);
}

TEST_CASE("an injected bit fails the check of its cell with its rank and element") {
  const Stage stage;
  for (const std::string operation : {"all_gather", "reduce", "reduce_scatter", "sendrecv"}) {
    for (const bool graph : {false, true}) {
      devices(3);
      const Outcome outcome =
          run({"--ops", operation, "--begin", "1200", "--end", "1200", "--inject", "bitflip:50:3",
               "--launch", graph ? "graph" : "plain"});
      INFO(operation << " " << outcome.said);
      CHECK(outcome.code == contract::ExitCode::kWrongAnswer);
      CHECK(outcome.count("\"wrong\":1,") == 1);
      CHECK(outcome.count(std::string("rank ") + (operation == "reduce" ? "0" : "2") +
                          ", element 50 of the output") >= 1);
    }
  }
}

TEST_CASE("a wrong element of any lane and slot is found whichever operation has it") {
  const Stage stage;
  for (const auto& operation : operation_words()) {
    devices(3);
    int spoiled = 0;
    const int victim = operation == "reduce" ? 0 : 1;
    play().came_out = [&](int rank, std::int64_t number, char* out) {
      // Late enough to be in a timed batch, and never the alignment before it.
      if (rank != victim || number < 100 || spoiled > 0) return;
      out[5] ^= 4;
      ++spoiled;
    };
    const Outcome outcome = run({"--ops", operation, "--begin", "300", "--end", "300"});
    INFO(operation << " " << outcome.said);
    CHECK(spoiled == 1);
    CHECK(outcome.code == contract::ExitCode::kWrongAnswer);
    CHECK(outcome.count(", element 1 of the output") >= 1);
  }
}

TEST_CASE("a group that does not come together ends with what is known and is aborted") {
  const Stage stage;
  devices(2);
  play().together = cuda_host::Play::Together::kNever;
  const Outcome outcome = run({"--bring-up", "1"});
  CHECK(outcome.code == contract::ExitCode::kGaveUp);
  CHECK(outcome.count("did not come together within 1 s: ranks 0 to 1 of 2") >= 1);
  CHECK(counts().aborted == 2);
  require_all_given_back();
}

TEST_CASE("the first member says the ids of its group before it waits for the others") {
  const Stage stage;
  devices(1);
  play().together = cuda_host::Play::Together::kNever;
  const Outcome outcome = run({"--ranks", "130", "--rank", "0", "--bring-up", "1"});
  CHECK(outcome.code == contract::ExitCode::kGaveUp);
  CHECK(outcome.count("\"kind\":\"token\"") == 1);
  CHECK(outcome.count("\"name\":\"nccl\",\"value\":\"nccl1:2f72") == 1);
  CHECK(outcome.count("rank 0 of 130 waited here") >= 1);
  CHECK(counts().communicators == 0);
}

TEST_CASE("an error in the background ends the wait with an abort") {
  const Stage stage;
  devices(2);
  machine_to_change().lost = {0, 20};
  const Outcome outcome = run({"--ops", "all_reduce"});
  CHECK(outcome.code == contract::ExitCode::kGaveUp);
  CHECK(outcome.count("ncclRemoteError") >= 1);
  CHECK(outcome.count("the communicator was aborted") >= 1);
  CHECK(counts().aborted == 4);
  CHECK(cuda_host::still_held() == 0);
}

TEST_CASE("an operation that never ends is aborted by the deadline") {
  const Stage stage;
  devices(2);
  machine_to_change().hang = {0, 20};
  const Outcome outcome = run({"--ops", "all_reduce", "--patience", "1"});
  CHECK(outcome.code == contract::ExitCode::kGaveUp);
  CHECK(outcome.count("not done after 1 s") >= 1);
  CHECK(counts().aborted == 4);
  CHECK(cuda_host::still_held() == 0);
}

TEST_CASE("graphs of captured work go before the communicators that wait for them") {
  const Stage stage;
  for (const bool background : {false, true}) {
    counts().aborted = 0;
    counts().graph_launches = 0;
    devices(2);
    machine_to_change().hang = {background ? -1 : 0, 150};
    machine_to_change().lost = {background ? 0 : -1, 150};
    const Outcome outcome = run({"--ops", "all_reduce", "--launch", "graph", "--patience", "1"});
    CHECK(outcome.code == contract::ExitCode::kGaveUp);
    CHECK(outcome.count("the communicator was aborted") >= 1);
    CHECK(counts().graph_launches > 0);
    CHECK(counts().aborted == 4);
    CHECK(counts().graphs == 0);
  }
}

TEST_CASE("a size over the free memory is refused with how much is free") {
  const Stage stage;
  devices(2);
  machine_to_change().memory = std::size_t{1} << 30;
  const Outcome outcome = run({"--ops", "all_reduce", "--begin", "1G", "--end", "1G"});
  CHECK(outcome.code == contract::ExitCode::kUnavailable);
  CHECK(outcome.count("B are free") >= 1);
  CHECK(outcome.count("all_reduce 1073741824 B float sum needs 2147483648 B") >= 1);
  require_all_given_back();
}

TEST_CASE("buffers that NCCL does not register are no registered buffers") {
  const Stage stage;
  devices(2);
  play().registers = false;
  const Outcome outcome = run({"--ops", "all_reduce", "--register", "symmetric"});
  CHECK(outcome.code == contract::ExitCode::kUnavailable);
  CHECK(outcome.count("does not register buffers here") >= 1);
  require_all_given_back();
}

TEST_CASE("an average of float8 in a group of one is said to be lacking before anything runs") {
  const Stage stage;
  devices(1);
  const std::vector<std::string> all{"--ops", "all_reduce", "--begin",    "64",      "--end",
                                     "64",    "--dtypes",   "float8e4m3", "--redops"};
  std::vector<std::string> arguments = all;
  arguments.emplace_back("sum,max");
  CHECK(run(arguments).code == contract::ExitCode::kDone);
  arguments.back() = "sum,avg";
  const Outcome outcome = run(arguments);
  CHECK(outcome.code == contract::ExitCode::kUnavailable);
  CHECK(outcome.count("no average of float8 in a group of one rank") >= 1);
  CHECK(outcome.count("\"kind\":\"metric\"") == 0);
}

TEST_CASE("a wrong command line is refused before any device is looked for") {
  const Stage stage;
  devices(0);
  CHECK(run({"--ranks", "4", "--rank", "4"}).code == contract::ExitCode::kUsage);
  CHECK(run({"--in-place", "--ops", "alltoall"}).code == contract::ExitCode::kUsage);
  CHECK(run({"--ranks", "65", "--dtypes", "float8e4m3", "--redops", "avg"}).code ==
        contract::ExitCode::kUsage);
  CHECK(run({}).code == contract::ExitCode::kUnavailable);
}
