#include "harness/archive/report_file.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>
#include <system_error>

#include "harness/support/digest.hpp"
#include "harness/support/errors.hpp"
#include "harness/support/files.hpp"
#include "harness/support/parallel.hpp"
#include "harness/support/zstd.hpp"
#include "reports/json/report_json.hpp"
#include "reports/json/report_pieces.hpp"

namespace rackproof::archive {
namespace {

model::Report read_report(const std::string& path) {
  const support::InputFile file(path);
  try {
    return model::ReportPieces(file.bytes(), file.size()).whole(support::on_all_cores);
  } catch (const model::NotPlain&) {
    return model::careful_report_from_json(support::read_file(path));
  }
}

support::DirectoryStore folder_of(const std::filesystem::path& file,
                                  unsigned mode = support::kOwnersAlone) {
  return support::DirectoryStore(file.has_parent_path() ? file.parent_path().string() : ".", mode);
}

std::string name_of(const std::filesystem::path& file) { return file.filename().string(); }

const std::string kPlainName = "report.json";
const std::string kCompressedEnding = ".zst";
const std::string kCompressedName = kPlainName + kCompressedEnding;

using Take = support::Store::Take;
using Write = std::function<void(const Take&)>;

// In the form that the name says.
Write writer_of(const std::string& name, const model::Report& report) {
  if (!name.ends_with(kCompressedEnding)) {
    return [&report](const Take& take) { model::write_json(report, take); };
  }
  return [&report](const Take& take) {
    support::Compressor compressor(take);
    model::write_json(report, [&compressor](std::string_view part) { compressor.add(part); });
    compressor.finish();
  };
}

struct TooLong {};

// Nothing for a report that is longer.
std::optional<std::string> text_up_to(const model::Report& report, std::size_t most) {
  std::string text;
  try {
    model::write_json(report, [&text, most](std::string_view part) {
      if (text.size() + part.size() > most) throw TooLong();
      text += part;
    });
    return text;
  } catch (const TooLong&) {
    return std::nullopt;
  }
}

// A report that has the other name is replaced under that, and then gets its own: at no time does
// this leave two of which one is old. Readers look at the content, so that a crash between does no
// harm.
void replace(support::Store& store, const std::string& name, const Write& write) {
  std::string old = name;
  if (name == kPlainName) old = kCompressedName;
  if (name == kCompressedName) old = kPlainName;
  if (old == name || !store.exists(old)) return store.write_parts_durably(name, write);
  store.write_parts_durably(old, write);
  store.rename(old, name);
}

}  // namespace

Compress compress_of(const std::string& word) {
  if (const auto compress = contract::enumerator_of<Compress>(word)) return *compress;
  throw support::UsageError("--compress: '" + word + "': expected one of " +
                            contract::choices<Compress>());
}

void write_durably(const std::string& file, const std::string& text, unsigned mode) {
  folder_of(file, mode).write_durably(name_of(file), text);
}

std::string write_json(support::Store& store, const model::Report& report, Compress compress) {
  const std::optional<std::string> small =
      compress == Compress::kAuto ? text_up_to(report, kLargestPlain) : std::nullopt;
  const bool plain = compress == Compress::kNever || small.has_value();
  std::string name = plain ? kPlainName : kCompressedName;
  if (small) {
    replace(store, name, [&small](const auto& take) { take(*small); });
  } else {
    replace(store, name, writer_of(name, report));
  }
  return name;
}

void write_json(const std::string& file, const model::Report& report) {
  support::DirectoryStore store = folder_of(file);
  replace(store, name_of(file), writer_of(file, report));
}

std::string report_file(const std::string& path) {
  std::error_code error;
  const bool folder = std::filesystem::is_directory(path, error);
  std::string plain = folder ? path + "/" + kPlainName : path;
  std::string compressed = plain + kCompressedEnding;
  if (!std::filesystem::exists(compressed, error)) return plain;
  if (!std::filesystem::exists(plain, error)) return compressed;
  if (folder && support::digest_of_content(plain) != support::digest_of_content(compressed)) {
    throw support::UsageError(path + ": holds two reports that differ, " + kPlainName + " and " +
                              kCompressedName + ": name one of them, or remove the old one");
  }
  return plain;
}

void require_policy(const model::Report& report, const std::string& file) {
  const model::JudgePolicy& policy = report.suite.policy;
  const auto is_share = [](double value) { return value > 0 && value < 1; };
  if (is_share(policy.confidence) && is_share(policy.family_alpha) &&
      is_share(policy.discovery_rate)) {
    return;
  }
  throw support::UsageError(
      file +
      ": suite.policy: confidence, family_alpha and discovery_rate must lie between "
      "0 and 1");
}

model::Report load_report(const std::string& path) {
  const std::string file = report_file(path);
  try {
    model::Report report = read_report(file);
    require_policy(report, file);
    return report;
  } catch (const model::BadReport& bad) {
    throw support::UsageError(file + ": " + bad.what());
  }
}

}  // namespace rackproof::archive
