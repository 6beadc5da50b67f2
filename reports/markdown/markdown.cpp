#include "reports/markdown/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "reports/model/cell_text.hpp"
#include "reports/model/printable.hpp"
#include "reports/model/quantity.hpp"
#include "reports/model/words.hpp"
#include "reports/model/worst_first.hpp"

namespace rackproof::markdown {
namespace {

using model::Cell;
using model::Outcome;

constexpr std::size_t kRows = 20;
constexpr std::size_t kCharacters = 240;

// Foreign text as one line of plain words: no markup, and nothing that becomes a link, a mention or
// a reference by itself.
std::string plain(std::string_view text) {
  const std::string clean = model::printable(text, kCharacters);
  std::string out;
  for (std::size_t i = 0; i < clean.size(); ++i) {
    const std::string_view rest = std::string_view(clean).substr(i);
    const char c = clean[i];
    if (std::string_view("&<@#").find(c) != std::string_view::npos || rest.starts_with("://") ||
        (c == '.' && i >= 3 && std::string_view(clean).substr(i - 3).starts_with("www"))) {
      out += fmt::format("&#{};", static_cast<int>(c));
      continue;
    }
    if (std::string_view("\\`*_{}[]+!|~$").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// Text that grows up to kMostBytes and no further.
class Page {
 public:
  void add(const std::string& text) { out_ += text; }
  // Gives false, and adds nothing, when there is no room for it and what must follow.
  bool add_if_room(const std::string& text) {
    constexpr std::size_t kReserve = 4000;
    if (out_.size() + text.size() + kReserve > kMostBytes) return false;
    out_ += text;
    return true;
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

// A table of the first rows, then how many are left.
void add_table(Page& page, const std::string& title, const std::string& head,
               const std::vector<std::string>& rows, std::size_t things,
               const std::vector<std::size_t>& weights) {
  if (rows.empty()) return;
  page.add(fmt::format("\n### {} ({})\n\n{}", title, things, head));
  std::size_t told = 0;
  for (std::size_t i = 0; i < std::min(rows.size(), kRows); ++i) {
    if (!page.add_if_room(rows[i])) break;
    told += weights[i];
  }
  if (told < things) page.add(fmt::format("\nand {} more\n", things - told));
}

void add_failed(Page& page, const model::Report& report) {
  std::vector<const Cell*> failed;
  for (const Cell& cell : report.cells) {
    if (cell.verdict.outcome == Outcome::kFail) failed.push_back(&cell);
  }
  std::vector<std::string> rows;
  for (const Cell* cell : model::worst_first(failed)) {
    if (rows.size() > kRows) break;
    const model::Verdict& verdict = cell->verdict;
    rows.push_back(fmt::format(
        "| {} | {}{} | {} | {} | {} | {} |\n", plain(model::label(cell->subject)),
        plain(model::what_of(*cell)), cell->required ? "" : " (not required)",
        verdict.observed ? plain(model::quantity(*verdict.observed, model::unit_of(*cell))) : "",
        plain(model::limit_of(*cell)),
        verdict.ratio ? fmt::format("{:.4g} %", *verdict.ratio * 100) : "",
        plain(model::reason_of(*cell)) +
            (cell->causes.empty() ? "" : "; " + plain(model::causes_of(*cell)))));
  }
  add_table(page, "Failed",
            "| subject | metric | measured | limit | of expected | why |\n"
            "|---|---|---:|---:|---:|---|\n",
            rows, failed.size(), std::vector<std::size_t>(rows.size(), 1));
}

void add_unproven(Page& page, const model::Report& report, Outcome outcome,
                  const std::string& title) {
  std::map<std::tuple<bool, std::string, std::string, std::string>, std::size_t> groups;
  std::size_t cells = 0;
  for (const Cell& cell : report.cells) {
    if (cell.verdict.outcome != outcome) continue;
    ++groups[{!cell.required, cell.step, model::label(cell.subject), model::reason_of(cell)}];
    ++cells;
  }
  std::vector<std::string> rows;
  std::vector<std::size_t> weights;
  for (const auto& [key, count] : groups) {
    const auto& [aside, step, subject, reason] = key;
    rows.push_back(fmt::format("| {}{} | {} | {} | {} |\n", plain(subject),
                               aside ? " (not required)" : "", plain(step), count, plain(reason)));
    weights.push_back(count);
  }
  add_table(page, title, "| subject | step | cells | why |\n|---|---|---:|---|\n", rows, cells,
            weights);
}

void add_findings(Page& page, const model::Report& report) {
  std::vector<const model::Finding*> findings;
  for (const model::Finding& finding : report.findings) findings.push_back(&finding);
  std::stable_sort(findings.begin(), findings.end(),
                   [](const auto* a, const auto* b) { return a->severity > b->severity; });
  std::vector<std::string> rows;
  for (const model::Finding* finding : findings) {
    if (rows.size() > kRows) break;
    rows.push_back(fmt::format("| {} | {} | {} | {} |\n", contract::word(finding->severity),
                               plain(finding->id), plain(finding->subject), plain(finding->text)));
  }
  add_table(page, "Findings", "| severity | finding | about | what |\n|---|---|---|---|\n", rows,
            findings.size(), std::vector<std::size_t>(rows.size(), 1));
}

std::string count_row(std::string_view name, const model::Counts& counts) {
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", name, counts.pass,
                     counts.verified, counts.fail, counts.untested, counts.unjudged, counts.waived,
                     total(counts));
}

void add_head(Page& page, const model::Report& report) {
  const model::RunInfo& run = report.run;
  page.add(fmt::format("## rackproof: {}\n\n{}\n\n", model::verdict_word(report.acceptance),
                       plain(model::verdict_text(report))));
  if (report.amends) page.add(plain(model::amends_text(report)) + "\n\n");
  std::string tables;
  for (const model::PlatformTable& table : report.platforms) {
    tables += (tables.empty() ? "" : ", ") + table.id + (table.generic ? " (generic)" : "");
  }
  page.add("| | |\n|---|---|\n");
  page.add(fmt::format("| suite | {} |\n", plain(report.suite.id)));
  page.add(fmt::format("| platform | {} |\n", plain(tables.empty() ? "none" : tables)));
  page.add(fmt::format("| tested | {}, {} |\n", model::counted(report.nodes.size(), "host"),
                       model::counted(static_cast<std::size_t>(std::max(run.ranks, 0)), "rank")));
  page.add(fmt::format("| run | {}, {}{} |\n", plain(run.id), model::duration(run.seconds),
                       run.began_utc.empty() ? "" : ", began " + plain(run.began_utc)));
  page.add(fmt::format("| rackproof | {} |\n",
                       plain(report.tool.version + " (" + report.tool.commit + ")")));
  std::size_t labels = 0;
  for (const auto& [key, value] : run.labels) {
    if (++labels > kRows) break;
    page.add(fmt::format("| {} | {} |\n", plain(key), plain(value)));
  }
  page.add(
      "\n| cells | pass | verified | fail | untested | unjudged | waived | all |\n"
      "|---|---:|---:|---:|---:|---:|---:|---:|\n");
  page.add(count_row("required", report.required_counts));
  page.add(count_row("all", report.counts));
}

}  // namespace

std::string render(const model::Report& report) {
  Page page;
  add_head(page, report);
  add_failed(page, report);
  add_unproven(page, report, Outcome::kUntested, "Untested");
  add_unproven(page, report, Outcome::kUnjudged, "Unjudged");
  add_findings(page, report);
  return page.take();
}

}  // namespace rackproof::markdown
