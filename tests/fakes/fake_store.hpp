#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/support/store.hpp"

namespace rackproof::fakes {

/// Files in memory, by absolute path. Ranks that share a filesystem share one of these.
struct FakeDisk {
  std::map<std::string, std::string> files;
  bool full = false;       ///< nothing more fits: writes fail, the files keep what they hold
  bool read_only = false;  ///< nothing can be created or written
  /// How much of each file would outlive a loss of power.
  std::map<std::string, std::size_t> durable;
  std::set<std::string> unsyncable;  ///< files whose next sync fails

  /// Throws StoreError when the disk cannot take this.
  void write(const std::string& path, std::string_view bytes);
  void append(const std::string& path, std::string_view bytes);
  /// Throws StoreError when it fails; what was not durable before is gone then.
  void sync(const std::string& path);
  /// The machine stops: of what was not durable, the first `kept` bytes are on disk.
  void lose_power(const std::string& path, std::size_t kept);
};

/// The run directory on a FakeDisk.
class FakeStore : public support::Store {
 public:
  explicit FakeStore(std::shared_ptr<FakeDisk> disk, std::string root = "/run");

  void write_durably(const std::string& name, std::string_view bytes) override;
  void append(const std::string& name, std::string_view bytes) override;
  std::optional<std::string> read(const std::string& name) override;
  std::vector<std::string> list(const std::string& folder) override;
  bool exists(const std::string& name) override;
  void rename(const std::string& from, const std::string& to) override;
  void make_folder(const std::string& name) override;
  std::string path(const std::string& name) const override;

 private:
  std::shared_ptr<FakeDisk> disk_;
  std::string root_;
};

}  // namespace rackproof::fakes
