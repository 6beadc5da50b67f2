#include "harness/cli/report_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <system_error>
#include <utility>

#include "harness/assemble/assemble.hpp"
#include "harness/cli/screen.hpp"
#include "harness/support/digest.hpp"
#include "harness/support/files.hpp"
#include "harness/support/parallel.hpp"
#include "reports/model/printable.hpp"
#include "reports/model/report_json.hpp"
#include "reports/model/report_pieces.hpp"
#include "reports/model/words.hpp"
#include "reports/terminal/terminal.hpp"

namespace rackproof::cli {
namespace {

model::Report read_report(const std::string& path) {
  const support::InputFile file(path);
  try {
    return model::ReportPieces(file.bytes(), file.size()).whole(support::on_all_cores);
  } catch (const model::NotPlain&) {
    return model::careful_report_from_json(support::read_file(path));
  }
}

}  // namespace

void write_durably(const std::string& file, const std::string& text) {
  const std::filesystem::path path(file);
  warden::DirectoryStore store(path.has_parent_path() ? path.parent_path().string() : ".");
  store.write_durably(path.filename().string(), text);
}

void write_json(warden::Store& store, const std::string& name, const model::Report& report) {
  store.write_parts_durably(
      name, [&report](const warden::Store::Take& take) { model::write_json(report, take); });
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
  throw UsageError(file +
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
    throw UsageError(file + ": " + bad.what());
  }
}

model::Report assemble_directory(warden::Store& store, const std::string& directory) {
  std::vector<assemble::JournalFile> journals;
  for (const std::string& name : store.list("journals")) {
    if (!name.ends_with(".jsonl")) continue;
    const std::string path = "journals/" + name;
    const auto parts = [&store, path](const auto& take) { store.read_parts(path, take); };
    if (store.exists(path)) journals.push_back({path, "", parts});
  }
  if (journals.empty()) throw UsageError(directory + ": holds no journals of a run");
  try {
    const assemble::Recordings recordings{[&store](const std::string& name) {
      std::optional<assemble::Recordings::File> file;
      if (auto bytes = store.read(name)) {
        std::string digest = support::sha256_hex(*bytes);
        file = {std::move(*bytes), std::move(digest)};
      }
      return file;
    }};
    return assemble::assemble(journals, recordings);
  } catch (const assemble::NoRun& error) {
    throw UsageError(directory + ": " + error.what());
  }
}

namespace {

/// The verdict is told, whatever becomes of its summary.
template <class Render>
std::string without_fail(const model::Report& report, const Render& render) {
  try {
    return render();
  } catch (const std::exception& error) {
    return fmt::format("{}: {}\n(the summary could not be made: {})\n",
                       model::word(report.acceptance), model::printable(report.acceptance_reason),
                       model::printable(error.what()));
  }
}

terminal::Style style_of(const Program& program) {
  terminal::Style style;
  style.color = use_color(program, STDOUT_FILENO);
  style.width = static_cast<int>(screen_columns(program, STDOUT_FILENO));
  return style;
}

}  // namespace

std::string verdict_line(const model::Report& report) {
  return model::verdict_word(report.acceptance) + " " +
         model::printable(model::verdict_text(report)) + "\n";
}

std::string summary(const model::Report& report, const Program& program, bool all_cells) {
  terminal::Style style = style_of(program);
  style.all_cells = all_cells;
  return without_fail(report, [&] { return terminal::render(report, style); });
}

std::string closing_summary(const model::Report& report, const Program& program) {
  terminal::Style style = style_of(program);
  return without_fail(report, [&] { return terminal::brief(report, style); });
}

std::string summary(const model::Report& report, const terminal::PassedCells& passed,
                    const Program& program) {
  terminal::Style style = style_of(program);
  return without_fail(report, [&] { return terminal::render(report, passed, style); });
}

}  // namespace rackproof::cli
