#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reports/html/markup.hpp"
#include "reports/model/cell_text.hpp"
#include "reports/model/quantity.hpp"
#include "reports/model/words.hpp"
#include "reports/model/worst_first.hpp"

namespace rackproof::html {
namespace {

using model::Cell;
using model::Outcome;

constexpr std::size_t kProblems = 3;

const char* class_of(model::Acceptance acceptance) {
  switch (acceptance) {
    case model::Acceptance::kAccepted:
      return "pass";
    case model::Acceptance::kRejected:
      return "fail";
    case model::Acceptance::kIncomplete:
      return "untested";
    case model::Acceptance::kVerified:
      return "verified";
  }
  return "";
}

Outcome outcome_like(model::Acceptance acceptance) {
  switch (acceptance) {
    case model::Acceptance::kAccepted:
      return Outcome::kPass;
    case model::Acceptance::kRejected:
      return Outcome::kFail;
    case model::Acceptance::kIncomplete:
      return Outcome::kUntested;
    case model::Acceptance::kVerified:
      return Outcome::kVerified;
  }
  return Outcome::kUntested;
}

std::string fact(std::string_view name, const std::string& value) {
  return value.empty() ? "" : fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, value);
}

std::string platforms_of(const model::Report& report) {
  std::string text;
  for (const model::PlatformTable& table : report.platforms) {
    text += (text.empty() ? "" : ", ") + plain(table.title.empty() ? table.id : table.title) +
            " (" + plain(table.id) + (table.generic ? ", generic checks only)" : ")");
  }
  return text.empty() ? "none" : text;
}

std::string run_of(const model::Report& report) {
  const model::RunInfo& run = report.run;
  std::size_t devices = 0;
  for (const model::NodeInventory& node : report.nodes) devices += node.devices.size();
  std::string text = "<dl class=\"facts\">\n";
  text += fact("Suite", plain(report.suite.title.empty()
                                  ? report.suite.id
                                  : report.suite.title + " (" + report.suite.id + ")"));
  text += fact("Platform", platforms_of(report));
  text +=
      fact("Tested",
           fmt::format("{}, {}, {}", model::counted(report.nodes.size(), "host"),
                       model::counted(devices, "device"),
                       model::counted(static_cast<std::size_t>(std::max(run.ranks, 0)), "rank")));
  text += fact("Began", plain(run.began_utc));
  text += fact("Took", model::duration(run.seconds) + (run.interrupted ? ", interrupted" : "") +
                           (run.completed ? "" : ", not every step was reached"));
  text += fact("Run", plain(run.id));
  for (const auto& [key, value] : run.labels) text += fact(plain(key, 60), plain(value));
  return text + "</dl>\n";
}

void add_counts(Table& table, const char* name, const model::Counts& counts) {
  table.row({name, std::to_string(total(counts)), std::to_string(counts.pass),
             std::to_string(counts.verified), std::to_string(counts.fail),
             std::to_string(counts.untested), std::to_string(counts.unjudged),
             std::to_string(counts.waived)});
}

std::string problem_of(const Cell& cell, std::size_t cells, const Quantities& quantities) {
  std::string text = fmt::format("<li><strong{}>{}</strong>: {}", quantities.mark_of(cell),
                                 plain(label(cell.subject)), plain(model::what_of(cell)));
  if (cells > 1) text += fmt::format(" and {} more", model::counted(cells - 1, "cell"));
  if (const std::string numbers = model::numbers_of(cell); !numbers.empty()) {
    text += ". " + plain(numbers);
  }
  const auto add = [&](const std::string& words) {
    text += ". " + plain(words.ends_with('.') ? words.substr(0, words.size() - 1) : words);
  };
  add(model::reason_of(cell));
  if (!cell.causes.empty()) add(model::causes_of(cell));
  text += ".";
  return text + "</li>\n";
}

// The worst cell of each of the first subjects, or, where nothing failed, what was not tested.
std::string problems_of(const model::Report& report, const Quantities& quantities) {
  for (const Outcome outcome : {Outcome::kFail, Outcome::kUntested, Outcome::kUnjudged}) {
    std::vector<const Cell*> cells;
    for (const Cell& cell : report.cells) {
      if (cell.verdict.outcome == outcome && cell.required) cells.push_back(&cell);
    }
    if (cells.empty()) continue;
    if (outcome == Outcome::kFail) cells = model::worst_first(cells);
    std::string text;
    std::set<std::string> told;
    for (const Cell* cell : cells) {
      const std::string subject = label(cell->subject);
      if (told.size() == kProblems || !told.insert(subject).second) continue;
      const auto alike = std::count_if(cells.begin(), cells.end(), [&](const Cell* other) {
        return label(other->subject) == subject;
      });
      text += problem_of(*cell, static_cast<std::size_t>(alike), quantities);
    }
    return fmt::format("<h2 id=\"worst\">Worst problems ({})</h2>\n<ol>\n{}</ol>\n",
                       model::word(outcome), text);
  }
  return "";
}

}  // namespace

std::string summary_of(const model::Report& report, const Quantities& quantities) {
  std::string word(model::word(report.acceptance));
  word[0] = static_cast<char>(word[0] - 'a' + 'A');
  if (report.acceptance == model::Acceptance::kVerified) word += ", not accepted";
  Table counts("Cells by outcome", {"", "expected#", "pass#", "verified#", "fail#", "untested#",
                                    "unjudged#", "waived#"});
  add_counts(counts, "required", report.required_counts);
  add_counts(counts, "all", report.counts);
  return fmt::format(
             "<header class=\"verdict {}\"><p class=\"kind\">rackproof acceptance test</p>\n"
             "<h1><span aria-hidden=\"true\">{}</span> {}</h1>\n<p>{}</p></header>\n",
             class_of(report.acceptance), sign_of(outcome_like(report.acceptance)), word,
             plain(model::verdict_text(report), 1000)) +
         "<section id=\"summary\" aria-label=\"Summary\">\n" + run_of(report) + counts.take() +
         problems_of(report, quantities) + "</section>\n";
}

}  // namespace rackproof::html
