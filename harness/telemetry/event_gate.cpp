#include "harness/telemetry/event_gate.hpp"

namespace rackproof::telemetry {
namespace {

Event more(std::uint64_t now, std::int64_t count, std::string text) {
  Event event;
  event.monotonic_ns = now;
  event.kind = "more-events";
  event.severity = model::Severity::kWarning;
  event.count = count;
  event.text = std::move(text);
  return event;
}

}  // namespace

void EventGate::pass(const Event& event) {
  if (passed_ >= kMost) {
    dropped_ += event.count;
    return;
  }
  sink_(event);
  // At once: a recorder that is killed later cannot say it.
  if (++passed_ == kMost) {
    sink_(more(event.monotonic_ns, 1, "there were 1000 events: those after this are not kept"));
  }
}

void EventGate::release(Repeats& repeats) {
  if (repeats.held.count > 0) pass(repeats.held);
  repeats.held = {};
  repeats.held.count = 0;
}

void EventGate::take(const Event& event) {
  tick(event.monotonic_ns);
  const auto [place, fresh] =
      repeats_.try_emplace({event.kind, event.device, event.code, event.severity});
  Repeats& repeats = place->second;
  if (fresh) {
    repeats.since = event.monotonic_ns;
    repeats.held.count = 0;
  }
  if (repeats.passed < kBurst) {
    ++repeats.passed;
    return pass(event);
  }
  const std::int64_t count = repeats.held.count + event.count;
  repeats.held = event;
  repeats.held.count = count;
}

void EventGate::tick(std::uint64_t now) {
  for (auto entry = repeats_.begin(); entry != repeats_.end();) {
    if (now < entry->second.since + kWindow) {
      ++entry;
      continue;
    }
    release(entry->second);
    entry = repeats_.erase(entry);
  }
}

void EventGate::close(std::uint64_t now) {
  for (auto& [likeness, repeats] : repeats_) release(repeats);
  repeats_.clear();
  if (dropped_ == 0) return;
  sink_(more(now, dropped_, std::to_string(dropped_) + " more events were not kept"));
  dropped_ = 0;
}

}  // namespace rackproof::telemetry
