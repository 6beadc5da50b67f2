#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/archive/report_file.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/redaction/alias_map.hpp"
#include "harness/redaction/redaction.hpp"
#include "harness/rejudge/judged_again.hpp"
#include "reports/json/report_json.hpp"
#include "reports/model/printable.hpp"

namespace rackproof::cli {
namespace {

bool same_verdicts(const model::Report& a, const model::Report& b) {
  return a.acceptance == b.acceptance && a.counts == b.counts &&
         a.required_counts == b.required_counts && a.findings.size() == b.findings.size() &&
         std::equal(a.cells.begin(), a.cells.end(), b.cells.begin(), b.cells.end(),
                    [](const model::Cell& one, const model::Cell& other) {
                      return one.verdict.outcome == other.verdict.outcome &&
                             one.verdict.reason_id == other.verdict.reason_id &&
                             one.verdict.observed == other.verdict.observed;
                    });
}

// Judged as it is found: a report that was edited must not come out as one that is whole.
model::Report load_sound(const std::string& path) {
  model::Report report = archive::load_report(path);
  if (!same_verdicts(report, rejudge::judged_again(report))) {
    throw UsageError(path + ": its verdicts are not what its evidence gives; see rackproof check");
  }
  return report;
}

model::Report read_back(const std::string& path, const std::string& text) {
  try {
    model::Report report = model::report_from_json(text);
    std::sort(report.nodes.begin(), report.nodes.end(),
              [](const auto& a, const auto& b) { return a.host < b.host; });
    return rejudge::judged_again(std::move(report));
  } catch (const model::BadReport& bad) {
    throw UsageError(
        fmt::format("{}: cannot be redacted: a host or a part has the name of a word "
                    "of the format ({})",
                    path, bad.what()));
  }
}

}  // namespace

int redact_verb(const RedactOptions& options, const Program& /*program*/) {
  const std::string map = options.map.empty() ? options.out + ".map.json" : options.map;
  const model::Report report = load_sound(options.report);
  redaction::Aliases aliases(redaction::key_of_map(map));
  const model::Report clean =
      read_back(options.report, redaction::redacted(report, model::to_json(report), aliases));
  if (!same_verdicts(report, clean)) {
    throw UsageError(options.report +
                     ": cannot be redacted: without its names it is judged in another way");
  }
  const std::string text = model::to_json(clean);
  const auto left = redaction::leaks(text, aliases);
  if (!left.empty()) {
    throw UsageError(
        fmt::format("{}: cannot be redacted: '{}' would still be in it{}", options.report,
                    model::printable(left.front(), 80),
                    left.size() > 1 ? fmt::format(", and {} more", left.size() - 1) : ""));
  }
  // The map first: a report without a way back is worth less than a map without a report.
  archive::write_durably(map, redaction::map_text(map, aliases));
  archive::write_json(options.out, clean);
  print(fmt::format("{}: {} names replaced; the way back is in {}, which is not to be given away\n",
                    options.out, aliases.all().size(), map));
  return 0;
}

}  // namespace rackproof::cli
