// The bench by hand, over all devices of this machine.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "benches/collectives/nccl.hpp"
#include "benches/kit/cuda/device.hpp"
#include "tests/device/sizes.hpp"

using namespace rackproof;
using namespace rackproof::collectives;
using namespace rackproof::reduction;
using device_tests::kSizes;

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
  for (const char* quick : {"--min-seconds", "0", "--iterations", kSizes.collective_iterations}) {
    arguments.emplace_back(quick);
  }
  NcclSettings settings;
  Outcome outcome;
  outcome.code = kit::run_bench(
      arguments, nccl_bench(settings), [&](std::string_view line) { outcome.said += line; }, "");
  return outcome;
}

bool has_float8() {
  for (const kit::cuda::Device& device : kit::cuda::devices()) {
    if (device.major < 9) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("every operation and type and reduction is right on all devices") {
  std::string types = "int8,uint8,int32,uint32,int64,uint64,float,double,half,bfloat16";
  const bool alone = kit::cuda::devices().size() == 1;
  if (has_float8() && !alone) types += ",float8e4m3,float8e5m2";
  const Outcome outcome = run({"--begin", "1K", "--end", kSizes.collective_all, "--factor", "1024",
                               "--dtypes", types, "--redops", "sum,prod,min,max,avg"});
  INFO(outcome.said.substr(outcome.said.size() - std::min<std::size_t>(outcome.said.size(), 2000)));
  CHECK(outcome.code == contract::ExitCode::kDone);
  if (kit::cuda::devices().size() > 1) {
    // Three operations reduce; four move. One check more is that of the bring-up.
    const int sizes = device_tests::kOnHost ? 1 : 2;
    const int cells = sizes * (has_float8() ? 12 : 10) * (3 * 5 + 4);
    CHECK(outcome.count("\"passed\":true") == cells + 1);
    CHECK(outcome.count("\"kind\":\"metric\"") == 3 * cells + 1);
  }
  CHECK(outcome.count("\"passed\":true") > 100);
  CHECK(outcome.count("\"passed\":false") == 0);
}

TEST_CASE("of float8 one rank alone reduces what NCCL can, and says what it cannot") {
  if (!has_float8() || kit::cuda::devices().size() > 1) return;
  const std::vector<std::string> little{"--ops",    "all_reduce,reduce_scatter,reduce",
                                        "--begin",  "1K",
                                        "--end",    "1K",
                                        "--dtypes", "float8e4m3,float8e5m2",
                                        "--redops"};
  std::vector<std::string> arguments = little;
  arguments.emplace_back("sum,prod,min,max");
  CHECK(run(arguments).code == contract::ExitCode::kDone);
  arguments.back() = "sum,avg";
  const Outcome outcome = run(arguments);
  INFO(outcome.said);
  CHECK(outcome.code == contract::ExitCode::kUnavailable);
  CHECK(outcome.count("no average of float8 in a group of one rank") >= 1);
}

TEST_CASE("in place and graphs and registered buffers are right on all devices") {
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{"--in-place"},
                                             {"--launch", "graph"},
                                             {"--in-place", "--launch", "graph"},
                                             {"--register", "local"},
                                             {"--register", "symmetric"},
                                             {"--register", "symmetric", "--launch", "graph"}}) {
    std::vector<std::string> arguments{"--begin",  "1K", "--end", kSizes.collective_most,
                                       "--factor", "256"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = run(arguments);
    INFO(options.front() << " "
                         << outcome.said.substr(outcome.said.size() -
                                                std::min<std::size_t>(outcome.said.size(), 2000)));
    CHECK(outcome.code == contract::ExitCode::kDone);
    CHECK(outcome.count("\"passed\":false") == 0);
  }
}

TEST_CASE("a flipped bit is found on the device with rank and element") {
  for (const char* launch : {"plain", "graph"}) {
    const std::string element = std::to_string(kSizes.flipped_element);
    const Outcome outcome =
        run({"--ops", "all_reduce", "--begin", kSizes.flipped_bytes, "--end", kSizes.flipped_bytes,
             "--inject", "bitflip:" + element + ":30", "--launch", launch});
    INFO(outcome.said);
    CHECK(outcome.code == contract::ExitCode::kWrongAnswer);
    CHECK(outcome.count("element " + element + " of the output") >= 1);
    CHECK(outcome.count("\"wrong\":1,") == 1);
  }
}

TEST_CASE("a size over the memory of a device is refused with how much is free") {
  const Outcome outcome = run({"--ops", "all_reduce", "--begin", "8T", "--end", "8T"});
  INFO(outcome.said);
  CHECK(outcome.code == contract::ExitCode::kUnavailable);
  CHECK(outcome.count("B are free") >= 1);
}
