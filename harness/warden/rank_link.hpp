#pragma once

#include <optional>
#include <string>
#include <utility>

#include "harness/support/fd.hpp"
#include "harness/warden/frame.hpp"

namespace rackproof::warden {

/// The warden's end of the socket to its rank. Nothing here blocks: what does not fit waits.
class RankLink {
 public:
  explicit RankLink(support::Fd socket) : socket_(std::move(socket)) {}

  int fd() const { return socket_.get(); }
  /// There is something to send.
  bool has_more() const { return !outgoing_.empty(); }
  /// Reads what is there; false when the rank has closed its end. What it said before is kept.
  bool read() { return read_available(socket_.get(), reader_); }
  /// The next whole frame that was read.
  std::optional<Frame> next() { return reader_.next(); }
  void tell(const Frame& frame) { outgoing_ += encode(frame); }
  /// Sends what can be sent now.
  void flush();

 private:
  support::Fd socket_;
  FrameReader reader_;
  std::string outgoing_;
};

}  // namespace rackproof::warden
