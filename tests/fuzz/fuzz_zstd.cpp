#include <optional>
#include <string>

#include "harness/support/zstd.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace rackproof;

namespace {

constexpr std::uint64_t kMost = 1 << 20;

// Fed `step` bytes at a time; nothing where it is refused.
std::optional<std::string> decompressed(std::string_view bytes, std::size_t step) {
  std::string out;
  const auto next = [&] {
    const std::string_view part = bytes.substr(0, step);
    bytes.remove_prefix(part.size());
    return part;
  };
  const auto take = [&out](std::string_view part) {
    out += part;
    return true;
  };
  try {
    support::decompress(next, kMost, take);
  } catch (const support::BadZstd&) {
    fuzz::expect(out.size() <= kMost, "no more is given than is allowed");
    return std::nullopt;
  }
  return out;
}

std::string compressed(std::string_view text) {
  std::string out;
  support::Compressor compressor([&out](std::string_view part) { out += part; });
  compressor.add(text.substr(0, text.size() / 3));
  compressor.add(text.substr(text.size() / 3));
  compressor.finish();
  return out;
}

}  // namespace

// Any bytes are refused or have one content, however they are read; what was compressed comes back.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::text_of(data, size);
  const auto whole = decompressed(bytes, size);
  // A frame that is refused for the size it claims is refused later where its header comes in
  // parts.
  if (whole) fuzz::expect(decompressed(bytes, 7) == whole, "the content is the same in parts");
  const std::string frame = compressed(bytes);
  fuzz::expect(support::is_zstd(frame), "what is compressed is told from what is not");
  fuzz::expect(decompressed(frame, 4096) == bytes, "what was compressed comes back");
  return 0;
}
