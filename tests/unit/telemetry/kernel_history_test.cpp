#include "harness/telemetry/kernel_history.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "tests/unit/telemetry/scratch.hpp"

namespace rackproof::telemetry {
namespace {

KernelHistory history_of(const std::string& text) {
  const Scratch scratch;
  const std::string root = scratch.path("");
  std::filesystem::create_directory(root + "/dev");
  std::ofstream(root + "/dev/kmsg", std::ios::binary) << text;
  return kernel_history(root);
}

}  // namespace

TEST_CASE("the log is read from its oldest message on, with the number of each") {
  const auto history = history_of(
      "6,17,1,-;nothing to see\n SUBSYSTEM=pci\n"
      "4,18,5140900,-;NVRM: Xid (PCI:0000:41:00): 79, off the bus\n"
      "6,19,5140901,-;nothing to see\n");
  CHECK(history.problem.empty());
  CHECK(history.last == 19);
  REQUIRE(history.events.size() == 1);
  CHECK(history.events[0].first == 18);
  CHECK(history.events[0].second.code == 79);
}

TEST_CASE("an empty log has no last message, and one that is not there says why") {
  CHECK_FALSE(history_of("").last);
  CHECK(history_of("").problem.empty());
  CHECK_FALSE(history_of("no message, no number\n").last);
  const Scratch scratch;
  CHECK_FALSE(kernel_history(scratch.path("")).problem.empty());
}

TEST_CASE("a log of many messages is read whole") {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "6," + std::to_string(i) + ",1,-;nothing to see\n";
  CHECK(history_of(text).last == 19'999);
}

}  // namespace rackproof::telemetry
