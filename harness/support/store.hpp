#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rackproof::support {

/// The run directory cannot be read or written; what() names the path and the system's reason.
struct StoreError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The file seam: the directory of one run. Names are relative ("journals/0001-rank-0.jsonl").
class Store {
 public:
  virtual ~Store() = default;
  /// Writes a whole file so that a reader finds the old one or the new one, never a part: temporary
  /// file, fsync, rename, fsync of the directory.
  virtual void write_durably(const std::string& name, std::string_view bytes) = 0;
  /// What `write` gives in parts, for what may be large. When it throws, the old file is there.
  using Take = std::function<void(std::string_view part)>;
  virtual void write_parts_durably(const std::string& name,
                                   const std::function<void(const Take&)>& write);
  /// Appends to a file, creating it. What was appended is on disk when this returns.
  virtual void append(const std::string& name, std::string_view bytes) = 0;
  virtual std::optional<std::string> read(const std::string& name) = 0;
  /// The same in parts, for what may be large. False when there is no such file.
  virtual bool read_parts(const std::string& name, const Take& take);
  /// Names of the files in a folder of the store, sorted; empty when it does not exist.
  virtual std::vector<std::string> list(const std::string& folder) = 0;
  virtual bool exists(const std::string& name) = 0;
  /// Gives a file another name, durably. Takes the place of what has that name.
  virtual void rename(const std::string& from, const std::string& to) = 0;
  virtual void make_folder(const std::string& name) = 0;
  /// The path of a name, for messages and for programs that are started.
  virtual std::string path(const std::string& name) const = 0;
};

/// Of files that are written: nobody else may read them.
inline constexpr unsigned kOwnersAlone = 0600;

/// A directory on a real filesystem.
class DirectoryStore : public Store {
 public:
  /// `file_mode`: permissions of files that are written whole, whatever the umask.
  explicit DirectoryStore(std::string root, unsigned file_mode = kOwnersAlone);
  void write_durably(const std::string& name, std::string_view bytes) override;
  void write_parts_durably(const std::string& name,
                           const std::function<void(const Take&)>& write) override;
  void append(const std::string& name, std::string_view bytes) override;
  std::optional<std::string> read(const std::string& name) override;
  bool read_parts(const std::string& name, const Take& take) override;
  std::vector<std::string> list(const std::string& folder) override;
  bool exists(const std::string& name) override;
  void rename(const std::string& from, const std::string& to) override;
  void make_folder(const std::string& name) override;
  std::string path(const std::string& name) const override;

 private:
  std::string root_;
  unsigned file_mode_;
};

}  // namespace rackproof::support
