// The whole of copy-cuda but its kernels, on a fake CUDA runtime.
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "benches/copy/copy.hpp"
#include "benches/kit/errors.hpp"
#include "tests/unit/copy/fake/fake_cuda.hpp"
#include "tests/unit/listed.hpp"

using namespace rackproof;

namespace {

struct Ear final : kit::Session {
  void device(protocol::Device record) override { devices.push_back(std::move(record)); }
  void token(protocol::Token) override {}
  void phase(std::string, double fraction) override {
    CHECK(fraction >= last);
    last = fraction;
  }
  void check(protocol::Check record) override { CHECK(checks.emplace(record.name, record).second); }
  void metric(protocol::Metric record) override {
    CHECK(checks.contains(record.check));
    metrics.push_back(std::move(record));
  }
  void note(std::string text, protocol::Parameters said) override {
    notes.emplace_back(std::move(text), std::move(said));
  }
  std::optional<kit::Injection> injection() const override { return fault; }

  std::set<std::string> failed() const {
    std::set<std::string> names;
    for (const auto& [name, check] : checks) {
      if (!check.passed) names.insert(name);
    }
    return names;
  }
  int notes_with(const std::string& part) const {
    int found = 0;
    for (const auto& [text, facts] : notes) found += text.find(part) != std::string::npos ? 1 : 0;
    return found;
  }

  std::vector<protocol::Device> devices;
  std::map<std::string, protocol::Check> checks;
  std::vector<protocol::Metric> metrics;
  std::vector<std::pair<std::string, protocol::Parameters>> notes;
  std::optional<kit::Injection> fault;
  double last = 0;
};

copy::Settings quick() {
  copy::Settings settings;
  settings.size = 64 * 1024;
  settings.copies = 4;
  settings.samples = 2;
  settings.seed = 7;
  settings.numa = "all";
  return settings;
}

// Devices 0 and 1 reach each other; nobody reaches the third.
fake_cuda::Machine three() {
  fake_cuda::Machine machine;
  machine.devices = 3;
  machine.reach.assign(3, std::vector<bool>(3, false));
  machine.reach[0][1] = machine.reach[1][0] = true;
  return machine;
}

Ear listen(const fake_cuda::Machine& machine, const copy::Settings& settings,
           std::optional<kit::Injection> fault = {}) {
  fake_cuda::start(machine);
  Ear ear;
  ear.fault = fault;
  copy::measure(settings, ear);
  CHECK(fake_cuda::fault().empty());
  CHECK(fake_cuda::leaked() == 0);
  return ear;
}

}  // namespace

TEST_CASE("everything is measured on the right device, proved, and given back") {
  const Ear ear = listen(three(), quick());
  CHECK(ear.devices.size() == 3);
  CHECK(ear.failed().empty());
  CHECK(ear.last == 1);
  const std::map<std::string, double> rates{{"copy.h2d", 50e9},
                                            {"copy.d2h", 40e9},
                                            {"copy.local", 1000e9},
                                            {"copy.peer_write", 400e9},
                                            {"copy.peer_read", 400e9}};
  std::map<std::string, int> seen;
  for (const auto& metric : ear.metrics) {
    CHECK(test::is_listed(metric, "copy", "cuda"));
    ++seen[metric.name];
    CHECK(metric.samples.size() == 2);
    if (metric.name == "copy.latency") {
      CHECK(metric.value == Approx(1e-6));
      continue;
    }
    CHECK(metric.value == Approx(rates.at(metric.name)));
  }
  const int domains = seen["copy.h2d"] / 12;  // of the machine that runs the test
  CHECK(seen["copy.h2d"] == 3 * 2 * 2 * domains);
  CHECK(seen["copy.d2h"] == seen["copy.h2d"]);
  CHECK(seen["copy.local"] == 3 * 2);
  CHECK(seen["copy.peer_write"] == 2 * 2 * 2);
  CHECK(seen["copy.peer_read"] == 2 * 2 * 2);
  CHECK(seen["copy.latency"] == 3 * domains + 2);
  CHECK(ear.notes_with("no peer access") == 4);
}

TEST_CASE("both directions overlap as far as their rates let them") {
  const Ear ear = listen(three(), quick());
  int seen = 0;
  for (const auto& [text, facts] : ear.notes) {
    if (!facts.contains("least_overlap")) continue;
    ++seen;
    const bool host = text.find("h2d") != std::string::npos;
    CHECK(std::get<double>(facts.at("least_overlap")) == Approx(host ? 0.8 : 1.0));
    CHECK(std::get<double>(facts.at("bytes_per_second_together")) == Approx(host ? 80e9 : 800e9));
  }
  CHECK(seen > 0);
}

TEST_CASE("links name where the data lay and where they went") {
  const Ear ear = listen(three(), quick());
  std::set<std::string> ends;
  for (const auto& metric : ear.metrics) {
    CHECK(test::is_listed(metric, "copy", "cuda"));
    if (metric.subject.kind != protocol::SubjectKind::kLink) continue;
    ends.insert(metric.subject.id.substr(metric.subject.id.size() - 1) + ">" +
                metric.subject.peer.substr(metric.subject.peer.size() - 1));
  }
  CHECK(ends == std::set<std::string>{"0>1", "1>0"});
}

