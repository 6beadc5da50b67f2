#include "harness/telemetry/event.hpp"

#include <catch2/catch.hpp>

namespace rackproof::telemetry {

TEST_CASE("who told an event is read back from its word, whatever its text") {
  for (const EventSource source : {EventSource::kKernel, EventSource::kNvml}) {
    const std::string told(word(source));
    CHECK(event_source_of(told, "NVML: Xid 79") == source);
    CHECK(event_source_of(told, "NVRM: Xid (PCI:0000:41:00): 79") == source);
  }
}

TEST_CASE("of recorders without that word, NVML's events begin with its name") {
  CHECK(event_source_of({}, "NVML: Xid 79") == EventSource::kNvml);
  CHECK(event_source_of({}, "NVRM: Xid (PCI:0000:41:00): 79") == EventSource::kKernel);
  CHECK(event_source_of({}, "") == EventSource::kKernel);
}

}  // namespace rackproof::telemetry
