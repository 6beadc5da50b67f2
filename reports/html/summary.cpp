#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "reports/html/among_peers.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/rack_hosts.hpp"
#include "reports/model/cell_text.hpp"
#include "reports/model/parts.hpp"
#include "reports/model/quantity.hpp"
#include "reports/model/words.hpp"
#include "reports/model/worst_first.hpp"

namespace rackproof::html {
namespace {

using model::Cell;
using model::Outcome;

constexpr std::size_t kProblems = 3;

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

std::string with_capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 32);
  return text;
}

// What is wrong with a part, and its worst cell.
std::string problem_of(const model::Report& report, const model::PartCells& part,
                       const Quantities& quantities) {
  const Cell& cell = *part.cells.front();
  std::string text = fmt::format("<li><strong{}>{}</strong>: {}. {}{}", quantities.mark_of(cell),
                                 plain(model::part_name(report, *part.subject)),
                                 plain(model::failures_of(part, model::Ids::kLeftOut)),
                                 part.cells.size() + part.on_links.size() > 1 ? "The worst: " : "",
                                 plain(model::what_of(cell)));
  if (const std::string numbers = model::numbers_of(cell); !numbers.empty()) {
    text += ", " + plain(numbers);
  }
  const auto add = [&](const std::string& words) {
    text += ". " +
            plain(with_capital(words.ends_with('.') ? words.substr(0, words.size() - 1) : words));
  };
  add(model::reason_of(cell));
  if (!cell.causes.empty()) add(model::causes_of(cell));
  return text + "." + among_peers(report, cell) + "</li>\n";
}

// The first parts of which something failed, or, where nothing did, was not tested.
std::string problems_of(const model::Report& report, const Quantities& quantities) {
  for (const Outcome outcome : {Outcome::kFail, Outcome::kUntested, Outcome::kUnjudged}) {
    std::vector<const Cell*> cells;
    for (const Cell& cell : report.cells) {
      if (cell.verdict.outcome == outcome && cell.required) cells.push_back(&cell);
    }
    if (cells.empty()) continue;
    if (outcome == Outcome::kFail) cells = model::worst_first(cells);
    const std::vector<model::PartCells> parts = model::by_part(cells);
    std::string text;
    for (std::size_t i = 0; i < std::min(parts.size(), kProblems); ++i) {
      text += problem_of(report, parts[i], quantities);
    }
    const std::string more =
        parts.size() > kProblems
            ? fmt::format("<p>And {}.</p>\n", model::counted(parts.size() - kProblems, "more part"))
            : "";
    return fmt::format("<h2 id=\"worst\">Worst problems ({})</h2>\n<ol>\n{}</ol>\n{}",
                       contract::word(outcome), text, more);
  }
  return "";
}

// What was asked for; else those that are here and those that the rack lacks, where it lacks some.
std::optional<std::int64_t> gpus_meant(const model::Report& report, std::size_t here) {
  if (report.run.extent.gpus) return report.run.extent.gpus;
  const std::size_t missing = missing_gpus(report);
  if (missing == 0) return std::nullopt;
  return static_cast<std::int64_t>(here + missing);
}

// "18 of 18 hosts, 72 of 72 GPUs, 5,741 of 5,743 required results right, 9 of 12 claims held".
std::string coverage_of(const model::Report& report) {
  std::size_t devices = 0;
  for (const model::NodeInventory& node : report.nodes) devices += node.devices.size();
  const auto of = [](std::size_t here, std::optional<std::int64_t> meant, const char* what) {
    return meant ? fmt::format("{} of {} {}s", here, *meant, what) : model::counted(here, what);
  };
  const model::Counts& required = report.required_counts;
  std::optional<std::int64_t> hosts = report.run.extent.hosts;
  if (const std::size_t left_out = report.run.left_out_hosts.size(); !hosts && left_out > 0) {
    hosts = static_cast<std::int64_t>(report.nodes.size() + left_out);
  }
  std::string text = of(report.nodes.size(), hosts, "host");
  const std::optional<std::int64_t> gpus = gpus_meant(report, devices);
  if (devices > 0 || gpus.value_or(0) > 0) text += ", " + of(devices, gpus, "GPU");
  text += fmt::format(", {} of {} required results right", required.pass + required.verified,
                      total(required));
  if (required.waived > 0) text += fmt::format(" ({} waived)", required.waived);
  if (!report.judged_claims.empty()) {
    const auto held =
        std::count_if(report.judged_claims.begin(), report.judged_claims.end(),
                      [](const model::ClaimState& claim) { return claim.held >= claim.places; });
    text += fmt::format(", {} of {} held to a speed limit everywhere", held,
                        model::counted(report.judged_claims.size(), "claim"));
  }
  return text;
}

// What a printed report is signed on: the end of its first page. Screens do not show it.
std::string signed_of() {
  std::string rows;
  for (const char* who : {"For the operator", "For the customer"}) {
    rows += fmt::format("<tr><th scope=\"row\">{}</th><td></td><td></td><td></td></tr>\n", who);
  }
  return "<table class=\"signed\"><caption>Signatures on this page. What is signed by key is "
         "report.json: "
         "rackproof verify says by whom.</caption><thead><tr><th scope=\"col\"></th><th "
         "scope=\"col\">Name"
         "</th><th scope=\"col\">Date</th><th "
         "scope=\"col\">Signature</th></tr></thead>\n<tbody>\n" +
         rows + "</tbody></table>\n";
}

std::string amends_of(const model::Report& report) {
  if (!report.amends) return "";
  return "<p>" + plain(model::amends_text(report), 1000) + "</p>\n";
}

}  // namespace

std::string summary_of(const model::Report& report, const Quantities& quantities) {
  std::string word(contract::word(report.acceptance));
  word[0] = static_cast<char>(word[0] - 'a' + 'A');
  if (report.acceptance == model::Acceptance::kVerified) word += ", not accepted";
  Table counts("Cells by outcome", {"", "expected#", "pass#", "verified#", "fail#", "untested#",
                                    "unjudged#", "waived#"});
  add_counts(counts, "required", report.required_counts);
  add_counts(counts, "all", report.counts);
  return fmt::format(
             "<header class=\"verdict {}\"><p class=\"kind\">rackproof acceptance test</p>\n"
             "<h1><span aria-hidden=\"true\">{}</span> {}</h1>\n<p>{}</p>\n"
             "{}<p class=\"coverage\">{}</p></header>\n",
             contract::word(outcome_like(report.acceptance)),
             sign_of(outcome_like(report.acceptance)), word,
             plain(model::verdict_text(report), 1000), amends_of(report),
             plain(coverage_of(report))) +
         "<section id=\"summary\" aria-label=\"Summary\">\n" + run_of(report) + counts.take() +
         signed_of() + problems_of(report, quantities) + "</section>\n";
}

}  // namespace rackproof::html
