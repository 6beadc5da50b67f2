#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/journal/entry.hpp"
#include "harness/support/fd.hpp"

namespace rackproof::warden {

/// Bounds on what one attempt may say; the rest is counted and dropped.
inline constexpr std::size_t kMaxLineBytes = 64 * 1024;
inline constexpr std::int64_t kMaxOutputBytes = 64LL * 1024 * 1024;
inline constexpr std::size_t kStderrHead = 16 * 1024;
inline constexpr std::size_t kStderrTail = 48 * 1024;

/// A line of stdout; `whole` is false for what came after the last newline.
struct OutLine {
  std::string text;
  bool whole = true;
};

/// Our ends of a program's stdin, stdout and stderr. Nothing here blocks.
class Streams {
 public:
  Streams() = default;
  /// `input` is what the program is to read.
  Streams(support::Fd in, support::Fd out, support::Fd err, std::string input);

  /// Descriptors to poll, two for reading and one for writing; closed ones are -1.
  int out_fd() const { return out_.get(); }
  int err_fd() const { return err_.get(); }
  int in_fd() const { return in_.get(); }

  /// Moves what can be moved now; whole stdout lines are appended to `lines`.
  void pump(std::vector<OutLine>& lines);
  /// Nobody holds the other ends of stdout and stderr any more.
  bool drained() const { return !out_ && !err_; }
  void close();
  /// How much was said, and the beginning and the end of stderr.
  void describe(journal::End& facts) const;

 private:
  void read_out(std::vector<OutLine>& lines);
  void read_err();
  void write_in();
  void take_out(std::string_view bytes, std::vector<OutLine>& lines);

  support::Fd in_;
  support::Fd out_;
  support::Fd err_;
  std::string input_;
  std::size_t sent_ = 0;  ///< of the input
  std::string line_;
  bool line_too_long_ = false;
  std::int64_t out_bytes_ = 0;
  std::int64_t dropped_lines_ = 0;
  std::int64_t err_bytes_ = 0;
  std::string err_head_;
  std::string err_tail_;
};

}  // namespace rackproof::warden
