#include "harness/cli/report_file.hpp"

#include <unistd.h>

#include <filesystem>

#include "harness/assemble/assemble.hpp"
#include "reports/model/report_json.hpp"
#include "reports/terminal/terminal.hpp"

namespace rackproof::cli {

model::Report load_report(const std::string& path) {
  std::error_code error;
  const std::string file =
      std::filesystem::is_directory(path, error) ? path + "/report.json" : path;
  try {
    model::Report report = model::report_from_json(read_file(file));
    const model::JudgePolicy& policy = report.suite.policy;
    const auto is_share = [](double value) { return value > 0 && value < 1; };
    if (!is_share(policy.confidence) || !is_share(policy.family_alpha)) {
      throw UsageError(file +
                       ": suite.policy: confidence and family_alpha must lie between 0 and 1");
    }
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
    if (auto bytes = store.read(path)) journals.push_back({path, std::move(*bytes)});
  }
  if (journals.empty()) throw UsageError(directory + ": holds no journals of a run");
  try {
    return assemble::assemble(journals);
  } catch (const assemble::NoRun& error) {
    throw UsageError(directory + ": " + error.what());
  }
}

std::string summary(const model::Report& report, const Program& program, bool all_cells) {
  terminal::Style style;
  style.color = use_color(program, STDOUT_FILENO);
  style.all_cells = all_cells;
  return terminal::render(report, style);
}

}  // namespace rackproof::cli
