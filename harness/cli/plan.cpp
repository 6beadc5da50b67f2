#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "harness/archive/report_file.hpp"
#include "harness/budget/plan_text.hpp"
#include "harness/budget/shorter_suite.hpp"
#include "harness/cli/screen.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/config/day.hpp"
#include "harness/config/installed.hpp"
#include "harness/document/document.hpp"
#include "harness/index/report_files.hpp"
#include "harness/ledger/ask.hpp"
#include "reports/model/parts.hpp"
#include "reports/model/printable.hpp"

namespace rackproof::cli {
namespace {

constexpr double kMinute = 60;
constexpr double kDay = 86400;
// Most GPU servers have so many; it is said where it is assumed.
constexpr int kUsualGpus = 8;

/// What reports tell beside durations.
struct FromReports {
  std::vector<budget::RunTimes> runs;
  int hosts = 0;
  int gpus = 0;
};

FromReports read_reports(const std::vector<std::string>& paths) {
  FromReports read;
  if (paths.empty()) return read;
  for (const std::string& file : index::report_files_in(paths)) {
    const model::Report report = archive::load_report(file);
    read.runs.push_back(budget::times_of(report));
    read.hosts = std::max(read.hosts, static_cast<int>(report.nodes.size()));
    for (const model::NodeInventory& node : report.nodes) {
      read.gpus = std::max(read.gpus, static_cast<int>(node.devices.size()));
    }
  }
  return read;
}

/// What the ledger knows of parts of each kind. Without --ledger the user's own, where there is
/// one.
std::map<std::string, budget::History> read_ledger(const PlanOptions& options,
                                                   const Program& program) {
  std::string path = options.ledger;
  if (path.empty()) {
    const std::string folder = config::state_folder(program.environment);
    path = folder + "/fleet.sqlite";
    std::error_code error;
    if (folder.empty() || !std::filesystem::exists(path, error)) return {};
  }
  ledger::LedgerFile file(path, ledger::LedgerFile::Absent::kRefuse);
  std::map<std::string, budget::History> seen;
  for (const ledger::PartRate& rate : ledger::ask_rates(file)) {
    if (rate.days < 1) continue;
    seen[std::string(contract::word(rate.kind))] = {static_cast<double>(rate.failures), rate.days};
  }
  return seen;
}

budget::Machine machine_of(const PlanOptions& options, const FromReports& read) {
  budget::Machine machine;
  machine.hosts = options.hosts > 0 ? options.hosts : std::max(read.hosts, 1);
  machine.gpus = options.gpus >= 0 ? options.gpus : read.runs.empty() ? kUsualGpus : read.gpus;
  machine.nics = options.nics >= 0 ? options.nics : std::max(machine.gpus, 1);
  machine.age_days = config::parse_time(options.age) / kDay;
  return machine;
}

/// What was not said and so is assumed.
std::string assumed(const PlanOptions& options, const FromReports& read) {
  std::string text;
  if (options.hosts <= 0 && read.runs.empty()) text += "1 host (--hosts); ";
  if (options.gpus < 0 && read.runs.empty())
    text += fmt::format("{} GPUs a host (--gpus); ", kUsualGpus);
  if (text.empty()) return "";
  return "assumed: " + text.substr(0, text.size() - 2) + "\n";
}

/// Checks what is to be written as a suite by reading it as one, before the file is touched.
void write_suite(const std::string& file, const std::string& text) {
  const std::string beside = file + ".part.json";
  archive::write_durably(beside, text);
  std::error_code ignored;
  try {
    config::load_suite(beside);
  } catch (...) {
    std::filesystem::remove(beside, ignored);
    throw;
  }
  std::filesystem::remove(beside, ignored);
  archive::write_durably(file, text);
}

std::string how_to_run(const std::string& file) {
  const bool is_path = file.find('/') != std::string::npos || file.ends_with(".json");
  return fmt::format("written: {}\nrun it with: rackproof run --suite {}{}\n",
                     model::printable(file), is_path ? "" : "./", model::printable(file));
}

}  // namespace

int plan_verb(const PlanOptions& options, const Program& program) {
  const std::string suite_file =
      config::resolve_config(options.suite, program.paths, config::FileOf::kSuite);
  const FromReports read = read_reports(options.reports);
  budget::Request request;
  request.suite = config::load_suite(suite_file);
  request.faults =
      budget::load_faults(options.faults.empty() ? program.paths.faults : options.faults);
  request.machine = machine_of(options, read);
  request.seen = read_ledger(options, program);
  request.runs = read.runs;
  request.must = options.with;
  request.seconds = options.minutes * kMinute;
  if (request.suite.info.plan) {
    throw UsageError(suite_file + ": is a plan already; name the suite " +
                     request.suite.info.plan->of + " that it was made of");
  }
  budget::Plan plan;
  try {
    plan = budget::make_plan(request);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  if (!options.out.empty()) {
    write_suite(options.out, budget::shorter_suite(document::read_file(suite_file), request, plan));
  }
  if (options.json) {
    print(budget::plan_json(request, plan));
    return 0;
  }
  terminal::Style style;
  style.color = use_color(program, STDOUT_FILENO);
  style.width = static_cast<int>(screen_columns(program, STDOUT_FILENO));
  print(budget::plan_text(request, plan, style) + assumed(options, read) +
        (options.out.empty() ? "" : "\n" + how_to_run(options.out)));
  return 0;
}

}  // namespace rackproof::cli
