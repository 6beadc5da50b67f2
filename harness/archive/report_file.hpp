#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "contract/words.hpp"
#include "harness/support/store.hpp"
#include "reports/model/report.hpp"

namespace rackproof::archive {

/// Writes a file so that a crash leaves the old one or the new one, and who reads it meanwhile has
/// one of them whole. Throws support::StoreError.
void write_durably(const std::string& file, const std::string& text,
                   unsigned mode = support::kOwnersAlone);

/// Whether the report of a run is compressed (zstd).
enum class Compress {
  kAuto,  ///< if it is larger than kLargestPlain
  kAlways,
  kNever
};

inline constexpr std::array kCompressWords = {contract::Word{Compress::kAuto, "auto"},
                                              contract::Word{Compress::kAlways, "always"},
                                              contract::Word{Compress::kNever, "never"}};
constexpr const auto& words_of(Compress) { return kCompressWords; }

/// Throws UsageError for a word that is none of them.
Compress compress_of(const std::string& word);

/// Bytes: three times what a node of eight GPUs has, and what people still open in an editor.
inline constexpr std::size_t kLargestPlain = std::size_t{8} << 20;

/// Writes the report of a run directory, report.json or report.json.zst, and gives which. What had
/// the other name is no more: a crash leaves one report, the old one or the new one, under either
/// name. Throws support::StoreError.
std::string write_json(support::Store& store, const model::Report& report, Compress compress);

/// model::write_json() into a file of any name, compressed if that ends in .zst; in place of the
/// report that is there where it is a report of a run directory. Throws support::StoreError.
void write_json(const std::string& file, const model::Report& report);

/// The file of a report: a directory stands for its report.json or report.json.zst, and a file that
/// is not there for the one of that name and .zst. Throws UsageError for a directory that has both
/// with different contents, of which one must be old.
std::string report_file(const std::string& path);

/// Throws UsageError when the report asks for judging that cannot be.
void require_policy(const model::Report& report, const std::string& file);

/// Reads a report (report_file). Throws UsageError.
model::Report load_report(const std::string& path);

}  // namespace rackproof::archive