TEST_CASE("a bit that a link turns fails what went over that link that way and nothing else") {
  fake_cuda::Machine machine = three();
  machine.arrived = [](int from, int to, std::byte* data, std::size_t bytes) {
    if (from == 0 && to == 1) data[bytes - 1] ^= std::byte{0x10};
  };
  const Ear ear = listen(machine, quick());
  CHECK(ear.failed() == std::set<std::string>{"peer_write.ce.one.0-1", "peer_write.sm.one.0-1",
                                              "peer_write.ce.both.0-1", "peer_write.sm.both.0-1",
                                              "peer_read.ce.one.0-1", "peer_read.sm.one.0-1",
                                              "peer_read.ce.both.0-1", "peer_read.sm.both.0-1"});
  const auto& first = ear.checks.at("peer_write.ce.one.0-1").first_wrong;
  REQUIRE(first);
  CHECK(first->where.find("in the memory of device 1") != std::string::npos);
}

TEST_CASE("one copy of a sample that does nothing shows, whichever it is") {
  for (const std::int64_t lost : {0, 1, 2, 3}) {
    fake_cuda::Machine machine = three();
    machine.copies = [lost](int, int from, int, std::int64_t number) {
      return from != fake_cuda::kHost || number % 4 != lost;
    };
    copy::Settings settings = quick();
    settings.tests = {"h2d"};
    settings.directions = {"one"};
    settings.device = "0";
    const Ear ear = listen(machine, settings);
    CHECK_FALSE(ear.checks.empty());
    CHECK(ear.failed().size() == ear.checks.size());
  }
}

TEST_CASE("data that come back from the device wrong are found by the host") {
  fake_cuda::Machine machine = three();
  machine.arrived = [](int from, int to, std::byte* data, std::size_t) {
    if (from == 2 && to == fake_cuda::kHost) data[800] ^= std::byte{1};
  };
  copy::Settings settings = quick();
  settings.tests = {"h2d", "d2h"};
  for (const std::string& name : listen(machine, settings).failed()) {
    CHECK(name.starts_with("d2h."));
    CHECK(name.ends_with(".2"));
  }
  CHECK(listen(machine, settings).failed().size() >= 4);
}

TEST_CASE("an injected bit fails every check, with one wrong word or walk") {
  const Ear ear = listen(three(), quick(), kit::Injection{77, 3});
  CHECK(ear.failed().size() == ear.checks.size());
  for (const auto& [name, check] : ear.checks) CHECK(check.wrong == 1);
}

TEST_CASE("the device that the path names makes the copy") {
  fake_cuda::Machine machine = three();
  std::map<std::pair<int, int>, std::set<int>> drivers;
  machine.copies = [&](int driver, int from, int to, std::int64_t) {
    drivers[{from, to}].insert(driver);
    return true;
  };
  copy::Settings settings = quick();
  settings.tests = {"peer_write"};
  listen(machine, settings);
  CHECK(drivers[{0, 1}] == std::set<int>{0});
  CHECK(drivers[{1, 0}] == std::set<int>{1});
  drivers.clear();
  settings.tests = {"peer_read"};
  listen(machine, settings);
  CHECK(drivers[{0, 1}] == std::set<int>{1});
  CHECK(drivers[{1, 0}] == std::set<int>{0});
}

TEST_CASE("streams that were not held until all was queued give no times") {
  fake_cuda::Machine machine = three();
  machine.impatient = true;
  fake_cuda::start(machine);
  Ear ear;
  CHECK_THROWS_AS(copy::measure(quick(), ear), kit::DeviceError);
  CHECK(ear.metrics.empty());
  CHECK(fake_cuda::fault().empty());
  CHECK(fake_cuda::leaked() == 0);
}

TEST_CASE("what does not fit in a device is refused with what is free") {
  fake_cuda::Machine machine = three();
  machine.memory = 1 << 20;
  copy::Settings settings = quick();
  settings.size = 1 << 20;
  fake_cuda::start(machine);
  Ear ear;
  CHECK_THROWS_WITH(copy::measure(settings, ear), Catch::Contains("1048576 B are free"));
  CHECK_THROWS_AS(copy::measure(settings, ear), kit::UsageError);
  CHECK(fake_cuda::leaked() == 0);
}

TEST_CASE("one device has no peers, which is said, and nothing else is no result") {
  fake_cuda::Machine machine;
  copy::Settings settings = quick();
  const Ear ear = listen(machine, settings);
  CHECK(ear.notes_with("no peers") == 1);
  CHECK(ear.failed().empty());
  settings.tests = {"peer_write", "peer_read"};
  fake_cuda::start(machine);
  Ear silent;
  CHECK_THROWS_AS(copy::measure(settings, silent), kit::Unavailable);
  fake_cuda::Machine apart = three();
  apart.reach.clear();
  fake_cuda::start(apart);
  CHECK_THROWS_AS(copy::measure(settings, silent), kit::Unavailable);
}
