#pragma once

#include <string>

namespace rackproof::config {

/// What a file of rackproof can be.
enum class FileKind {
  kSuite,
  kPlatform,
  kBench,
  kComparison,
  kCauses,
  kFaults,
  kInventory,
  kAssets,
  kWaivers,
  kSchema,
  kRecords,
  kReport,
  kUnknown
};

/// By what only files of that kind have. Throws UsageError when it has to be read as a whole and
/// cannot be.
FileKind kind_of(const std::string& path);

}  // namespace rackproof::config
