#include "harness/telemetry/kernel_log.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "harness/telemetry/recorder.hpp"
#include "tests/unit/telemetry/scratch.hpp"

namespace rackproof::telemetry {
namespace {

constexpr const char* kXid = "4,17,5140900,-;NVRM: Xid (PCI:0000:41:00): 79, off the bus\n";

// A root folder with a file for the kernel's messages.
struct Root {
  Root() { std::filesystem::create_directory(path + "/dev"); }
  void say(const std::string& text) const {
    std::ofstream(path + "/dev/kmsg", std::ios::app | std::ios::binary) << text;
  }
  const Scratch scratch;
  const std::string path = scratch.path("");
};

std::vector<Event> events_of(KernelLog& log) {
  std::vector<double> values(log.columns().size());
  log.read({}, values);
  return log.take_events();
}

}  // namespace

TEST_CASE("messages from now on are events of the time when they came") {
  const Root root;
  root.say(kXid);
  KernelLog log(root.path);
  REQUIRE(log.problem().empty());
  CHECK(events_of(log).empty());
  const std::uint64_t before = monotonic_ns();
  root.say(std::string("6,18,1,-;nothing to see\n SUBSYSTEM=pci\n") + kXid + kXid);
  const auto events = events_of(log);
  REQUIRE(events.size() == 2);
  CHECK(events[0].code == 79);
  // The kernel's own time is long ago: it came after the last look.
  CHECK(events[0].monotonic_ns <= monotonic_ns());
  CHECK(events[0].monotonic_ns >= before);
  CHECK(events[0].monotonic_ns - events[0].within_ns <= before);
  CHECK(events_of(log).empty());
}

TEST_CASE("a time of the kernel between two looks is kept") {
  const Root root;
  root.say("");
  KernelLog log(root.path);
  events_of(log);
  const std::uint64_t microseconds = monotonic_ns() / 1000 + 1;
  while (monotonic_ns() < (microseconds + 1) * 1000) {
  }
  root.say("4,17," + std::to_string(microseconds) + ",-;EDAC MC0: 1 UE memory read error\n");
  const auto events = events_of(log);
  REQUIRE(events.size() == 1);
  CHECK(events[0].monotonic_ns == microseconds * 1000);
  CHECK(events[0].within_ns == 0);
}

TEST_CASE("a message that is not whole yet waits for its rest") {
  const Root root;
  root.say("");
  KernelLog log(root.path);
  const std::string line = kXid;
  root.say(line.substr(0, 30));
  CHECK(events_of(log).empty());
  root.say(line.substr(30));
  CHECK(events_of(log).size() == 1);
}

TEST_CASE("messages come out of a FIFO too") {
  const Root root;
  const std::string path = root.path + "/dev/kmsg";
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  KernelLog log(root.path);
  CHECK(events_of(log).empty());
  const int writer = open(path.c_str(), O_WRONLY | O_NONBLOCK);
  REQUIRE(writer >= 0);
  REQUIRE(write(writer, kXid, std::string(kXid).size()) > 0);
  CHECK(events_of(log).size() == 1);
  CHECK(events_of(log).empty());
  close(writer);
}

TEST_CASE("where there are no messages to read the reason is known") {
  const Scratch scratch;
  KernelLog log(scratch.path(""));
  CHECK(log.problem() == "kernel messages are not watched: /dev/kmsg: No such file or directory");
  CHECK(events_of(log).empty());
}

TEST_CASE("a recorder passes on what the kernel says and notes where it cannot") {
  const Root root;
  root.say("");
  RecorderOptions options;
  options.path = root.scratch.path("r");
  options.root = root.path;
  std::vector<Event> told;
  options.on_event = [&told](const Event& event) { told.push_back(event); };
  Recorder recorder(options);
  CHECK(recorder.about().notes.empty());
  recorder.sample();
  CHECK(told.empty());
  for (int i = 0; i < EventGate::kBurst + 2; ++i) root.say(kXid);
  recorder.sample();
  CHECK(told.size() == EventGate::kBurst);
  recorder.close();
  REQUIRE(told.size() == EventGate::kBurst + 1);
  CHECK(told.back().count == 2);
  options.root = root.scratch.path("r");
  Recorder other(options);
  REQUIRE(other.about().notes.size() == 1);
  CHECK(other.about().notes[0].starts_with("kernel messages are not watched: "));
}

}  // namespace rackproof::telemetry
