#include "harness/telemetry/kernel_lines.hpp"
#include "reports/model/printable.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace rackproof;

// A line of the kernel is nothing, or an event that makes sense.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text_of(data, size));
  for (const std::string& line : {text, "4,17,5140900,-;" + text}) {
    const auto event = telemetry::event_in(line);
    if (!event) continue;
    fuzz::expect(!event->kind.empty(), "a kind");
    fuzz::expect(!event->text.empty() && event->text == model::printable(event->text),
                 "a text of one line");
    fuzz::expect(event->device.size() <= 64, "a device is no essay");
    fuzz::expect(event->device.find_first_of(" \t\"\\") == std::string::npos, "and one word");
    fuzz::expect(event->code >= 0 && event->count == 1, "a code that is one");
    fuzz::expect((event->code == 0) || event->kind.ends_with("xid"), "codes are of Xids");
    fuzz::expect(line.find(';') != std::string::npos, "a head before the text");
  }
  return 0;
}
