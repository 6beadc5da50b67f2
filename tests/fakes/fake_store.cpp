#include "tests/fakes/fake_store.hpp"

#include <algorithm>
#include <utility>

namespace rackproof::fakes {

void FakeDisk::append(const std::string& path, std::string_view bytes) {
  if (read_only) throw support::StoreError(path + ": cannot create: Read-only file system");
  if (full) throw support::StoreError(path + ": cannot write: No space left on device");
  files[path] += bytes;
}

void FakeDisk::sync(const std::string& path) {
  std::string& bytes = files[path];
  if (unsyncable.erase(path) != 0) {
    bytes.resize(std::min(bytes.size(), durable[path]));
    throw support::StoreError(path + ": cannot sync: Input/output error");
  }
  durable[path] = bytes.size();
}

void FakeDisk::lose_power(const std::string& path, std::size_t kept) {
  const auto file = files.find(path);
  if (file == files.end()) return;
  file->second.resize(std::min(file->second.size(), durable[path] + kept));
  durable[path] = file->second.size();
}

void FakeDisk::write(const std::string& path, std::string_view bytes) {
  append(path, "");
  files[path] = bytes;
  durable[path] = bytes.size();
}

FakeStore::FakeStore(std::shared_ptr<FakeDisk> disk, std::string root)
    : disk_(std::move(disk)), root_(std::move(root)) {}

std::string FakeStore::path(const std::string& name) const { return root_ + "/" + name; }

void FakeStore::write_durably(const std::string& name, std::string_view bytes) {
  disk_->write(path(name), bytes);
}

void FakeStore::append(const std::string& name, std::string_view bytes) {
  disk_->append(path(name), bytes);
  disk_->sync(path(name));
}

std::optional<std::string> FakeStore::read(const std::string& name) {
  const auto found = disk_->files.find(path(name));
  if (found == disk_->files.end()) return std::nullopt;
  return found->second;
}

std::vector<std::string> FakeStore::list(const std::string& folder) {
  const std::string prefix = path(folder) + "/";
  std::vector<std::string> names;
  for (const auto& [path, bytes] : disk_->files) {
    const std::string_view rest =
        std::string_view(path).substr(path.starts_with(prefix) ? prefix.size() : path.size());
    if (!rest.empty() && rest.find('/') == std::string_view::npos) names.emplace_back(rest);
  }
  return names;
}

bool FakeStore::exists(const std::string& name) { return disk_->files.contains(path(name)); }

void FakeStore::rename(const std::string& from, const std::string& to) {
  const auto found = disk_->files.find(path(from));
  if (found == disk_->files.end() || disk_->read_only) {
    throw support::StoreError(path(to) + ": cannot rename to");
  }
  disk_->write(path(to), std::string(found->second));
  disk_->files.erase(path(from));
}

void FakeStore::make_folder(const std::string& name) {
  if (disk_->read_only) {
    throw support::StoreError(path(name) + ": cannot create: Read-only file system");
  }
}

}  // namespace rackproof::fakes
