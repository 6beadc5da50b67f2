#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <system_error>

#include "harness/archive/report_file.hpp"
#include "harness/cli/report_address.hpp"
#include "harness/cli/screen.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/config/day.hpp"
#include "harness/config/installed.hpp"
#include "harness/ledger/add.hpp"
#include "harness/ledger/ask.hpp"
#include "harness/ledger/fleet_page.hpp"
#include "harness/ledger/ledger_json.hpp"
#include "harness/ledger/ledger_text.hpp"
#include "harness/ledger/rules.hpp"
#include "reports/model/printable.hpp"

namespace rackproof::cli {
namespace {

using Absent = ledger::LedgerFile::Absent;

std::string ledger_path(const FleetOptions& options, const Program& program) {
  if (!options.ledger.empty()) return options.ledger;
  const std::string folder = config::state_folder(program.environment);
  if (folder.empty()) {
    throw UsageError("there is no place for the ledger: HOME is not set; say --ledger FILE");
  }
  if (options.action == "add") {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw UsageError(folder + ": " + error.message());
  }
  return folder + "/fleet.sqlite";
}

terminal::Style style_here(const Program& program) {
  terminal::Style style;
  style.color = use_color(program, STDOUT_FILENO);
  style.width = static_cast<int>(screen_columns(program, STDOUT_FILENO));
  return style;
}

ledger::Added added_to(const std::string& path, const FleetOptions& options) {
  if (!options.rebuild) {
    ledger::LedgerFile file(path, Absent::kMake);
    return ledger::add_reports(file, options.words);
  }
  ledger::Rebuilt rebuilt(path);
  ledger::Added added = ledger::add_reports(rebuilt.file(), options.words);
  if (added.added > 0) rebuilt.take_place();
  return added;
}

int add(const std::string& path, const FleetOptions& options) {
  if (options.words.empty()) throw UsageError("fleet add: expected reports, or folders of reports");
  const ledger::Added added = added_to(path, options);
  for (const std::string& why : added.unfit) {
    std::fprintf(stderr, "rackproof: left out: %s\n", model::printable(why).c_str());
  }
  if (options.rebuild && added.added == 0) {
    throw UsageError("no report could be read: the ledger is as it was");
  }
  print(options.json ? ledger::added_json(added, path) : ledger::added_text(added, path));
  return added.unfit.empty() ? 0 : kUsage;
}

void show(ledger::LedgerFile& file, const FleetOptions& options, const Program& program) {
  if (options.words.size() != 1) {
    throw UsageError("fleet show: expected one part: a UUID, a serial number, a host or a name");
  }
  const auto parts = ledger::ask_part(file, options.words.front());
  print(options.json ? ledger::part_json(parts) : ledger::part_text(parts, style_here(program)));
}

// For people.
std::string period_of(const std::string& since) {
  return (config::is_day(since) ? "since " : "in the last ") + since;
}

void worst(ledger::LedgerFile& file, const FleetOptions& options, const Program& program,
           double now) {
  const auto parts = ledger::ask_worst(file, ledger::since_seconds(options.since, now));
  print(options.json ? ledger::worst_json(parts)
                     : ledger::worst_text(parts, options.top, period_of(options.since),
                                          style_here(program)));
}

int due(ledger::LedgerFile& file, const FleetOptions& options, const Program& program, double now) {
  const double oldest = now - config::parse_time(options.older_than);
  const ledger::DueAnswer answer = ledger::ask_due(file, oldest, options.suite);
  print(options.json ? ledger::due_json(answer)
                     : ledger::due_text(answer, options.older_than, style_here(program)));
  return options.exit_code && !answer.due.empty() ? kIncomplete : 0;
}

void failures(ledger::LedgerFile& file, const FleetOptions& options, const Program& program,
              double now) {
  const auto answer = ledger::ask_failures(file, ledger::since_seconds(options.since, now));
  print(options.json
            ? ledger::failures_json(answer)
            : ledger::failures_text(answer, period_of(options.since), style_here(program)));
}

void page(ledger::LedgerFile& file, const FleetOptions& options, const Program& program,
          double now) {
  refuse_page_on_terminal(program, options.out);
  constexpr std::size_t kParts = 300;
  // All that is known, unless less is asked for: a rack that was accepted long ago is to be seen.
  const double since = options.since.empty() ? 0 : ledger::since_seconds(options.since, now);
  ledger::FleetView view;
  view.overview = ledger::ask_overview(file, since);
  view.worst = ledger::ask_worst(file, since);
  view.histories = ledger::ask_histories(file, since, view.worst, kParts);
  view.due = ledger::ask_due(file, now - config::parse_time(options.older_than), options.suite);
  view.period = options.since.empty() ? "in the ledger" : period_of(options.since);
  view.older_than = options.older_than;
  view.now = now;
  const std::string folder =
      options.out.empty() ? "" : std::filesystem::absolute(options.out).parent_path().string();
  view.address = [&](const std::string& path) { return report_address(path, folder); };
  const std::string text = ledger::fleet_page(view);
  if (options.out.empty()) {
    print(text);
  } else {
    archive::write_durably(options.out, text);
  }
}

constexpr const char* kMonth = "30d";
constexpr std::size_t kTop = 20;

// What an action has no use for is refused: whoever says it means something by it.
void refuse_superfluous(const FleetOptions& options) {
  const std::string& action = options.action;
  const auto only = [&](bool said, const char* option, std::initializer_list<const char*> with) {
    if (!said || std::find(with.begin(), with.end(), action) != with.end()) return;
    throw UsageError(std::string(option) + " does not go with fleet " + action);
  };
  only(options.rebuild, "--rebuild", {"add"});
  only(!options.since.empty(), "--since", {"worst", "failures", "page"});
  only(options.top > 0, "--top", {"worst"});
  only(!options.older_than.empty(), "--older-than", {"due", "page"});
  only(!options.suite.empty(), "--suite", {"due", "page"});
  only(!options.out.empty(), "--out", {"page"});
  only(options.json, "--json", {"add", "show", "worst", "due", "failures"});
  only(options.exit_code, "--exit-code", {"due"});
  if (!options.words.empty() && action != "add" && action != "show") {
    throw UsageError("fleet " + action + ": expected nothing behind it, got '" +
                     options.words.front() + "'");
  }
}

}  // namespace

int fleet_verb(const FleetOptions& given, const Program& program) {
  refuse_superfluous(given);
  FleetOptions options = given;
  if (options.since.empty() && options.action != "page") options.since = kMonth;
  if (options.older_than.empty()) options.older_than = kMonth;
  if (options.top == 0) options.top = kTop;
  const std::string path = ledger_path(options, program);
  if (options.action == "add") return add(path, options);
  ledger::LedgerFile file(path, Absent::kRefuse);
  const auto now = static_cast<double>(std::time(nullptr));
  if (options.action == "show") show(file, options, program);
  if (options.action == "worst") worst(file, options, program, now);
  if (options.action == "due") return due(file, options, program, now);
  if (options.action == "failures") failures(file, options, program, now);
  if (options.action == "page") page(file, options, program, now);
  return 0;
}

}  // namespace rackproof::cli
