#pragma once

#include <string>

namespace rackproof::kit::nccl {

/// NCCL's own log, written into a file of this process and read from there: nobody else is told
/// what it chose. Must be made before the first call of NCCL, and when no second thread runs yet.
/// Where the user has set NCCL_DEBUG, NCCL_DEBUG_SUBSYS or NCCL_DEBUG_FILE, the log is theirs: this
/// one does nothing and works() is false. Move is not needed and not there.
class LogFile {
 public:
  LogFile();
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  bool works() const { return !path_.empty(); }

  /// What was written since the log was opened, or last switched.
  std::string text() const;

  /// Switches to the lines about each launch (TUNING), or away from them. They cost a microsecond
  /// a launch and are no part of what is measured. The log starts anew. False, and nothing is
  /// switched, where this NCCL cannot read its settings again.
  bool tell_launches(bool wanted);

 private:
  std::string path_;
};

}  // namespace rackproof::kit::nccl
