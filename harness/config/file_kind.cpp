#include "harness/config/file_kind.hpp"

#include <string_view>

#include "harness/support/content.hpp"
#include "harness/support/files.hpp"

namespace rackproof::config {
namespace {

// The beginning is enough to tell what hand-written files are, before all of a large one is read.
constexpr std::size_t kHeadBytes = 4096;

// By what only that kind of file has; comments may come first in the hand-written ones.
FileKind kind_of_head(std::string_view head) {
  const auto has = [head](std::string_view word) {
    return head.find(word) != std::string_view::npos;
  };
  if (has("rackproof/suite/") && !has("\"$schema\"")) return FileKind::kSuite;
  if (has("rackproof/platform/") && !has("\"$schema\"")) return FileKind::kPlatform;
  if (has("rackproof/bench/") && !has("\"$schema\"")) return FileKind::kBench;
  if (has("rackproof/comparison/") && !has("\"$schema\"")) return FileKind::kComparison;
  if (has("rackproof/causes/") && !has("\"$schema\"")) return FileKind::kCauses;
  if (has("rackproof/faults/") && !has("\"$schema\"")) return FileKind::kFaults;
  if (has("rackproof/assets/") && !has("\"$schema\"")) return FileKind::kAssets;
  if (has("rackproof/waivers/") && !has("\"$schema\"")) return FileKind::kWaivers;
  if (head.starts_with("{\"devices\":") && has("\"facts\"")) return FileKind::kInventory;
  if (has("\"$schema\"")) return FileKind::kSchema;
  if (head.substr(0, head.find('\n')).find("\"kind\"") != std::string_view::npos) {
    return FileKind::kRecords;
  }
  return FileKind::kUnknown;
}

}  // namespace

FileKind kind_of(const std::string& path) {
  const FileKind kind = kind_of_head(support::head_of_content(path, kHeadBytes));
  if (kind != FileKind::kUnknown) return kind;
  const bool report = support::read_file(path).find("\"schema_version\"") != std::string::npos;
  return report ? FileKind::kReport : FileKind::kUnknown;
}

}  // namespace rackproof::config
