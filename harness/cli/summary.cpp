#include "harness/cli/summary.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <exception>

#include "harness/cli/screen.hpp"
#include "reports/json/planned_run_json.hpp"
#include "reports/model/printable.hpp"
#include "reports/model/words.hpp"
#include "reports/terminal/planned.hpp"
#include "reports/terminal/terminal.hpp"

namespace rackproof::cli {
namespace {

/// The verdict is told, whatever becomes of its summary.
template <class Render>
std::string without_fail(const model::Report& report, const Render& render) {
  try {
    return render();
  } catch (const std::exception& error) {
    return fmt::format("{}: {}\n(the summary could not be made: {})\n",
                       contract::word(report.acceptance),
                       model::printable(report.acceptance_reason), model::printable(error.what()));
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

job::Screen screen_of(const Program& program, Detail detail, bool json) {
  job::Screen screen;
  screen.columns = stderr_columns(program);
  screen.closing = [&program, detail](const model::Report& report) {
    switch (detail) {
      case Detail::kVerdict:
        return verdict_line(report);
      case Detail::kBrief:
        return closing_summary(report, program);
      case Detail::kSummary:
      case Detail::kAll:
        // What scrolls away is said again where people look.
        return summary(report, program, detail == Detail::kAll) + verdict_line(report);
    }
    return std::string();
  };
  screen.planned = [&program, detail, json](const model::PlannedRun& run) {
    if (json) return model::to_json(run);
    terminal::Style style = style_of(program);
    style.all_cells = detail == Detail::kAll;
    return terminal::planned(run, style);
  };
  return screen;
}

std::string summary(const model::Report& report, const terminal::PassedCells& passed,
                    const Program& program) {
  terminal::Style style = style_of(program);
  return without_fail(report, [&] { return terminal::render(report, passed, style); });
}

}  // namespace rackproof::cli
