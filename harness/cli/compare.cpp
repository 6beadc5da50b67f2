#include "harness/compare/compare.hpp"

#include <algorithm>

#include "harness/archive/report_file.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/compare/comparison_page.hpp"
#include "harness/compare/comparison_text.hpp"
#include "harness/config/comparison.hpp"

namespace rackproof::cli {
namespace {

// One report in memory at a time: what a comparison needs of it is small.
std::vector<compare::Sample> samples_of(const std::vector<std::string>& files,
                                        const config::ComparisonRules& table) {
  std::vector<compare::Sample> samples;
  for (const std::string& file : files) {
    samples.push_back(compare::sample_of(archive::load_report(file), table, file));
  }
  return samples;
}

}  // namespace

int compare_verb(const CompareOptions& options, const Program& program) {
  std::vector<std::string> a = options.a;
  std::vector<std::string> b = options.b;
  if (!options.reports.empty()) {
    if (options.reports.size() != 2 || !a.empty() || !b.empty()) {
      throw UsageError(
          "expected two reports, or --a with those of one side and --b with the others");
    }
    a = {options.reports[0]};
    b = {options.reports[1]};
  }
  if (a.empty() || b.empty()) throw UsageError("expected reports on both sides: --a and --b");
  compare::Options how;
  how.margin = options.margin_percent / 100;
  how.confidence = options.confidence_percent / 100;
  const config::ComparisonRules table = config::load_comparison(program.paths.comparison);
  const auto samples_a = samples_of(a, table);
  const auto samples_b = samples_of(b, table);
  const compare::Comparison result = compare::compare(samples_a, samples_b, how);
  if (!options.page.empty()) {
    archive::write_durably(options.page,
                           compare::comparison_page(result, samples_a, samples_b, how));
  }
  print(options.json ? compare::comparison_json(result, samples_a, samples_b, how)
                     : compare::comparison_text(result, samples_a, samples_b, how));
  if (result.lines.empty()) return kIncomplete;
  const bool worse = std::any_of(result.lines.begin(), result.lines.end(), [](const auto& line) {
    return line.answer == compare::Answer::kWorse;
  });
  if (options.fail_on.empty()) return kAccepted;
  if (worse) return kRejected;
  // What B has no number for any more may be worse than anything.
  const bool lost = std::any_of(result.lines.begin(), result.lines.end(),
                                [](const auto& line) { return line.lost > 0; });
  return lost || !result.only_a.empty() ? kIncomplete : kAccepted;
}

}  // namespace rackproof::cli
