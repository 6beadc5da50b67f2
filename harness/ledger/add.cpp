#include "harness/ledger/add.hpp"

#include <filesystem>
#include <optional>
#include <utility>

#include "harness/archive/report_file.hpp"
#include "harness/index/digest.hpp"
#include "harness/index/report_files.hpp"
#include "harness/support/errors.hpp"

namespace rackproof::ledger {
namespace {

namespace fs = std::filesystem;

std::string full_path_of(const std::string& file) {
  std::error_code error;
  const fs::path path = fs::absolute(file, error);
  return error ? file : path.lexically_normal().string();
}

// Whether the file has the content that was hashed; it is hashed again where its times do not say.
bool is_still(const std::string& file, const index::Content& content) {
  if (!content.stamp.empty() && index::stamp_of_file(file) == content.stamp) return true;
  const std::optional<index::Content> now = index::read_content(file);
  return now && now->digest == content.digest;
}

// Throws UsageError when the report cannot be read.
Entry read_entry(const std::string& file, const std::optional<index::Content>& content) {
  const model::Report report = archive::load_report(file);
  if (!content || !is_still(file, *content)) {
    throw support::UsageError(file + ": changed while it was read");
  }
  return entry_of(report, content->digest, full_path_of(file));
}

bool is_known(LedgerFile& ledger, const std::optional<index::Content>& content) {
  return content && ledger.knows(content->digest);
}

}  // namespace

Added add_reports(LedgerFile& ledger, const std::vector<std::string>& paths) {
  Added result;
  for (const std::string& path : paths) {
    std::vector<std::string> files;
    try {
      files = index::report_files_in({path});
    } catch (const support::UsageError& error) {
      result.unfit.emplace_back(error.what());
    }
    for (const std::string& given : files) {
      std::string file;
      try {
        file = archive::report_file(given);
      } catch (const support::UsageError& error) {
        result.unfit.emplace_back(error.what());
        continue;
      }
      const std::optional<index::Content> content = index::read_content(file);
      if (is_known(ledger, content)) {
        ++result.known;
        continue;
      }
      std::optional<Entry> entry;
      try {
        entry = read_entry(file, content);
      } catch (const support::UsageError& error) {
        result.unfit.emplace_back(error.what());
        continue;
      }
      ++(ledger.add(*entry) ? result.added : result.known);
    }
  }
  result.reports = ledger.reports();
  return result;
}

}  // namespace rackproof::ledger
