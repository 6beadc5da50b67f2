#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rackproof::warden {

/// What rank and warden say to each other over their socket pair.
enum class Word : std::uint8_t {
  kOpenJournal,
  kNote,
  kStart,
  kCancel,
  kGuard,
  kSay,
  kRelease,
  kLastAct,
  kClose,
  // warden -> rank
  kAck,    // one field: empty, or what went wrong
  kEvent,  // attempt, line, "last" or ""
  kFailed  // the journal can no longer be written: why
};

/// A word with its fields. On the wire: u32 length of the rest, u8 word, then each field as u32
/// length and bytes, all little-endian (both ends are the same machine).
struct Frame {
  Word word = Word::kAck;
  std::vector<std::string> fields;
};

std::string encode(const Frame& frame);

/// Takes bytes as they come and gives frames as they become whole.
class FrameReader {
 public:
  void feed(std::string_view bytes);
  std::optional<Frame> next();

 private:
  std::string buffer_;
  std::size_t used_ = 0;
};

/// Writes everything to a (possibly non-blocking) descriptor, waiting when it is full. False when
/// the other end is gone.
bool write_fully(int fd, std::string_view bytes);

/// Reads what is there into `reader`. False at end of file or error; true otherwise.
bool read_available(int fd, FrameReader& reader);

}  // namespace rackproof::warden
