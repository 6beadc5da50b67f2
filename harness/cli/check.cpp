#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "harness/cli/exit_code.hpp"
#include "harness/cli/report_file.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/config/located_json.hpp"
#include "harness/config/platform.hpp"
#include "harness/config/schema.hpp"
#include "harness/config/suite.hpp"
#include "harness/judge/judge.hpp"
#include "harness/wire/record_reader.hpp"
#include "reports/model/printable.hpp"
#include "reports/model/report_json.hpp"

namespace rackproof::cli {
namespace {

constexpr std::size_t kMostComplaints = 20;

using Complaints = std::vector<std::string>;

void check_schema(const std::string& path, const std::string& schema, std::string_view text,
                  Complaints& complaints) {
  for (const auto& issue : config::validate(schema, text)) {
    complaints.push_back(
        issue.line > 0 ? fmt::format("{}:{}: {}: {}", path, issue.line, issue.pointer, issue.text)
                       : fmt::format("{}: {}: {}", path, issue.pointer, issue.text));
  }
}

// A report that was judged by other rules, or edited, gives other verdicts when judged again.
void check_report(const std::string& path, const std::string& text, const Program& program,
                  Complaints& complaints) {
  check_schema(path, program.paths.schemas + "/report.schema.json", text, complaints);
  if (!complaints.empty()) return;
  model::Report report = model::report_from_json(text);
  if (model::to_json(report) != text) {
    complaints.push_back(path + ": is not in canonical form");
  }
  std::map<std::string, int> verdicts;
  for (const auto& cell : report.cells) {
    if (++verdicts[cell.id] == 2) complaints.push_back(path + ": two cells are called " + cell.id);
  }
  model::Report again = report;
  judge::judge(again);
  for (std::size_t i = 0; i < report.cells.size(); ++i) {
    if (report.cells[i].verdict == again.cells[i].verdict) continue;
    complaints.push_back(fmt::format("{}: cells[{}].verdict: {} is not what its evidence gives: {}",
                                     path, i, report.cells[i].verdict.reason_id,
                                     again.cells[i].verdict.reason_id));
  }
  if (report.acceptance != again.acceptance || !(report.counts == again.counts)) {
    complaints.push_back(path + ": acceptance: is not what its cells give");
  }
}

void check_records(const std::string& path, const std::string& text, Complaints& complaints) {
  std::string_view rest = text;
  int number = 0;
  bool ended = false;
  while (!rest.empty()) {
    ++number;
    const std::size_t newline = rest.find('\n');
    const std::string_view line = rest.substr(0, newline);
    const auto complain = [&](const std::string& what) {
      complaints.push_back(fmt::format("{}:{}: {}", path, number, what));
    };
    if (newline == std::string_view::npos) complain("the last line has no newline");
    if (ended) complain("comes after 'end'");
    try {
      const wire::Incoming incoming = wire::read_record(line);
      const bool hello = std::holds_alternative<protocol::Hello>(incoming.record);
      if (hello != (number == 1)) complain("'hello' must be the first record and come once");
      ended = std::holds_alternative<protocol::End>(incoming.record);
    } catch (const wire::BadRecord& error) {
      complain(error.what());
    }
    rest.remove_prefix(newline == std::string_view::npos ? rest.size() : newline + 1);
  }
  if (!ended) complaints.push_back(path + ": the last record is not 'end': truncated");
}

enum class FileKind { kSuite, kPlatform, kRecords, kReport, kUnknown };

// By what only that kind of file has; comments may come first in the hand-written ones.
FileKind kind_of(const std::string& text) {
  const std::string_view start = std::string_view(text).substr(0, 4096);
  if (start.find("rackproof/suite/") != std::string_view::npos) return FileKind::kSuite;
  if (start.find("rackproof/platform/") != std::string_view::npos) return FileKind::kPlatform;
  const std::string_view line = start.substr(0, start.find('\n'));
  if (line.find("\"kind\"") != std::string_view::npos) return FileKind::kRecords;
  if (text.find("\"schema_version\"") != std::string::npos) return FileKind::kReport;
  return FileKind::kUnknown;
}

const char* check_one(const std::string& path, const Program& program, Complaints& complaints) {
  try {
    const std::string text = read_file(path);
    switch (kind_of(text)) {
      case FileKind::kSuite:
        config::load_suite(path);
        check_schema(path, program.paths.schemas + "/suite.schema.json", text, complaints);
        return "suite";
      case FileKind::kPlatform:
        config::load_platform(path, program.paths.platforms);
        check_schema(path, program.paths.schemas + "/platform.schema.json", text, complaints);
        return "platform table";
      case FileKind::kRecords:
        check_records(path, text, complaints);
        return "record stream";
      case FileKind::kReport:
        check_report(path, text, program, complaints);
        return "report";
      case FileKind::kUnknown:
        break;
    }
    complaints.push_back(path +
                         ": is neither a suite, a platform table, a record stream nor a report: "
                         "expected a field \"schema\" that begins with rackproof/suite/ or "
                         "rackproof/platform/, a first line of kind \"hello\", or a field "
                         "\"schema_version\"");
  } catch (const config::ConfigError& error) {
    complaints.emplace_back(error.what());
  } catch (const model::BadReport& error) {
    complaints.push_back(path + ": " + error.what());
  } catch (const UsageError& error) {
    complaints.emplace_back(error.what());
  }
  return "";
}

}  // namespace

int check_verb(const std::vector<std::string>& files, const Program& program) {
  bool bad = false;
  for (const std::string& path : files) {
    Complaints complaints;
    const std::string what = check_one(path, program, complaints);
    if (complaints.empty()) {
      print(fmt::format("{}: good {}\n", path, what));
      continue;
    }
    bad = true;
    for (std::size_t i = 0; i < std::min(complaints.size(), kMostComplaints); ++i) {
      print(model::printable(complaints[i]) + "\n");
    }
    if (complaints.size() > kMostComplaints) {
      print(fmt::format("{}: and {} more\n", path, complaints.size() - kMostComplaints));
    }
  }
  return bad ? kUsage : 0;
}

}  // namespace rackproof::cli
