// The whole of pairs-nccl, with devices and an NCCL that are played.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "benches/pairs/nccl.hpp"
#include "tests/support/cuda_host/play.hpp"

using namespace rackproof;
using namespace rackproof::pairs;
using cuda_host::counts;
using cuda_host::play;
using cuda_host::Stage;

namespace {

struct Said {
  contract::ExitCode code;
  std::string text;

  int count(const std::string& part) const {
    int found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  }
};

// As many devices as `devices` says. Nobody is patient: who waits for a member that failed waits
// for good.
Said run_bench(int devices, std::vector<std::string> arguments) {
  cuda_host::machine_to_change().devices = devices;
  for (const char* word : {"--samples", "3", "--patience", "86400"}) arguments.emplace_back(word);
  NcclSettings settings;
  Said said;
  said.code = kit::run_bench(
      arguments, nccl_bench(settings), [&](std::string_view line) { said.text += line; }, "n");
  CHECK(cuda_host::still_held() == 0);
  CHECK(counts().communicators == 0);
  return said;
}

}  // namespace

TEST_CASE("by hand every two devices meet and every message is proved") {
  const Stage stage;
  for (const int count : {2, 3, 5}) {
    const Said said = run_bench(count, {"--sizes", "8,4K,40"});
    INFO(said.text.substr(said.text.size() > 400 ? said.text.size() - 400 : 0));
    CHECK(said.code == contract::ExitCode::kDone);
    const int matches = count * (count - 1) / 2 * 3 * 4;
    CHECK(said.count("\"kind\":\"link\"") == matches);
    CHECK(said.count("\"passed\":true") == matches + 3 * 3);
    CHECK(said.count("\"passed\":false") == 0);
    CHECK(said.count("\"kind\":\"device\",\"nonce\"") == count);
    CHECK(said.count("\"kind\":\"token\"") == 0);
    CHECK(counts().aborted == 0);
  }
}

TEST_CASE("messages of a batch are under way at once, and to and fro one after the other") {
  const Stage stage;
  play().seconds = [](const cuda_host::Done& done) {
    return done.operation.find("NCCL") == std::string_view::npos ? 1e-3 : 10e-6;
  };
  const Said said = run_bench(2, {"--sizes", "8,16K"});
  CHECK(said.code == contract::ExitCode::kDone);
  // Each message of a latency is an operation of NCCL; all 64 of a bandwidth are one.
  const auto value = [&](const std::string& metric, int bytes, const std::string& direction) {
    std::istringstream lines(said.text);
    for (std::string line; std::getline(lines, line);) {
      const auto record = nlohmann::json::parse(line);
      if (record["kind"] != "metric" || record["name"] != metric) continue;
      const auto& parameters = record["parameters"];
      if (parameters["bytes"] != bytes || parameters.value("direction", "") != direction) continue;
      return record["value"].get<double>();
    }
    return -1.0;
  };
  for (const int bytes : {8, 16 * 1024}) {
    INFO(bytes);
    CHECK(value("pairs.latency", bytes, "") == Approx(10e-6));
    CHECK(value("pairs.bandwidth", bytes, "forward") == Approx(64 * bytes / 10e-6));
    CHECK(value("pairs.bandwidth", bytes, "backward") == Approx(64 * bytes / 10e-6));
    CHECK(value("pairs.bandwidth", bytes, "both") == Approx(2 * 64 * bytes / 10e-6));
  }
}

TEST_CASE("one wrong bit is found in the memory of the device") {
  const Stage stage;
  const Said said =
      run_bench(4, {"--sizes", "4096", "--tests", "both", "--inject", "bitflip:77:3"});
  CHECK(said.code == contract::ExitCode::kWrongAnswer);
  CHECK(said.count("\"passed\":false") == 2);
  CHECK(said.count("word 77 of message 0 that rank 3") == 2);
}

TEST_CASE("a link that loses or turns what it carries fails alone") {
  const Stage stage;
  for (const bool lost : {true, false}) {
    const auto is_bad = [](int from, int to, std::size_t bytes) {
      return from == 2 && to == 0 && bytes >= 4096;
    };
    play().carries = [&](int from, int to, std::size_t bytes) {
      return !lost || !is_bad(from, to, bytes);
    };
    play().arrived = [&](int from, int to, char* data, std::size_t bytes) {
      if (is_bad(from, to, bytes)) data[100] ^= 4;
    };
    const Said said = run_bench(3, {"--sizes", "4096", "--tests", "one"});
    CHECK(said.code == contract::ExitCode::kWrongAnswer);
    CHECK(said.count("\"passed\":false") == 2);
    CHECK(said.count("\"name\":\"backward.4096.0-2\",\"passed\":false") == 1);
  }
}

TEST_CASE("a member that fails ends the others long before their patience does") {
  const Stage stage;
  int sent = 0;
  play().queues = [&](std::string_view call, int rank) {
    return rank != 2 || call != "Send" || sent++ < 50;
  };
  const Said said = run_bench(4, {"--sizes", "8"});
  INFO(said.text.substr(said.text.size() > 400 ? said.text.size() - 400 : 0));
  CHECK(said.code == contract::ExitCode::kDeviceError);
  CHECK(said.count("an error of an NCCL that a host plays") == 1);
  CHECK(counts().aborted >= 4);
}

TEST_CASE("a supervised member that fails aborts before it frees what a kernel may wait in") {
  const Stage stage;
  play().together = cuda_host::Play::Together::kAtOnce;
  play().queues = [](std::string_view call, int) { return call != "AllGather"; };
  const Said said = run_bench(1, {"--sizes", "8", "--ranks", "2", "--rank", "0"});
  CHECK(said.code == contract::ExitCode::kDeviceError);
  CHECK(counts().aborted == 2);
  CHECK(counts().freed_beside_communicators == 0);
}

TEST_CASE("what a device lacks the memory for is refused by all") {
  const Stage stage;
  cuda_host::machine_to_change().memory = 4 << 20;
  const Said said = run_bench(3, {"--sizes", "64M", "--tests", "one"});
  CHECK(said.code == contract::ExitCode::kUnavailable);
  CHECK(said.count("268435456 B of memory") == 1);
}

TEST_CASE("one device alone makes no pair") {
  const Stage stage;
  CHECK(run_bench(1, {}).code == contract::ExitCode::kUnavailable);
  CHECK(run_bench(4, {"--device", "2"}).code == contract::ExitCode::kUnavailable);
  CHECK(run_bench(4, {"--device", "9"}).code == contract::ExitCode::kUsage);
}

TEST_CASE("wrong words are refused before anything is begun") {
  const Stage stage;
  CHECK(run_bench(2, {"--sizes", "7"}).code == contract::ExitCode::kUsage);
  CHECK(run_bench(2, {"--rank", "1"}).code == contract::ExitCode::kUsage);
  CHECK(run_bench(2, {"--ranks", "2", "--rank", "2"}).code == contract::ExitCode::kUsage);
}
