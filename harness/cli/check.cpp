#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/archive/report_file.hpp"
#include "harness/budget/faults.hpp"
#include "harness/cause/causes.hpp"
#include "harness/cli/summary.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/config/bench.hpp"
#include "harness/config/comparison.hpp"
#include "harness/config/extent.hpp"
#include "harness/config/file_kind.hpp"
#include "harness/config/suite.hpp"
#include "harness/config/waivers.hpp"
#include "harness/coverage/coverage.hpp"
#include "harness/document/located_json.hpp"
#include "harness/document/schema.hpp"
#include "harness/lint/judging_tables.hpp"
#include "harness/lint/lint.hpp"
#include "harness/rejudge/before_claims.hpp"
#include "harness/rejudge/check_document.hpp"
#include "harness/support/files.hpp"
#include "reports/json/report_json.hpp"
#include "reports/model/printable.hpp"
#include "reports/model/words.hpp"

namespace rackproof::cli {
namespace {

constexpr std::size_t kMostComplaints = 20;

struct Checked {
  std::string path;
  std::string what;  ///< "suite" and the like; empty when that cannot be told
  rejudge::Complaints complaints = {};
  rejudge::Complaints warnings = {};
};

// What has been checked so far, and what all tables are held against.
struct Round {
  const Program& program;
  config::MetricCatalogue catalogue;
  std::vector<config::Suite> installed = {};
  std::vector<config::PlacedTable> tables = {};
  std::set<std::string> said = {};  ///< an inherited mistake shows in each heir
  std::vector<std::string> reports = {};

  const config::MetricCatalogue& metrics() {
    if (catalogue.empty()) catalogue = lint::installed_metrics(program.paths);
    return catalogue;
  }

