#include "benches/kit/nccl/log_file.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "benches/kit/nccl/library.hpp"

namespace rackproof::kit::nccl {
namespace {

constexpr const char* kLevel = "NCCL_DEBUG";
constexpr const char* kParts = "NCCL_DEBUG_SUBSYS";
constexpr const char* kFile = "NCCL_DEBUG_FILE";
constexpr const char* kBringUp = "INIT,NET,P2P,SHM,NVLS";
constexpr const char* kLaunches = "INIT,NET,P2P,SHM,NVLS,TUNING";

std::string make_file() {
  std::error_code error;
  const auto folder = std::filesystem::temp_directory_path(error);
  if (error) return "";
  std::string path = (folder / "rackproof-nccl-XXXXXX").string();
  // NCCL reads percent signs in the name as its own.
  if (path.find('%') != std::string::npos) return "";
  const int descriptor = mkstemp(path.data());
  if (descriptor < 0) return "";
  close(descriptor);
  return path;
}

}  // namespace

LogFile::LogFile() {
  for (const char* name : {kLevel, kParts, kFile}) {
    if (std::getenv(name) != nullptr) return;
  }
  path_ = make_file();
  if (path_.empty()) return;
  (void)setenv(kLevel, "INFO", 1);
  (void)setenv(kParts, kBringUp, 1);
  (void)setenv(kFile, path_.c_str(), 1);
}

LogFile::~LogFile() {
  if (path_.empty()) return;
  (void)unlink(path_.c_str());
  for (const char* name : {kLevel, kParts, kFile}) (void)unsetenv(name);
}

std::string LogFile::text() const {
  if (path_.empty()) return "";
  std::ostringstream text;
  text << std::ifstream(path_).rdbuf();
  return text.str();
}

bool LogFile::tell_launches(bool wanted) {
  // Exported, but on its way out of NCCL's interface.
  using Reset = void (*)();
  static const auto reset = reinterpret_cast<Reset>(find_in_library("ncclResetDebugInit"));
  if (path_.empty() || reset == nullptr) return false;
  // An existing variable: the C library puts a new text in its place, so that a reader in another
  // thread has the old one or the new one.
  (void)setenv(kParts, wanted ? kLaunches : kBringUp, 1);
  // NCCL opens the file again at its next line; what lies there now is gone either way.
  [[maybe_unused]] const int emptied = truncate(path_.c_str(), 0);
  reset();
  return true;
}

}  // namespace rackproof::kit::nccl
