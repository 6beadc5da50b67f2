#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "reports/model/parts.hpp"
#include "reports/model/words.hpp"
#include "reports/model/worst_first.hpp"
#include "reports/terminal/layout.hpp"

namespace rackproof::terminal {
namespace {

using model::Cell;
using model::Outcome;
using model::Severity;

constexpr std::size_t kPartsShown = 4;
constexpr std::size_t kKindsShown = 5;
// A sentence about one of many findings is cut here: the report has it.
constexpr std::size_t kSentence = 160;

std::string cut(const std::string& text) {
  if (text.size() <= kSentence) return text;
  const std::size_t blank = text.rfind(' ', kSentence);
  return text.substr(0, blank == std::string::npos ? kSentence : blank) + " ...";
}

/// What is known of the cell that tells most, on a line.
std::string example_of(const Cell& cell) {
  const std::string numbers = model::numbers_of(cell);
  return what_of(cell) + ": " + (numbers.empty() ? cut(model::reason_of(cell)) : numbers);
}

void add_parts(Page& page, const model::Report& report, Outcome outcome, std::string_view title,
               Paint paint) {
  std::vector<const Cell*> cells;
  for (const Cell& cell : report.cells) {
    if (cell.verdict.outcome == outcome && cell.required) cells.push_back(&cell);
  }
  if (cells.empty()) return;
  if (outcome == Outcome::kFail) cells = model::worst_first(cells);
  const std::vector<model::PartCells> parts = model::by_part(cells);
  page.heading(paint, fmt::format("{} ({} of {})", title, counted(cells.size(), "required cell"),
                                  counted(parts.size(), "part")));
  std::size_t rest = cells.size();
  for (std::size_t i = 0; i < std::min(parts.size(), kPartsShown); ++i) {
    const model::PartCells& part = parts[i];
    rest -= part.cells.size() + part.on_links.size();
    page.paragraph(2, Paint::kBold, model::part_name(report, *part.subject) + ":",
                   model::failures_of(part));
    const Cell& worst = *part.cells.front();
    page.paragraph(6, example_of(worst));
    // The gravest first; one that names nobody says that nothing was seen.
    if (worst.causes.empty() || worst.causes.front().subject.empty()) continue;
    page.paragraph(6, fmt::format("seen: {}: {}", worst.causes.front().subject,
                                  cut(worst.causes.front().text)));
  }
  if (rest > 0) {
    page.paragraph(2, fmt::format("and {} of {}", counted(rest, "cell"),
                                  counted(parts.size() - kPartsShown, "part")));
  }
}

/// Findings of one severity and kind.
struct Told {
  Severity severity = Severity::kInfo;
  std::vector<const model::Finding*> findings;
};

/// The gravest first, without those about a part of which it was said above that it failed.
std::vector<Told> by_kind(const model::Report& report) {
  std::set<std::string> failed;
  for (const Cell& cell : report.cells) {
    if (cell.required && cell.verdict.outcome == Outcome::kFail) failed.insert(label(cell.subject));
  }
  std::vector<Told> all;
  std::map<std::pair<Severity, std::string>, std::size_t> places;
  for (const auto severity : {Severity::kIsolate, Severity::kError, Severity::kWarning}) {
    for (const model::Finding& finding : report.findings) {
      if (finding.severity != severity || failed.contains(finding.subject)) continue;
      const auto [place, fresh] = places.try_emplace({severity, finding.id}, all.size());
      if (fresh) all.push_back({severity, {}});
      all[place->second].findings.push_back(&finding);
    }
  }
  return all;
}

void add_findings_briefly(Page& page, const model::Report& report) {
  if (report.findings.empty()) return;
  const std::vector<Told> all = by_kind(report);
  const std::map<std::string, std::string> names = model::device_names(report);
  page.heading(Paint::kBold, fmt::format("FINDINGS ({})", report.findings.size()));
  std::size_t shown = 0;
  for (std::size_t i = 0; i < std::min(all.size(), kKindsShown); ++i) {
    const Told& told = all[i];
    shown += told.findings.size();
    const model::Finding& first = *told.findings.front();
    const auto name = names.find(first.subject);
    const std::string subject = name == names.end() ? first.subject : name->second;
    const std::size_t others = told.findings.size() - 1;
    const Paint paint = told.severity >= Severity::kError ? Paint::kBad : Paint::kWarn;
    page.paragraph(
        2, paint, contract::word(told.severity),
        fmt::format("{}{}{}{}: {}", first.id, subject.empty() ? "" : ", ", subject,
                    others == 0 ? "" : fmt::format(" and {} more", others), cut(first.text)));
  }
  if (report.findings.size() > shown) {
    const std::size_t rest = report.findings.size() - shown;
    page.paragraph(
        2, shown == 0 ? fmt::format("{} in the report", rest) : fmt::format("and {} more", rest));
  }
}

}  // namespace

void add_brief(Page& page, const model::Report& report) {
  add_parts(page, report, Outcome::kFail, "FAILED", Paint::kBad);
  add_parts(page, report, Outcome::kUntested, "UNTESTED", Paint::kWarn);
  add_parts(page, report, Outcome::kUnjudged, "UNJUDGED", Paint::kWarn);
  add_findings_briefly(page, report);
}

}  // namespace rackproof::terminal
