#include "harness/archive/report_file.hpp"

#include <filesystem>
#include <system_error>

#include "harness/support/errors.hpp"
#include "harness/support/files.hpp"
#include "harness/support/parallel.hpp"
#include "reports/model/report_json.hpp"
#include "reports/model/report_pieces.hpp"

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

warden::DirectoryStore folder_of(const std::filesystem::path& file,
                                 unsigned mode = warden::kOwnersAlone) {
  return warden::DirectoryStore(file.has_parent_path() ? file.parent_path().string() : ".", mode);
}

std::string name_of(const std::filesystem::path& file) { return file.filename().string(); }

}  // namespace

void write_durably(const std::string& file, const std::string& text, unsigned mode) {
  folder_of(file, mode).write_durably(name_of(file), text);
}

void write_json(warden::Store& store, const std::string& name, const model::Report& report) {
  store.write_parts_durably(
      name, [&report](const warden::Store::Take& take) { model::write_json(report, take); });
}

void write_json(const std::string& file, const model::Report& report) {
  warden::DirectoryStore store = folder_of(file);
  write_json(store, name_of(file), report);
}

std::string report_file(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error) ? path + "/report.json" : path;
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
