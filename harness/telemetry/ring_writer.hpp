#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/telemetry/ring_format.hpp"

namespace rackproof::telemetry {

/// A recording cannot be made or read; what() names the file and the reason, in one line.
struct RecordingError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The one writer of a recording. The file appears under its name with its head whole and all its
/// room on disk. A sample is in the file once add() has returned, also when the process is killed
/// then; a kill within add() loses that sample alone. No locks: readers look at any time.
class RingWriter {
 public:
  /// `most_bytes` bounds the file. An older recording of that name is replaced, any other file is
  /// not. Throws RecordingError: no room, no such folder, not a recording, too small for ten
  /// samples.
  RingWriter(const std::string& path, About about, std::size_t most_bytes);
  /// As close() does, but without its errors.
  ~RingWriter();
  RingWriter(const RingWriter&) = delete;
  RingWriter& operator=(const RingWriter&) = delete;

  /// One value for each column. The oldest sample goes when there is no room.
  void add(std::uint64_t monotonic_ns, std::span<const double> values);
  /// Writes the end into the head, gives back room that was not used, forces all to disk.
  void close(std::uint64_t monotonic_ns);

  std::uint64_t samples() const { return sequence_; }
  std::uint64_t slots() const { return slots_; }

 private:
  void make_file(std::size_t bytes, std::span<const std::uint64_t> head);
  void forget_pages(std::size_t up_to_word);

  std::string path_;
  About about_;
  int descriptor_ = -1;
  std::uint64_t* words_ = nullptr;
  std::size_t head_words_ = 0;
  std::size_t slot_words_ = 0;
  std::uint64_t slots_ = 0;
  std::uint64_t sequence_ = 0;
  std::size_t forgotten_ = 0;  ///< words whose pages this process has let go
  std::vector<std::uint64_t> scratch_;
};

}  // namespace rackproof::telemetry
