#pragma once

#include <string>
#include <string_view>

#include "harness/support/fd.hpp"
#include "harness/warden/seal.hpp"

namespace rackproof::warden {

/// The append-only file of JSON lines, each sealed (see Seal). Each append is one write of one
/// whole line; a line that could not be written whole is cut off again, so that only a crash of the
/// machine can leave a torn tail.
class Journal {
 public:
  /// Creates the file; it must not exist and must not be a link. False with error() otherwise.
  bool open(const std::string& path);
  bool is_open() const { return static_cast<bool>(fd_); }
  /// Appends `line`, a JSON object, with its seal and a newline. After a failure every later call
  /// fails too.
  bool append(std::string_view line);
  /// Forces what was appended to disk. A failure is final, since a second fsync may lie, and what
  /// may not be on disk is cut off: nobody shall read it as if it were.
  bool sync();
  void close();
  const std::string& error() const { return error_; }
  /// Whether what was written is gone: the file was removed, renamed, replaced or cut short.
  bool lost() const { return lost_; }

 private:
  bool is_there();
  bool fail(const char* doing);

  support::Fd fd_;
  Seal seal_;
  std::string path_;
  std::string error_;
  long synced_ = 0;   ///< bytes that are on disk
  long written_ = 0;  ///< bytes that the file has
  bool lost_ = false;
};

}  // namespace rackproof::warden
