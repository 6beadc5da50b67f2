#include "harness/telemetry/event_gate.hpp"

#include <catch2/catch.hpp>
#include <vector>

namespace rackproof::telemetry {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

Event event(const std::string& device, std::uint64_t seconds) {
  Event event;
  event.monotonic_ns = seconds * kSecond;
  event.kind = "aer";
  event.device = device;
  event.text = "at " + std::to_string(seconds);
  return event;
}

struct Gate {
  std::vector<Event> told;
  EventGate gate{[this](const Event& event) { told.push_back(event); }};
};

}  // namespace

TEST_CASE("few events go through as they are") {
  Gate gate;
  for (std::uint64_t i = 0; i < 20; ++i) {
    gate.gate.take(event("a", i * 5));
    gate.gate.take(event("b", i * 5));
  }
  gate.gate.close(200 * kSecond);
  REQUIRE(gate.told.size() == 40);
  CHECK(gate.told[1] == event("b", 0));
  CHECK(gate.told[38] == event("a", 95));
}

TEST_CASE("many alike are told as one with their count when their time is over") {
  Gate gate;
  for (int i = 0; i < 100; ++i) gate.gate.take(event("a", 3));
  gate.gate.take(event("b", 4));
  CHECK(gate.told.size() == 6);
  gate.gate.tick(12 * kSecond);
  CHECK(gate.told.size() == 6);
  gate.gate.tick(13 * kSecond);
  REQUIRE(gate.told.size() == 7);
  CHECK(gate.told.back().device == "a");
  CHECK(gate.told.back().count == 95);
  CHECK(gate.told.back().text == "at 3");
  gate.gate.take(event("a", 14));
  CHECK(gate.told.size() == 8);
  gate.gate.close(15 * kSecond);
  CHECK(gate.told.size() == 8);
}

TEST_CASE("after a thousand no event is kept and that is said at once and counted at the end") {
  Gate gate;
  for (int i = 0; i < EventGate::kMost + 10; ++i) {
    gate.gate.take(event(std::to_string(i), 1));
  }
  REQUIRE(gate.told.size() == EventGate::kMost + 1);
  CHECK(gate.told.back().kind == "more-events");
  gate.gate.close(2 * kSecond);
  REQUIRE(gate.told.size() == EventGate::kMost + 2);
  CHECK(gate.told.back().kind == "more-events");
  CHECK(gate.told.back().count == 10);
  CHECK(gate.told.back().text == "10 more events were not kept");
}

}  // namespace rackproof::telemetry