  const std::vector<config::Suite>& suites() {
    if (!installed.empty()) return installed;
    for (const auto& [name, path] : config::files_of(program.paths, config::FileOf::kSuite)) {
      installed.push_back(config::load_suite(path));
    }
    return installed;
  }
};

// A figure that nobody measures judges nothing. One that was learned here is of the suite and the
// number of ranks that it was learned with.
void warn_of_unmeasured(const config::PlacedTable& placed, Round& round, Checked& checked) {
  const model::PlatformTable& table = placed.table;
  if (table.is_abstract) return;
  const auto used = coverage::measured(table, round.suites(), round.metrics());
  const auto figures = coverage::figures(table);
  for (const model::Baseline& one : table.baselines) {
    const coverage::Figure figure{one.table, one.id};
    if (one.table != table.id || one.source.kind == "measured-here") continue;
    if (!figures.contains(figure) || used.contains(figure)) continue;
    const lint::Complaint complaint{placed.baseline(one, {}),
                                    "no installed suite measures this figure, which so judges "
                                    "nothing",
                                    lint::Weight::kWarning};
    checked.warnings.push_back(lint::to_text(complaint));
  }
}

void check_platform(const std::string& path, Round& round, Checked& checked) {
  auto table = config::load_placed_platform(path, round.program.paths.platforms);
  rejudge::check_schema(path, round.program.paths.schemas + "/platform.schema.json",
                        support::read_file(path), checked.complaints);
  for (const auto& one : lint::lint(table, round.metrics())) {
    std::string text = lint::to_text(one);
    if (one.weight == lint::Weight::kError) {
      checked.complaints.push_back(std::move(text));
    } else if (round.said.insert(text).second) {
      checked.warnings.push_back(std::move(text));
    }
  }
  warn_of_unmeasured(table, round, checked);
  round.tables.push_back(std::move(table));
}

// A kind of file that is checked by reading it, and by its schema.
struct Written {
  config::FileKind kind;
  void (*load)(const std::string& path);
  const char* schema;
  const char* what;
};

constexpr std::array kWritten = {
    Written{config::FileKind::kSuite, [](const std::string& path) { config::load_suite(path); },
            "suite.schema.json", "suite"},
    Written{config::FileKind::kBench, [](const std::string& path) { config::load_metrics(path); },
            "bench.schema.json", "description of a bench"},
    Written{config::FileKind::kComparison,
            [](const std::string& path) { config::load_comparison(path); },
            "comparison.schema.json", "comparison"},
    Written{config::FileKind::kCauses, [](const std::string& path) { cause::load_causes(path); },
            "causes.schema.json", "table of causes"},
    Written{config::FileKind::kFaults, [](const std::string& path) { budget::load_faults(path); },
            "faults.schema.json", "table of faults"},
    Written{config::FileKind::kAssets, [](const std::string& path) { config::load_assets(path); },
            "assets.schema.json", "list of assets"},
    Written{config::FileKind::kWaivers, [](const std::string& path) { config::load_waivers(path); },
            "waivers.schema.json", "list of waivers"},
    Written{config::FileKind::kInventory,
            [](const std::string& path) { model::node_from_json(support::read_file(path)); },
            "inventory.schema.json", "inventory"}};

const char* check_written(const Written& written, const Round& round, Checked& checked) {
  written.load(checked.path);
  rejudge::check_schema(checked.path, round.program.paths.schemas + "/" + written.schema,
                        support::read_file(checked.path), checked.complaints);
  return written.what;
}

const char* check_kind(config::FileKind kind, Round& round, Checked& checked) {
  const std::string& path = checked.path;
  rejudge::Complaints& complaints = checked.complaints;
  for (const Written& written : kWritten) {
    if (written.kind == kind) return check_written(written, round, checked);
  }
  if (kind == config::FileKind::kPlatform) {
    check_platform(path, round, checked);
    return "platform table";
  }
  if (kind == config::FileKind::kSchema) {
    // Whatever it is compared with: a schema that cannot be used throws.
    document::validate(path, "null");
    return "schema";
  }
  if (kind == config::FileKind::kRecords) {
    rejudge::check_records(path, support::read_file(path), complaints);
    return "record stream";
  }
  if (kind == config::FileKind::kReport) {
    rejudge::check_report(path, support::read_file(path), round.program.paths, complaints);
    round.reports.push_back(path);
    return "report";
  }
  complaints.push_back(
      path +
      ": is neither a suite, a platform table, a description of a bench, a comparison, a table of "
      "causes or faults, a list of assets, a list of waivers, an inventory, a schema, a record "
      "stream nor a report: expected a field \"schema\" that begins with rackproof/suite/, "
      "rackproof/platform/, rackproof/bench/, rackproof/comparison/, rackproof/causes/, "
      "rackproof/faults/, rackproof/assets/ or rackproof/waivers/, a field \"$schema\", a first "
      "line of kind \"hello\", or a field \"schema_version\"");
  return "";
}

Checked check_one(const std::string& path, Round& round) {
  Checked checked{path, ""};
  try {
    checked.what = check_kind(config::kind_of(path), round, checked);
  } catch (const document::ConfigError& error) {
    checked.complaints.emplace_back(error.what());
  } catch (const model::BadReport& error) {
    checked.complaints.push_back(path + ": " + error.what());
  } catch (const UsageError& error) {
    checked.complaints.emplace_back(error.what());
  }
  return checked;
}

void say(const Checked& checked, Round& round) {
  for (const std::string& warning : checked.warnings) print(warning + "\n");
  rejudge::Complaints fresh;
  for (const std::string& one : checked.complaints) {
    if (round.said.insert(one).second) fresh.push_back(one);
  }
  for (std::size_t i = 0; i < std::min(fresh.size(), kMostComplaints); ++i) {
    print(model::printable(fresh[i]) + "\n");
  }
  if (fresh.size() > kMostComplaints) {
    print(fmt::format("{}: and {} more\n", checked.path, fresh.size() - kMostComplaints));
  }
  if (checked.complaints.empty()) print(fmt::format("{}: good {}\n", checked.path, checked.what));
}

nlohmann::json to_json(const Checked& checked) {
  nlohmann::json file = {{"path", checked.path},
                         {"good", checked.complaints.empty()},
                         {"complaints", checked.complaints},
                         {"warnings", checked.warnings}};
  if (!checked.what.empty()) file["kind"] = checked.what;
  return file;
}

// Of a run directory all that is in it, and not its report alone.
std::vector<std::string> files_of(const std::string& path) {
  std::error_code error;
  return support::json_files_in(
      std::filesystem::is_directory(path, error) ? path : archive::report_file(path));
}

// The gravest first: not the order of the codes.
int worse_verdict(int a, int b) {
  for (const int code : {kRejected, kIncomplete, kVerified}) {
    if (a == code || b == code) return code;
  }
  return kAccepted;
}

int say_verdicts(const Round& round, nlohmann::json* document) {
  int worst = kAccepted;
  for (const std::string& path : round.reports) {
    const model::Report report = archive::load_report(path);
    if (document != nullptr) {
      document->push_back({{"path", path}, {"acceptance", contract::word(report.acceptance)}});
    } else {
      print((round.reports.size() > 1 ? path + ": " : "") + verdict_line(report));
    }
    worst = worse_verdict(worst, rejudge::verdict_code(report));
  }
  return worst;
}

}  // namespace

int check_verb(const CheckOptions& options, const Program& program) {
  bool good = true;
  Round round{program, {}};
  nlohmann::json document = {{"format", "rackproof-check"},
                             {"version", "1.0"},
                             {"files", nlohmann::json::array()},
                             {"together", nlohmann::json::array()},
                             {"verdicts", nlohmann::json::array()}};
  for (const std::string& path : options.paths) {
    for (const std::string& file : files_of(path)) {
      const Checked checked = check_one(file, round);
      good = checked.complaints.empty() && good;
      if (options.json) {
        document["files"].push_back(to_json(checked));
      } else {
        say(checked, round);
      }
    }
  }
  for (const auto& complaint : lint::lint_together(round.tables)) {
    good = false;
    if (options.json) {
      document["together"].push_back(lint::to_text(complaint));
    } else {
      print(lint::to_text(complaint) + "\n");
    }
  }
  // That a report is good says nothing of the machine: the last line does.
  const int verdict =
      good ? say_verdicts(round, options.json ? &document["verdicts"] : nullptr) : kAccepted;
  if (options.json) {
    document["good"] = good;
    print(document.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  }
  if (!good) return kUsage;
  return options.exit_code ? verdict : 0;
}

}  // namespace rackproof::cli
