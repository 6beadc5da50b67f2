#include "harness/warden/load_meter.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "tests/unit/temporary_folder.hpp"

using rackproof::warden::load_between;
using rackproof::warden::LoadMeter;
using rackproof::warden::LoadReading;
using rackproof::warden::usable_processors;

namespace {

// A host of which only /proc and a cgroup are there; ticks are hundredths of a second.
class Host {
 public:
  Host() {
    write("/proc/" + self() + "/task/" + self() + "/children", "");
    process(getpid(), 0, 0);
    stat("cpu0 100 0 50 9000 7 30 30 0 0 0\ncpu1 0 0 0 9000 0 0 0 0 0 0\n");
  }

  void write(const std::string& path, const std::string& text) {
    const std::filesystem::path full = folder_ / path.substr(1);
    std::filesystem::create_directories(full.parent_path());
    std::ofstream(full) << text;
  }
  void stat(const std::string& processors) {
    write("/proc/stat", "cpu  1 2 3 4 5 6 7 8 9 10\n" + processors + "intr 5 0 0\n");
  }
  void process(int pid, int ticks, int ticks_of_children) {
    write("/proc/" + std::to_string(pid) + "/stat",
          std::to_string(pid) + " (a) b (c) S 1 1 1 0 -1 0 0 0 0 0 " + std::to_string(ticks) +
              " 0 " + std::to_string(ticks_of_children) + " 0 20 0 1 0\n");
  }
  void children(int pid, const std::string& list) {
    const std::string id = std::to_string(pid);
    write("/proc/" + id + "/task/" + id + "/children", list);
  }
  LoadMeter meter(std::vector<int> processors = {}) const {
    return LoadMeter(std::move(processors), folder_.path());
  }
  void remove(const std::string& path) { std::filesystem::remove_all(folder_ / path.substr(1)); }
  static std::string self() { return std::to_string(getpid()); }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("what ran and what was stolen is read of the usable processors alone") {
  Host host;
  const LoadMeter all = host.meter();
  const LoadMeter first = host.meter({0, 64});
  const LoadReading before = all.read();
  const LoadReading before_first = first.read();
  // user, nice and system; idle, iowait, irq and softirq are nobody's.
  host.stat("cpu0 200 100 150 9500 99 99 99 40 0 0\ncpu1 700 0 0 9000 0 0 0 60 0 0\n");
  const auto load = load_between(before, all.read());
  CHECK(load.processors == 2);
  CHECK(load.busy == Approx(3 + 7));
  CHECK(load.stolen == Approx(1));
  CHECK(load.seconds >= 0);
  const auto of_first = load_between(before_first, first.read());
  CHECK(of_first.processors == 1);
  CHECK(of_first.busy == Approx(3));
  CHECK(of_first.stolen == Approx(0.4));
}

TEST_CASE("the run's own is what its ranks used, with all below them, dead or alive") {
  Host host;
  for (const int pid : {11, 12, 13, 14, 99}) host.process(pid, 100, 0);
  host.children(11, "12 13");
  host.children(12, "14");
  LoadMeter meter = host.meter();
  meter.own({11, 12});  // 12 is below 11: it is not counted twice
  const LoadReading before = meter.read();
  CHECK(before.own == Approx(4));
  host.process(14, 350, 0);
  host.process(99, 9000, 0);
  CHECK(load_between(before, meter.read()).own == Approx(2.5));
  // A process that ends leaves its time to the one that waited for it.
  host.children(12, "");
  host.remove("/proc/14");
  host.process(12, 100, 350);
  CHECK(load_between(before, meter.read()).own == Approx(2.5));
  // A rank that is gone takes nothing along that was counted.
  host.remove("/proc/11");
  CHECK(load_between(before, meter.read()).own >= 0);
}

TEST_CASE("how long programs waited is told by their own cgroup, else by the whole host") {
  Host host;
  const LoadMeter meter = host.meter();
  CHECK_FALSE(meter.read().waited);
  host.write("/proc/pressure/cpu",
             "some avg10=0.00 avg60=0.00 avg300=0.00 total=2500000\n"
             "full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n");
  const LoadReading before = meter.read();
  CHECK(before.waited == Approx(2.5));
  host.write("/proc/self/cgroup", "4:memory:/x\n0::/job/7\n");
  CHECK(meter.read().waited == Approx(2.5));
  host.write("/sys/fs/cgroup/job/7/cpu.pressure", "some avg10=0.00 total=4000000\n");
  CHECK(load_between(before, meter.read()).waited == Approx(1.5));
  host.write("/sys/fs/cgroup/job/7/cpu.pressure", "nonsense\n");
  host.write("/proc/pressure/cpu", "some avg10=0.00 total=\n");
  CHECK_FALSE(meter.read().waited);
}

TEST_CASE("what cannot be told is not known, and why") {
  Host host;
  const LoadMeter meter = host.meter();
  CHECK(meter.read().unknown.empty());
  const LoadReading before = meter.read();
  host.stat("cpuX 1 2\ncpu0 1 2 3\n");
  CHECK(meter.read().unknown.find("/proc/stat tells nothing") != std::string::npos);
  CHECK(load_between(before, meter.read()).unknown == meter.read().unknown);
  CHECK(load_between(before, meter.read()).processors == 0);
  host.remove("/proc/stat");
  CHECK_FALSE(meter.read().unknown.empty());
  host.stat("cpu0 1 0 0 1 0 0 0 0 0 0\n");
  host.remove("/proc/" + Host::self() + "/task");
  CHECK(meter.read().unknown.find("does not tell what a process has started") != std::string::npos);
}

TEST_CASE("counters that ran backwards are no time") {
  const LoadReading before{10, 2, 5, 5, 5, 5.0, ""};
  const auto load = load_between(before, LoadReading{9, 2, 4, 4, 4, 4.0, ""});
  CHECK(load == rackproof::model::HostLoad{2, 0, 0, 0, 0, 0.0, ""});
}

TEST_CASE("on this machine a child's work is the run's own") {
  REQUIRE_FALSE(usable_processors().empty());
  LoadMeter meter(usable_processors());
  const LoadReading before = meter.read();
  REQUIRE(before.unknown.empty());
  const pid_t child = fork();
  if (child == 0) {
    // A tenth of a second of processor time, however long that takes here.
    while (static_cast<double>(clock()) / CLOCKS_PER_SEC < 0.1) {
    }
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  const auto load = load_between(before, meter.read());
  CHECK(load.own >= 0.08);
  CHECK(load.seconds > 0);
}
