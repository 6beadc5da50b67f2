// The whole of copy-cuda on a machine that is played: devices 0 and 1 reach each other, nobody
// reaches the third.
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "benches/copy/chase.hpp"
#include "benches/copy/copy.hpp"
#include "benches/kit/errors.hpp"
#include "tests/support/cuda_host/play.hpp"
#include "tests/unit/listed.hpp"

using namespace rackproof;
using cuda_host::Done;
using cuda_host::kHostPlace;

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
  void note(std::string text, contract::Parameters said) override {
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
  std::vector<std::pair<std::string, contract::Parameters>> notes;
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

bool is_copy(std::string_view operation) {
  return operation == "a copy of 65536 B" || operation == "kernel copy::copy_kernel";
}

Ear listen(const copy::Settings& settings, std::optional<kit::Injection> fault = {}) {
  Ear ear;
  ear.fault = fault;
  copy::measure(settings, ear);
  CHECK(cuda_host::still_held() == 0);
  return ear;
}

// Time that is counted: bytes a second by where data come from and go, and of a walk for each step.
double seconds_of(const Done& done) {
  if (done.operation == "kernel copy::walk_kernel") {
    return 1e-3 * static_cast<double>(copy::kSteps);
  }
  if (!is_copy(done.operation)) return 0;
  const double rate = done.from == kHostPlace ? 50e6
                      : done.to == kHostPlace ? 40e6
                      : done.from == done.to  ? 1000e6
                                              : 400e6;
  return 65536 / rate;
}

}  // namespace

TEST_CASE("everything is measured on the right device, proved, and given back") {
  const cuda_host::Stage stage;
  cuda_host::play().seconds = seconds_of;
  const Ear ear = listen(quick());
  CHECK(ear.devices.size() == 3);
  CHECK(ear.failed().empty());
  CHECK(ear.last == 1);
  const std::map<std::string, double> rates{{"copy.h2d", 50e6},
                                            {"copy.d2h", 40e6},
                                            {"copy.local", 1000e6},
                                            {"copy.peer_write", 400e6},
                                            {"copy.peer_read", 400e6}};
  std::map<std::string, int> seen;
  std::set<std::string> ends;
  for (const auto& metric : ear.metrics) {
    INFO(metric.name);
    CHECK(test::is_listed(metric, "copy", "cuda"));
    ++seen[metric.name];
    CHECK(metric.samples.size() == 2);
    if (metric.subject.kind == contract::SubjectKind::kLink) {
      ends.insert(metric.subject.id.substr(metric.subject.id.size() - 1) + ">" +
                  metric.subject.peer.substr(metric.subject.peer.size() - 1));
    }
    if (metric.name == "copy.latency") {
      CHECK(metric.value == Approx(1e-3));
      continue;
    }
    CHECK(metric.value == Approx(rates.at(metric.name)));
  }
  // Links name where the data lay and where they went.
  CHECK(ends == std::set<std::string>{"0>1", "1>0"});
  const int domains = seen["copy.h2d"] / 12;  // of the machine that runs the test
  CHECK(seen["copy.h2d"] == 3 * 2 * 2 * domains);
  CHECK(seen["copy.d2h"] == seen["copy.h2d"]);
  CHECK(seen["copy.local"] == 3 * 2);
  CHECK(seen["copy.peer_write"] == 2 * 2 * 2);
  CHECK(seen["copy.peer_read"] == 2 * 2 * 2);
  CHECK(seen["copy.latency"] == 3 * domains + 2);
  CHECK(ear.notes_with("no peer access") == 4);
  // Both directions overlap as far as their rates let them.
  int together = 0;
  for (const auto& [text, facts] : ear.notes) {
    if (!facts.contains("least_overlap")) continue;
    ++together;
    const bool host = text.find("h2d") != std::string::npos;
    CHECK(std::get<double>(facts.at("least_overlap")) == Approx(host ? 0.8 : 1.0));
    CHECK(std::get<double>(facts.at("bytes_per_second_together")) == Approx(host ? 80e6 : 800e6));
  }
  CHECK(together > 0);
}

TEST_CASE("no copy begins while a kernel holds another stream") {
  const cuda_host::Stage stage;
  bool held = false;
  int holds = 0;
  int early = 0;
  cuda_host::play().begins = [&](int, std::string_view operation) {
    if (operation == "kernel copy::hold_kernel") {
      held = true;
      ++holds;
    }
    if (held && is_copy(operation)) ++early;
    return true;
  };
  cuda_host::play().after = [&](const Done& done) {
    if (done.operation == "kernel copy::hold_kernel") held = false;
  };
  copy::Settings settings = quick();
  settings.tests = {"h2d", "peer_write"};
  settings.directions = {"both"};
  listen(settings);
  CHECK(holds > 0);
  CHECK(early == 0);
}

