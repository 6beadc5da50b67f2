#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "benches/protocol/emit.hpp"
#include "harness/ingest/record_reader.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace rackproof;

namespace {

std::vector<std::string> emit(const ingest::Incoming& incoming) {
  std::vector<std::string> lines;
  protocol::Emitter emitter([&](std::string_view line) { lines.emplace_back(line); },
                            incoming.nonce);
  std::visit([&](const auto& record) { emitter.emit(record); }, incoming.record);
  for (std::string& line : lines) line.pop_back();
  return lines;
}

}  // namespace

// A line is refused, or it is a record that can be written and read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const ingest::Incoming incoming = ingest::read_record(fuzz::text_of(data, size));
    const std::vector<std::string> once = emit(incoming);
    // A long series is written as several records.
    if (once.size() != 1) return 0;
    // Once round is for the numbers: "-0e3" is read as minus zero, which is written "-0", and that
    // is read as the integer 0.
    const std::vector<std::string> twice = emit(ingest::read_record(once.front()));
    fuzz::expect(emit(ingest::read_record(twice.front())) == twice,
                 "a record that was read is written and read back the same");
  } catch (const ingest::BadRecord&) {
    return 0;
  } catch (const std::length_error&) {
    // Escapes may make it longer than a record can be.
    return 0;
  }
  return 0;
}
