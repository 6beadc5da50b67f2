#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace rackproof::support {

/// The bytes at the beginning of a file that tell whether it is compressed.
inline constexpr std::size_t kZstdMagicBytes = 4;

/// Whether these are the first bytes of what zstd has compressed, whatever the file's name.
bool is_zstd(std::string_view head);

/// Cannot be decompressed; what() says why, in the words that follow the name of a file: "is cut
/// off in the middle of what zstd has compressed".
struct BadZstd : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Gives some of the next bytes, until the next call; none: that was all.
using NextBytes = std::function<std::string_view()>;
/// Takes the next bytes. False: no more are wanted.
using TakeBytes = std::function<bool(std::string_view bytes)>;

/// Decompresses frame after frame, in some hundred KiB of memory and the window of a frame, which
/// is 128 MiB at most. Throws BadZstd: cut off, damaged, or more than `most` bytes, as soon as that
/// is known.
void decompress(const NextBytes& next, std::uint64_t most, const TakeBytes& take);

/// Compresses what comes in parts to one frame with a checksum, for any program that reads zstd.
class Compressor {
 public:
  /// Of reports it makes less than 3, zstd's own choice, in less time (docs/performance.md).
  static constexpr int kLevel = 1;
  using Take = std::function<void(std::string_view bytes)>;

  explicit Compressor(Take take, int level = kLevel);
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;
  ~Compressor();

  void add(std::string_view part);
  /// Once, at the end: before that it is no whole frame.
  void finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rackproof::support