TEST_CASE("a bit that a link turns fails what went over that link that way and nothing else") {
  const cuda_host::Stage stage;
  cuda_host::play().after = [](const Done& done) {
    if (is_copy(done.operation) && done.from == 0 && done.to == 1) *done.written ^= 0x10;
  };
  const Ear ear = listen(quick());
  CHECK(ear.failed() == std::set<std::string>{"peer_write.ce.one.0-1", "peer_write.sm.one.0-1",
                                              "peer_write.ce.both.0-1", "peer_write.sm.both.0-1",
                                              "peer_read.ce.one.0-1", "peer_read.sm.one.0-1",
                                              "peer_read.ce.both.0-1", "peer_read.sm.both.0-1"});
  const auto& first = ear.checks.at("peer_write.ce.one.0-1").first_wrong;
  REQUIRE(first);
  CHECK(first->where.find("in the memory of device 1") != std::string::npos);
}

TEST_CASE("one copy of a sample that does nothing shows, whichever it is") {
  const cuda_host::Stage stage;
  for (const int lost : {0, 1, 2, 3}) {
    int number = 0;
    cuda_host::play().begins = [&](int, std::string_view operation) {
      return !is_copy(operation) || number++ % 4 != lost;
    };
    copy::Settings settings = quick();
    settings.tests = {"h2d"};
    settings.directions = {"one"};
    settings.device = "0";
    const Ear ear = listen(settings);
    CHECK_FALSE(ear.checks.empty());
    CHECK(ear.failed().size() == ear.checks.size());
  }
}

TEST_CASE("data that come back from the device wrong are found by the host") {
  const cuda_host::Stage stage;
  cuda_host::play().after = [](const Done& done) {
    if (is_copy(done.operation) && done.from == 2 && done.to == kHostPlace) *done.written ^= 1;
  };
  copy::Settings settings = quick();
  settings.tests = {"h2d", "d2h"};
  const std::set<std::string> failed = listen(settings).failed();
  for (const std::string& name : failed) {
    CHECK(name.starts_with("d2h."));
    CHECK(name.ends_with(".2"));
  }
  CHECK(failed.size() >= 4);
}

TEST_CASE("an injected bit fails every check, with one wrong word or walk") {
  const cuda_host::Stage stage;
  const Ear ear = listen(quick(), kit::Injection{77, 3});
  CHECK(ear.failed().size() == ear.checks.size());
  for (const auto& [name, check] : ear.checks) CHECK(check.wrong == 1);
}

TEST_CASE("the device that the path names makes the copy") {
  const cuda_host::Stage stage;
  std::map<std::pair<int, int>, std::set<int>> drivers;
  cuda_host::play().after = [&](const Done& done) {
    if (is_copy(done.operation)) drivers[{done.from, done.to}].insert(done.device);
  };
  copy::Settings settings = quick();
  settings.tests = {"peer_write"};
  listen(settings);
  CHECK(drivers[{0, 1}] == std::set<int>{0});
  CHECK(drivers[{1, 0}] == std::set<int>{1});
  drivers.clear();
  settings.tests = {"peer_read"};
  listen(settings);
  CHECK(drivers[{0, 1}] == std::set<int>{1});
  CHECK(drivers[{1, 0}] == std::set<int>{0});
}

TEST_CASE("streams that were not held until all was queued give no times") {
  const cuda_host::Stage stage;
  cuda_host::machine_to_change().blocking = true;
  cuda_host::machine_to_change().timer = 1000;
  Ear ear;
  CHECK_THROWS_AS(copy::measure(quick(), ear), kit::DeviceError);
  CHECK(ear.metrics.empty());
  CHECK(cuda_host::still_held() == 0);
}

TEST_CASE("what does not fit in a device is refused with what is free") {
  const cuda_host::Stage stage;
  cuda_host::machine_to_change().memory = 1 << 20;
  copy::Settings settings = quick();
  settings.size = 1 << 20;
  Ear ear;
  CHECK_THROWS_WITH(copy::measure(settings, ear), Catch::Contains("1048576 B are free"));
  CHECK_THROWS_AS(copy::measure(settings, ear), kit::UsageError);
  CHECK(cuda_host::still_held() == 0);
}

TEST_CASE("one device has no peers, which is said, and nothing else is no result") {
  const cuda_host::Stage stage;
  copy::Settings settings = quick();
  settings.device = "0";
  const Ear ear = listen(settings);
  CHECK(ear.notes_with("no peers") == 1);
  CHECK(ear.failed().empty());
  settings.tests = {"peer_write", "peer_read"};
  Ear silent;
  CHECK_THROWS_AS(copy::measure(settings, silent), kit::Unavailable);
  cuda_host::machine_to_change().peers = 0;
  settings.device = "";
  CHECK_THROWS_AS(copy::measure(settings, silent), kit::Unavailable);
}
