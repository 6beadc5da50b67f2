#include "reports/html/html.hpp"

#include <fmt/format.h>

#include "reports/html/data.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/script.hpp"
#include "reports/html/style.hpp"

namespace rackproof::html {

namespace {

struct Parts {
  std::string links;
  std::string text;

  void add(const char* name, const std::string& part) {
    if (part.empty()) return;
    links += fmt::format("<a href=\"#{0}\">{0}</a> ", name);
    text += part;
  }
};

std::string head_of(const model::Report& report, const std::string& policy) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         // Nothing is loaded, and nothing of the report runs, whatever it may hold.
         "<meta http-equiv=\"Content-Security-Policy\" "
         "content=\"default-src 'none'; style-src 'unsafe-inline'" +
         policy + "\">\n<title>rackproof: " + plain(report.run.id, 100) + "</title>\n<style>\n" +
         kStyle + "</style>\n</head>\n";
}

std::string page_of(const model::Report& report, bool charts) {
  const Quantities quantities(report);
  Parts parts;
  parts.add("rack", rack_of(report));
  parts.add("failed", failed_of(report, quantities));
  parts.add("unproven", unproven_of(report));
  parts.add("findings", findings_of(report));
  // Where the script puts its own.
  if (charts) parts.text += "<div id=\"more\"></div>\n";
  parts.add("quantities", quantities_of(quantities));
  parts.add("inventory", hosts_of(report));
  parts.add("provenance", provenance_of(report));
  std::string page =
      head_of(report, charts ? fmt::format("; script-src '{}'", kScriptDigest) : "") +
      "<body>\n<main>\n" + summary_of(report, quantities) +
      "<nav aria-label=\"Parts of this page\">" + parts.links + "</nav>\n" + parts.text +
      "</main>\n<footer><p>This report relates only to what was tested. End of report " +
      plain(report.run.id) + ".</p></footer>\n";
  if (charts) {
    page += "<script type=\"application/json\" id=\"data\">" + data_of(report, quantities) +
            "</script>\n<script>";
    for (const char* piece : kScript) page += piece;
    page += "</script>\n";
  }
  return page + "</body>\n</html>\n";
}

}  // namespace

std::string render(const model::Report& report) { return page_of(report, false); }

bool has_charts() { return kScriptDigest[0] != '\0'; }

std::string render_with_charts(const model::Report& report) {
  return page_of(report, has_charts());
}

}  // namespace rackproof::html
