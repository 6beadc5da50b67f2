#include "harness/ledger/ledger_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/model/cell_text.hpp"
#include "reports/model/printable.hpp"
#include "reports/model/words.hpp"
#include "reports/terminal/layout.hpp"

namespace rackproof::ledger {
namespace {

using model::counted;
using terminal::Page;
using terminal::Paint;

std::string percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.2g} %", *share * 100) : "-";
}

std::string date_of(const std::optional<RunRef>& run) {
  return run ? minute_of(run->began_utc) : "never";
}

std::string evidence_date_of(const std::optional<RunRef>& run) {
  return run ? minute_of(run->evidence_utc) : "never";
}

std::string why_text(const Worst& part) {
  if (part.worst) {
    const Quantity& what = part.worst->cell.quantity;
    return fmt::format("{}: {}: {}", model::printable(what.metric + " " + what.parameters),
                       part.worst->reason_id, part.worst->reason);
  }
  return part.finding ? part.finding->id + ": " + part.finding->text : "";
}

}  // namespace

std::string outcome_word(const Tally& tally) {
  const auto outcome = outcome_of(tally);
  return outcome ? std::string(contract::word(*outcome)) : "-";
}

std::string due_word(Due why) {
  switch (why) {
    case Due::kNever:
      return "never accepted";
    case Due::kPartly:
      return "never whole";
    case Due::kOld:
      return "too old";
  }
  return "";
}

std::string added_text(const Added& added, const std::string& ledger) {
  return fmt::format("{} added, {} known already, {} left out; {} in {}\n",
                     counted(added.added, "report"), added.known, added.unfit.size(),
                     counted(added.reports, "report"), model::printable(ledger));
}

std::string worst_text(const std::vector<Worst>& parts, std::size_t most, const std::string& period,
                       const terminal::Style& style) {
  Page page(style);
  if (parts.empty()) {
    page.paragraph(0, "no part failed " + period);
    return page.take();
  }
  page.paragraph(0, fmt::format("{} failed {}", counted(parts.size(), "part"), period));
  page.blank();
  terminal::Rows rows = {{"part", "last run", "now", "failed", "of runs", "worst by"}};
  const std::size_t shown = std::min(most, parts.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const Worst& part = parts[i];
    rows.push_back({name_of(part.kind, part.last.place), minute_of(part.last.run.began_utc),
                    outcome_word(part.last.tally), std::to_string(part.failed),
                    std::to_string(part.runs),
                    part.worst ? percent(part.worst->shortfall) : std::string("-")});
  }
  page.table(2, rows, 3);
  page.heading(Paint::kBold, "Worst failure of each");
  for (std::size_t i = 0; i < shown; ++i) {
    const Worst& part = parts[i];
    page.paragraph(2, Paint::kNone, name_of(part.kind, part.last.place) + ":", why_text(part));
  }
  if (shown < parts.size()) {
    page.paragraph(2, fmt::format("and {} more: --top, --json", parts.size() - shown));
  }
  return page.take();
}

std::string due_text(const DueAnswer& answer, const std::string& older_than,
                     const terminal::Style& style) {
  Page page(style);
  page.paragraph(0, fmt::format("{} of {} have no accepted whole run within {}", answer.due.size(),
                                counted(answer.hosts, "host"), older_than));
  if (answer.due.empty()) return page.take();
  page.blank();
  terminal::Rows rows = {{"host", "rack", "why", "last whole", "last accepted", "last run", ""}};
  for (const DueHost& one : answer.due) {
    rows.push_back({one.host, one.last && !one.last->rack.empty() ? one.last->rack : "-",
                    due_word(one.why), evidence_date_of(one.whole), evidence_date_of(one.accepted),
                    date_of(one.last),
                    one.last ? std::string(contract::word(one.last->acceptance)) : ""});
  }
  page.table(2, rows, 3);
  return page.take();
}

std::string failures_text(const FailuresAnswer& answer, const std::string& period,
                          const terminal::Style& style) {
  Page page(style);
  page.paragraph(0, fmt::format("{} {}, {} of them rejected", counted(answer.runs, "run"), period,
                                answer.rejected));
  if (answer.groups.empty()) {
    page.paragraph(0, "nothing failed");
    return page.take();
  }
  page.blank();
  terminal::Rows rows = {{"of", "metric", "why", "failed", "parts", "runs", "worst by", "last"}};
  for (const FailureGroup& one : answer.groups) {
    rows.push_back({one.kind, one.metric.empty() ? "(finding)" : one.metric, one.id,
                    std::to_string(one.cells), std::to_string(one.parts), std::to_string(one.runs),
                    percent(one.shortfall), minute_of(one.last_utc)});
  }
  page.table(2, rows, 3);
  return page.take();
}

}  // namespace rackproof::ledger
