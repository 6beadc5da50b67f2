#include <fmt/format.h>

#include <algorithm>

#include "harness/ledger/ledger_text.hpp"
#include "reports/model/cell_text.hpp"
#include "reports/model/quantity.hpp"
#include "reports/model/words.hpp"
#include "reports/terminal/layout.hpp"

namespace rackproof::ledger {
namespace {

using model::counted;
using terminal::Page;
using terminal::Paint;

constexpr std::size_t kShown = 10;  // of each list; a table of values is never cut

std::string or_dash(const std::string& text) { return text.empty() ? "-" : text; }

std::string what_of(const CellIn& cell) {
  const Quantity& what = cell.quantity;
  return what.parameters.empty() ? what.metric : what.metric + " " + what.parameters;
}

std::string value_of(const CellIn& cell) {
  return cell.observed ? model::quantity(*cell.observed, cell.quantity.unit) : "-";
}

std::string limit_of(const CellIn& cell) {
  return or_dash(model::limit_text(cell.low, cell.high, cell.quantity.unit));
}

void add_rest(Page& page, std::size_t all, std::size_t shown) {
  if (all > shown) page.paragraph(2, fmt::format("and {} more: --json", all - shown));
}

void add_head(Page& page, const PartAnswer& part) {
  const Place& here = part.stays.back().place;
  std::string more = part.kind == PartKind::kHost ? "host" : part.code;
  if (!here.serial.empty()) more += ", S/N " + here.serial;
  page.paragraph(0, Paint::kBold, name_of(part.kind, here), "(" + more + ")");
}

void add_stays(Page& page, const PartAnswer& part) {
  page.heading(Paint::kBold, "Where it was");
  terminal::Rows rows = {{"part", "rack", "PCI address", "from", "to", "runs"}};
  for (const Stay& stay : part.stays) {
    rows.push_back({name_of(part.kind, stay.place), or_dash(stay.rack), or_dash(stay.place.pci),
                    minute_of(stay.first_utc), minute_of(stay.last_utc),
                    std::to_string(stay.runs)});
  }
  page.table(2, rows, 3);
}

void add_runs(Page& page, const PartAnswer& part) {
  const auto failed = std::count_if(part.runs.begin(), part.runs.end(), [](const Sight& sight) {
    return outcome_of(sight.tally) == model::Outcome::kFail;
  });
  page.heading(Paint::kBold,
               fmt::format("{}, failed in {}", counted(part.runs.size(), "run"), failed));
  terminal::Rows rows = {
      {"began", "run", "suite", "verdict of the run", "of the part", "failed", "on links"}};
  const std::size_t shown = std::min(kShown, part.runs.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const Sight& sight = part.runs[i];
    rows.push_back({minute_of(sight.run.began_utc), sight.run.run, sight.run.suite,
                    std::string(contract::word(sight.run.acceptance)), outcome_word(sight.tally),
                    std::to_string(sight.tally.required.fail),
                    std::to_string(sight.tally.failed_links)});
  }
  page.table(2, rows, 5);
  add_rest(page, part.runs.size(), shown);
}

void add_failures(Page& page, const PartAnswer& part) {
  if (part.failures.empty()) return;
  page.heading(Paint::kBad, fmt::format("Failed ({})", part.failures.size()));
  const std::size_t shown = std::min(kShown, part.failures.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const FailureIn& one = part.failures[i];
    page.paragraph(
        2, Paint::kNone, minute_of(one.cell.run.began_utc),
        fmt::format("{}{}, step {}: {}: {}", one.on_link ? "link " + one.cell.subject + ": " : "",
                    what_of(one.cell), one.cell.quantity.step, one.reason_id, one.reason));
  }
  add_rest(page, part.failures.size(), shown);
}

void add_findings(Page& page, const PartAnswer& part) {
  if (part.findings.empty()) return;
  page.heading(Paint::kWarn, fmt::format("Findings ({})", part.findings.size()));
  const std::size_t shown = std::min(kShown, part.findings.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const FindingIn& one = part.findings[i];
    page.paragraph(2, Paint::kNone, minute_of(one.run.began_utc),
                   fmt::format("{} {}: {}", contract::word(one.severity), one.id, one.text));
  }
  add_rest(page, part.findings.size(), shown);
}

void add_waivers(Page& page, const PartAnswer& part) {
  if (part.waivers.empty()) return;
  page.heading(Paint::kWarn, fmt::format("Waived ({})", part.waivers.size()));
  const std::size_t shown = std::min(kShown, part.waivers.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const WaiverIn& one = part.waivers[i];
    page.paragraph(
        2, Paint::kNone, minute_of(one.cell.run.began_utc),
        fmt::format("{}, step {}: {}", what_of(one.cell), one.cell.quantity.step, one.reason));
  }
  add_rest(page, part.waivers.size(), shown);
}

void add_values(Page& page, const PartAnswer& part) {
  if (part.values.empty()) return;
  page.heading(Paint::kBold, "Latest values");
  terminal::Rows rows = {{"step", "metric", "verdict", "value", "limit", "began"}};
  for (const CellIn& one : part.values) {
    rows.push_back({one.quantity.step, what_of(one), std::string(contract::word(one.outcome)),
                    value_of(one), limit_of(one), minute_of(one.run.began_utc)});
  }
  page.table(2, rows, 3);
}

void add_held(Page& page, const PartAnswer& part) {
  if (part.held.empty()) return;
  page.heading(Paint::kBold, "Parts in it");
  terminal::Rows rows = {{"part", "id", "serial", "PCI address", "verdict"}};
  for (const Held& one : part.held) {
    rows.push_back({name_of(one.kind, one.sight.place), one.code, or_dash(one.sight.place.serial),
                    or_dash(one.sight.place.pci), outcome_word(one.sight.tally)});
  }
  page.table(2, rows, rows.front().size());
}

}  // namespace

std::string part_text(const std::vector<PartAnswer>& parts, const terminal::Style& style) {
  Page page(style);
  for (const PartAnswer& part : parts) {
    if (&part != &parts.front()) page.blank();
    add_head(page, part);
    add_stays(page, part);
    add_runs(page, part);
    add_failures(page, part);
    add_findings(page, part);
    add_waivers(page, part);
    add_values(page, part);
    add_held(page, part);
  }
  return page.take();
}

}  // namespace rackproof::ledger
