#include "reports/html/html.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "reports/html/markup.hpp"
#include "reports/html/style.hpp"

namespace rackproof::html {

std::string render(const model::Report& report) {
  constexpr std::array<std::pair<std::string (*)(const model::Report&), const char*>, 7> kParts = {
      {{rack_of, "rack"},
       {failed_of, "failed"},
       {unproven_of, "unproven"},
       {findings_of, "findings"},
       {quantities_of, "quantities"},
       {hosts_of, "inventory"},
       {provenance_of, "provenance"}}};
  std::string links;
  std::string parts;
  for (const auto& [part, name] : kParts) {
    const std::string text = part(report);
    if (text.empty()) continue;
    links += fmt::format("<a href=\"#{0}\">{0}</a> ", name);
    parts += text;
  }
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      // Nothing is loaded and nothing runs, whatever a report may hold.
      "<meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<title>rackproof: " +
      plain(report.run.id, 100) + "</title>\n<style>\n";
  page += kStyle;
  page += "</style>\n</head>\n<body>\n<main>\n" + summary_of(report) +
          "<nav aria-label=\"Parts of this page\">" + links + "</nav>\n" + parts +
          "</main>\n<footer><p>This report relates only to what was tested. End of report " +
          plain(report.run.id) + ".</p></footer>\n</body>\n</html>\n";
  return page;
}

}  // namespace rackproof::html
