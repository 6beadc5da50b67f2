#include "harness/learn/learn.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "harness/archive/report_file.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/config/table_text.hpp"
#include "harness/document/reader.hpp"
#include "harness/learn/history_file.hpp"
#include "harness/rejudge/judged_again.hpp"

namespace rackproof::cli {
namespace {

// A report whose verdicts do not follow from its evidence was edited, or judged by other rules.
model::Report load_teacher(const std::string& path) {
  model::Report report = archive::load_report(path);
  const model::Report again = rejudge::judged_again(report);
  if (again.acceptance != report.acceptance || !(again.counts == report.counts)) {
    throw UsageError(path +
                     ": its verdicts are not what its evidence gives; judge it again with "
                     "rackproof judge, or look with rackproof check at what differs");
  }
  return report;
}

// What was left out is said, and refused unless it may be.
void require_fit(const learn::Lesson& lesson, bool skip) {
  std::string text;
  for (const learn::Unfit& unfit : lesson.unfit) {
    text += fmt::format("\n  {}: {}", unfit.cells, unfit.why);
  }
  if (text.empty()) return;
  if (!skip) {
    throw UsageError("these results cannot be learned from; --skip-unfit leaves them out:" + text);
  }
  std::fprintf(stderr, "rackproof: left out:%s\n", text.c_str());
}

void require_options(const LearnOptions& options) {
  if (!document::is_name(options.id)) {
    throw UsageError("--id: '" + options.id +
                     "' is no name: expected 1 to 64 letters, digits, '.', '_' or '-'");
  }
  if (options.least_values < 2) throw UsageError("--min-values: expected at least 2");
  if (!(options.least_tolerance > 0 && options.least_tolerance < 0.5)) {
    throw UsageError("--min-tolerance: expected a share above 0 and below 0.5");
  }
}

}  // namespace

int learn_verb(const LearnOptions& options, const Program& /*program*/) {
  require_options(options);
  std::vector<model::Report> reports;
  for (const std::string& path : options.reports) reports.push_back(load_teacher(path));
  try {
    if (!options.history.empty()) {
      const auto history = learn::learn_history(std::move(reports));
      archive::write_durably(options.history, learn::history_text(history));
      print(fmt::format("{}: {} cells of devices and nodes, from {} runs\n", options.history,
                        history.size(), options.reports.size()));
      return 0;
    }
    const learn::Lesson lesson = learn::learn_table(
        std::move(reports),
        {options.id, options.title.empty() ? "Learned from accepted runs" : options.title,
         options.least_values, options.least_tolerance});
    require_fit(lesson, options.skip_unfit);
    if (lesson.table.baselines.empty()) throw UsageError("no cell of the reports taught anything");
    const std::string text = config::table_text(lesson.table, lesson.extends);
    if (options.out.empty()) {
      print(text);
      return 0;
    }
    archive::write_durably(options.out, text);
    print(fmt::format("{}: {} baselines from {} runs, over the table {}\n", options.out,
                      lesson.table.baselines.size(), options.reports.size(), lesson.extends));
    return 0;
  } catch (const learn::BadReports& error) {
    throw UsageError(error.what());
  }
}

}  // namespace rackproof::cli
