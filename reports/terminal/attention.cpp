#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "reports/model/words.hpp"
#include "reports/model/worst_first.hpp"
#include "reports/terminal/layout.hpp"

namespace rackproof::terminal {
namespace {

using model::Cell;
using model::Outcome;

constexpr std::size_t kShown = 20;
constexpr std::size_t kCausesShown = 3;

/// One thing to read: a cell with a number, or all cells that have none for the same reason.
struct Entry {
  std::vector<const Cell*> cells;
};

/// Required ones first; what failed, by how much it tells of the culprit.
std::vector<const Cell*> cells_of(const model::Report& report, Outcome outcome) {
  std::vector<const Cell*> cells;
  for (const bool required : {true, false}) {
    for (const Cell& cell : report.cells) {
      if (cell.verdict.outcome == outcome && cell.required == required) cells.push_back(&cell);
    }
  }
  return outcome == Outcome::kFail ? model::worst_first(cells) : cells;
}

std::vector<Entry> entries_of(const model::Report& report, Outcome outcome) {
  std::vector<Entry> entries;
  std::map<std::tuple<std::string, std::string, bool, std::string, std::string>, std::size_t> known;
  for (const Cell* cell : cells_of(report, outcome)) {
    if (!cell->verdict.observed) {
      const auto [place, fresh] =
          known.try_emplace({cell->step, label(cell->subject), cell->required,
                             cell->verdict.reason_id, cell->verdict.reason},
                            entries.size());
      if (!fresh) {
        entries[place->second].cells.push_back(cell);
        continue;
      }
    }
    entries.push_back({{cell}});
  }
  return entries;
}

/// "stream.copy, stream.scale threads=8", cut when there are many.
std::string names_of(const Entry& entry) {
  constexpr std::size_t kNames = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(entry.cells.size(), kNames); ++i) {
    if (i > 0) text += ", ";
    text += what_of(*entry.cells[i]);
  }
  if (entry.cells.size() > kNames) {
    text += fmt::format(" and {} more", entry.cells.size() - kNames);
  }
  return text;
}

/// The gravest ones, each on a line. Cells of one entry may have others: those of the first are
/// shown.
void add_causes(Page& page, const Cell& cell) {
  const auto& causes = cell.causes;
  for (std::size_t i = 0; i < std::min(causes.size(), kCausesShown); ++i) {
    const bool silent = causes[i].subject.empty();
    page.paragraph(6, silent ? causes[i].text
                             : fmt::format("seen: {}: {}", causes[i].subject, causes[i].text));
  }
  if (causes.size() > kCausesShown) {
    page.paragraph(6, fmt::format("and {} more in the report", causes.size() - kCausesShown));
  }
}

void add_entry(Page& page, const Entry& entry, Paint paint) {
  const Cell& first = *entry.cells.front();
  page.paragraph(2, paint, label(first.subject),
                 names_of(entry) + (first.required ? "" : " (not required)"));
  if (const std::string numbers = model::numbers_of(first); !numbers.empty())
    page.paragraph(6, numbers);
  page.paragraph(6, model::reason_of(first));
  add_causes(page, first);
}

void add_rest(Page& page, const std::vector<Entry>& entries) {
  std::map<std::pair<std::string, std::string>, std::size_t> groups;
  std::size_t cells = 0;
  for (std::size_t i = kShown; i < entries.size(); ++i) {
    for (const Cell* cell : entries[i].cells) {
      ++groups[{cell->verdict.reason_id, cell->metric}];
      ++cells;
    }
  }
  if (cells == 0) return;
  std::vector<std::pair<std::size_t, std::string>> parts;
  parts.reserve(groups.size());
  for (const auto& [key, count] : groups) {
    parts.emplace_back(count, fmt::format("{} x {} ({})", count, key.second, key.first));
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (std::size_t i = 0; i < std::min(parts.size(), kShown); ++i) {
    if (i > 0) text += ", ";
    text += parts[i].second;
  }
  if (parts.size() > kShown) text += ", ...";
  page.paragraph(2, fmt::format("and {} more: {}", counted(cells, "cell"), text));
}

void add_outcome(Page& page, const model::Report& report, Outcome outcome, std::string_view title,
                 Paint paint) {
  const std::vector<Entry> entries = entries_of(report, outcome);
  if (entries.empty()) return;
  std::size_t cells = 0;
  for (const Entry& entry : entries) cells += entry.cells.size();
  page.heading(paint, fmt::format("{} ({})", title, counted(cells, "cell")));
  for (std::size_t i = 0; i < std::min(entries.size(), kShown); ++i) {
    add_entry(page, entries[i], Paint::kBold);
  }
  add_rest(page, entries);
}

void add_findings(Page& page, const model::Report& report) {
  if (report.findings.empty()) return;
  page.heading(Paint::kBold, fmt::format("FINDINGS ({})", report.findings.size()));
  for (const auto severity : {model::Severity::kIsolate, model::Severity::kError,
                              model::Severity::kWarning, model::Severity::kInfo}) {
    const Paint paint = severity >= model::Severity::kError     ? Paint::kBad
                        : severity == model::Severity::kWarning ? Paint::kWarn
                                                                : Paint::kNone;
    std::size_t shown = 0;
    std::size_t all = 0;
    for (const model::Finding& finding : report.findings) {
      if (finding.severity != severity) continue;
      if (++all > kShown) continue;
      ++shown;
      std::string text = finding.id;
      if (!finding.subject.empty()) text += ", " + finding.subject;
      if (!finding.step.empty()) text += ", step " + finding.step;
      page.paragraph(2, paint, contract::word(severity), text + ": " + finding.text);
    }
    if (all > shown) {
      page.paragraph(
          2, fmt::format("and {} more of severity {}", all - shown, contract::word(severity)));
    }
  }
}

}  // namespace

void add_attention(Page& page, const model::Report& report) {
  add_outcome(page, report, Outcome::kFail, "FAILED", Paint::kBad);
  add_outcome(page, report, Outcome::kUntested, "UNTESTED", Paint::kWarn);
  add_outcome(page, report, Outcome::kUnjudged, "UNJUDGED", Paint::kWarn);
  add_findings(page, report);
}

}  // namespace rackproof::terminal
