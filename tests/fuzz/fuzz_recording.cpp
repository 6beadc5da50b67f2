#include <cstring>

#include "harness/telemetry/missing.hpp"
#include "harness/telemetry/ring_reader.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace rackproof;

namespace {

// With the checksums that its head and its slots then should have: without that, hardly an input
// would get past the first one.
std::string sealed(std::string bytes) {
  telemetry::Head head{};
  if (bytes.size() < sizeof head) return bytes;
  std::memcpy(&head, bytes.data(), sizeof head);
  if (head.head_bytes % 8 != 0 || head.head_bytes < sizeof head || head.head_bytes > bytes.size()) {
    return bytes;
  }
  head.seal = 0;
  std::memcpy(bytes.data(), &head, sizeof head);
  std::vector<std::uint64_t> words(head.head_bytes / 8);
  std::memcpy(words.data(), bytes.data(), head.head_bytes);
  head.seal = telemetry::seal_of(0, words);
  std::memcpy(bytes.data(), &head, sizeof head);
  if (head.columns > telemetry::kMostColumns) return bytes;
  std::vector<std::uint64_t> slot(telemetry::kSlotHead + head.columns);
  for (std::size_t at = head.head_bytes; at + slot.size() * 8 <= bytes.size();
       at += slot.size() * 8) {
    std::memcpy(slot.data(), bytes.data() + at, slot.size() * 8);
    std::vector<std::uint64_t> content(slot.begin() + 2, slot.end());
    content[0] = slot[1];
    slot[2] = telemetry::seal_of(slot[0], content);
    std::memcpy(bytes.data() + at, slot.data(), slot.size() * 8);
  }
  return bytes;
}

void read(const std::string& bytes) {
  try {
    const telemetry::Recording recording = telemetry::parse_recording(bytes, "file");
    std::uint64_t sequence = 0;
    std::uint64_t time = recording.about.start_monotonic_ns;
    for (const telemetry::Sample& sample : recording.samples) {
      fuzz::expect(sample.sequence > sequence, "sequences ascend");
      fuzz::expect(sample.monotonic_ns >= time, "times do not go back");
      fuzz::expect(sample.values.size() == recording.about.columns.size(), "a value each");
      fuzz::expect(recording.realtime_ns(sample) >= 0, "a time since 1970");
      sequence = sample.sequence;
      time = sample.monotonic_ns;
      for (const double value : sample.values) {
        if (!telemetry::is_value(value)) {
          fuzz::expect(!telemetry::why_missing(value).empty(), "a reason");
        }
      }
    }
  } catch (const telemetry::RecordingError& error) {
    const std::string text = error.what();
    fuzz::expect(!text.empty() && text.find('\n') == std::string::npos, "a message of one line");
  }
}

}  // namespace

// A recording is refused with one line, or every sample of it makes sense.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(fuzz::text_of(data, size));
  read(bytes);
  read(sealed(bytes));
  return 0;
}
