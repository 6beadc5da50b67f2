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
  kShare,
  kPing,  // no field: are you there
  // warden -> rank
  kAck,     // empty, or what went wrong; "lost" when what the journal held is gone
  kEvent,   // attempt, line, "last" or ""
  kFailed,  // the journal can no longer be written: why; "lost" as above
  kPong     // no field
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

/// Writes everything to a socket, waiting while it is full, though not longer than `seconds` for
/// the other end to take something. False when it is gone or takes nothing.
bool write_fully(int fd, std::string_view bytes, double seconds);

/// Waits until poll() has one of `events` to tell of the descriptor, or `seconds` have passed.
/// Where poll() itself fails, it waits a moment: the caller looks, and comes back.
void wait_for(int fd, short events, double seconds);

/// Reads what is there into `reader`. False at end of file or error; true otherwise.
bool read_available(int fd, FrameReader& reader);

}  // namespace rackproof::warden
