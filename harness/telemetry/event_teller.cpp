#include "harness/telemetry/event_teller.hpp"

#include <signal.h>

#include <cstdio>
#include <string>

#include "benches/protocol/emit.hpp"
#include "benches/protocol/version.hpp"
#include "harness/telemetry/event.hpp"
#include "harness/telemetry/recorder.hpp"
#include "reports/model/words.hpp"

namespace rackproof::telemetry {
namespace {

double seconds_of(std::uint64_t nanoseconds) { return static_cast<double>(nanoseconds) * 1e-9; }

std::string nonce_of(const EventTeller::Environment& environment) {
  const auto found = environment.find(protocol::kNonceVariable);
  return found == environment.end() ? "" : found->second;
}

}  // namespace

class EventTeller::Records {
 public:
  explicit Records(const Environment& environment)
      : emitter_(
            [](std::string_view line) {
              std::fwrite(line.data(), 1, line.size(), stdout);
              std::fflush(stdout);
            },
            nonce_of(environment)),
        began_(monotonic_ns()) {
    protocol::Hello hello;
    hello.bench = kRecorderBench;
    hello.backend = "host";
    hello.version = protocol::version();
    hello.commit = protocol::commit();
    emitter_.emit(hello);
  }

  void tell(const Event& event) {
    protocol::Note note;
    note.text = event.text;
    note.facts = {{"event", event.kind},
                  {"severity", std::string(contract::word(event.severity))},
                  {"source", std::string(word(event.source))},
                  {"monotonic_s", seconds_of(event.monotonic_ns)}};
    if (event.within_ns > 0) note.facts["within_s"] = seconds_of(event.within_ns);
    if (!event.device.empty()) note.facts["device"] = event.device;
    if (event.code != 0) note.facts["code"] = event.code;
    if (event.count != 1) note.facts["count"] = event.count;
    emitter_.emit(note);
  }

  void end() { emitter_.emit(protocol::End{"done", 0, seconds_of(monotonic_ns() - began_)}); }

 private:
  protocol::Emitter emitter_;
  std::uint64_t began_;
};

EventTeller::EventTeller(bool part_of_run, const Environment& environment) {
  if (!part_of_run) return;
  // Its warden may be gone before it is: that is told by another signal, and the file closed then.
  ::signal(SIGPIPE, SIG_IGN);
  records_ = std::make_unique<Records>(environment);
}

EventTeller::~EventTeller() = default;

void EventTeller::tell(const Event& event) {
  if (records_) return records_->tell(event);
  const std::string device = event.device.empty() ? "" : event.device + ": ";
  const std::string count = event.count == 1 ? "" : ", " + std::to_string(event.count) + " times";
  std::fprintf(stderr, "rackproof: %s (%s): %s%s%s\n", event.kind.c_str(),
               std::string(contract::word(event.severity)).c_str(), device.c_str(),
               event.text.c_str(), count.c_str());
}

void EventTeller::end() {
  if (records_) records_->end();
}

}  // namespace rackproof::telemetry
