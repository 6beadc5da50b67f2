// The whole of pairs-nccl but its kernels, with devices and an NCCL that are none.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "benches/kit/clock.hpp"
#include "benches/pairs/nccl.hpp"
#include "tests/unit/pairs/fake/fake_nccl.hpp"

using namespace rackproof;
using namespace rackproof::pairs;

namespace {

struct Said {
  protocol::ExitCode code;
  std::string text;

  int count(const std::string& part) const {
    int found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  }
};

Said run_bench(const fake_nccl::Machine& machine, std::vector<std::string> arguments) {
  fake_nccl::start(machine);
  for (const char* word : {"--samples", "3", "--patience", "20"}) arguments.emplace_back(word);
  NcclSettings settings;
  Said said;
  said.code = kit::run_bench(
      arguments, nccl_bench(settings), [&](std::string_view line) { said.text += line; }, "n");
  CHECK(fake_nccl::leaked() == 0);
  return said;
}

fake_nccl::Machine devices(int count) {
  fake_nccl::Machine machine;
  machine.devices = count;
  return machine;
}

}  // namespace

TEST_CASE("by hand every two devices meet and every message is proved") {
  for (const int count : {2, 3, 5}) {
    const Said said = run_bench(devices(count), {"--sizes", "8,64K,40"});
    INFO(said.text.substr(said.text.size() > 400 ? said.text.size() - 400 : 0));
    CHECK(said.code == protocol::ExitCode::kDone);
    const int matches = count * (count - 1) / 2 * 3 * 4;
    CHECK(said.count("\"kind\":\"link\"") == matches);
    CHECK(said.count("\"passed\":true") == matches + 3 * 3);
    CHECK(said.count("\"passed\":false") == 0);
    CHECK(said.count("\"kind\":\"device\",\"nonce\"") == count);
    CHECK(said.count("\"kind\":\"token\"") == 0);
    CHECK(fake_nccl::aborted() == 0);
  }
}

TEST_CASE("one wrong bit is found in the memory of the device") {
  const Said said =
      run_bench(devices(4), {"--sizes", "4096", "--tests", "both", "--inject", "bitflip:77:3"});
  CHECK(said.code == protocol::ExitCode::kWrongAnswer);
  CHECK(said.count("\"passed\":false") == 2);
  CHECK(said.count("word 77 of message 0 that rank 3") == 2);
}

TEST_CASE("a link that loses or turns what it carries fails alone") {
  for (const bool lost : {true, false}) {
    fake_nccl::Machine machine = devices(3);
    machine.arrives = [lost](int from, int to, std::byte* data, std::size_t bytes) {
      if (from != 2 || to != 0 || bytes < 4096) return true;
      data[100] ^= std::byte{4};
      return !lost;
    };
    const Said said = run_bench(machine, {"--sizes", "4096", "--tests", "one"});
    CHECK(said.code == protocol::ExitCode::kWrongAnswer);
    CHECK(said.count("\"passed\":false") == 2);
    CHECK(said.count("\"name\":\"backward.4096.0-2\",\"passed\":false") == 1);
  }
}

TEST_CASE("a member that fails ends the others long before their patience does") {
  fake_nccl::Machine machine = devices(4);
  machine.failing_rank = 2;
  machine.failing_after = 50;
  const double start = kit::now_seconds();
  const Said said = run_bench(machine, {"--sizes", "8"});
  CHECK(kit::now_seconds() - start < 10);
  CHECK(said.code == protocol::ExitCode::kDeviceError);
  CHECK(said.count("made up") == 1);
  CHECK(fake_nccl::aborted() >= 4);
}

TEST_CASE("a supervised member that fails aborts before it frees what a kernel may wait in") {
  fake_nccl::Machine machine = devices(1);
  machine.gathers_fail = true;
  const Said said = run_bench(machine, {"--sizes", "8", "--ranks", "2", "--rank", "0"});
  CHECK(said.code == protocol::ExitCode::kDeviceError);
  CHECK(fake_nccl::aborted() == 2);
  CHECK(fake_nccl::freed_beside_communicators() == 0);
}

TEST_CASE("what a device lacks the memory for is refused by all") {
  fake_nccl::Machine machine = devices(3);
  machine.memory = 4 << 20;
  const Said said = run_bench(machine, {"--sizes", "64M", "--tests", "one"});
  CHECK(said.code == protocol::ExitCode::kUnavailable);
  CHECK(said.count("268435456 B of memory") == 1);
}

TEST_CASE("one device alone makes no pair") {
  CHECK(run_bench(devices(1), {}).code == protocol::ExitCode::kUnavailable);
  CHECK(run_bench(devices(4), {"--device", "2"}).code == protocol::ExitCode::kUnavailable);
  CHECK(run_bench(devices(4), {"--device", "9"}).code == protocol::ExitCode::kUsage);
}

TEST_CASE("wrong words are refused before anything is begun") {
  CHECK(run_bench(devices(2), {"--sizes", "7"}).code == protocol::ExitCode::kUsage);
  CHECK(run_bench(devices(2), {"--rank", "1"}).code == protocol::ExitCode::kUsage);
  CHECK(run_bench(devices(2), {"--ranks", "2", "--rank", "2"}).code == protocol::ExitCode::kUsage);
}
