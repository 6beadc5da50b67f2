#include "reports/html/html.hpp"

#include <fmt/format.h>

#include "reports/html/data.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/packing.hpp"
#include "reports/html/script.hpp"
#include "reports/model/rack.hpp"
#include "reports/model/words.hpp"

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

std::string page_of(const model::Report& report, bool charts,
                    const std::vector<CellCurves>& curves) {
  const Quantities quantities(report);
  Parts parts;
  parts.add("rack", html::rack_of(report, quantities));
  parts.add("failed", failed_of(report, quantities));
  parts.add("unproven", unproven_of(report));
  parts.add("findings", findings_of(report));
  // Where the script puts its own.
  if (charts) parts.text += "<div id=\"more\"></div>\n";
  parts.add("quantities", quantities_of(quantities));
  parts.add("inventory", hosts_of(report));
  parts.add("provenance", provenance_of(report));
  std::string body =
      "<main>\n" + summary_of(report, quantities) + "<nav aria-label=\"Parts of this page\">" +
      parts.links + "</nav>\n" + parts.text +
      "</main>\n<footer><p>This report relates only to what was tested. End of report " +
      plain(report.run.id) + ".</p></footer>\n";
  std::string script;
  if (charts) {
    for (const char* piece : kScript) script += piece;
    body += "<script type=\"application/json\" id=\"data\">" + data_of(report, quantities, curves) +
            "</script>\n<script>" + script + "</script>\n";
  }
  const std::string verdict(contract::word(report.acceptance));
  return document_of(verdict + ": " + plain(model::rack_of(report), 100) + " - rackproof", body,
                     charts ? fmt::format("'sha256-{}'", sha256_base64(script)) : "",
                     "rackproof " + verdict + ", run " + report.run.id.substr(0, 100));
}

}  // namespace

std::string render(const model::Report& report) { return page_of(report, false, {}); }

bool has_charts() { return kScript[0][0] != '\0'; }

std::string render_with_charts(const model::Report& report, const std::vector<CellCurves>& curves) {
  return page_of(report, has_charts(), curves);
}

}  // namespace rackproof::html
