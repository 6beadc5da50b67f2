#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/html/markup.hpp"
#include "reports/html/rack_hosts.hpp"
#include "reports/model/cell_text.hpp"
#include "reports/model/words.hpp"

namespace rackproof::html {
namespace {

using model::Outcome;

// So many hosts are drawn; of a larger cluster those with something to look at.
constexpr std::size_t kHosts = 80;
constexpr std::size_t kColumns = 16;

// A box of the map. What failed or was not tested leads to where that is told, and, with the
// page's script, each to the details of its gravest cell.
std::string box(const Tally& tally, const std::string& name, const Quantities& quantities) {
  if (tally.all() == 0) return "";
  const Outcome worst = tally.worst();
  const std::size_t count = tally.count(worst);
  const std::string text =
      plain(fmt::format("{}: {} of {} cells {}", name, count, tally.all(), contract::word(worst)));
  const std::string mark = quantities.mark_of(tally.worst_cell());
  const bool told = worst == Outcome::kFail || worst == Outcome::kUntested;
  const char* part = worst == Outcome::kFail ? "failed" : "unproven";
  return fmt::format(
      "<td class=\"box {0}\" title=\"{1}\"{2}>{3}<span aria-hidden=\"true\">{4}</span>"
      "<span class=\"read\">{1}</span>{5}</td>",
      contract::word(worst), text, told ? "" : mark,
      told ? fmt::format("<a href=\"#{}\"{}>", part, mark) : "", sign_of(worst),
      told ? fmt::format(" {}</a>", count) : "");
}

std::string empty_box(const char* look, const std::string& sign, const std::string& words) {
  return fmt::format(
      "<td class=\"box {0}\" title=\"{1}\"><span aria-hidden=\"true\">{2}</span>"
      "<span class=\"read\">{1}</span></td>",
      look, plain(words), sign);
}

std::string gpu_boxes(const RackHost& host, std::size_t columns, const Quantities& quantities) {
  std::string row;
  std::size_t used = 0;
  // What is missing is never left out for want of columns.
  const std::size_t room = columns - std::min(columns, host.missing.size());
  for (const RackGpu& gpu : host.gpus) {
    if (used == room) break;
    ++used;
    row += gpu.tally.all() > 0 ? box(gpu.tally, gpu.name, quantities)
                               : empty_box("quiet", "·", gpu.name + ": nothing of it was required");
  }
  const std::size_t more = host.gpus.size() - used;
  for (const std::string& words : host.missing) {
    if (used++ == columns) break;
    row += empty_box("missing", "∅", host.name + ": a GPU is missing: " + words);
  }
  if (more > 0) row += fmt::format("<td class=\"more\">and {} more</td>", more);
  return row;
}

std::string row_of(const RackHost& host, std::size_t columns, const Quantities& quantities) {
  const bool is_here = host.presence == Presence::kHere;
  const std::string why =
      host.presence == Presence::kLeftOut ? "left out of this run" : "expected, gave no inventory";
  const std::string node = box(host.node, host.name, quantities);
  const std::string gpus = gpu_boxes(host, columns, quantities);
  if (!is_here && node.empty() && gpus.empty()) {
    return fmt::format(
        "<tr class=\"off\"><th scope=\"row\">{}</th><td class=\"why\" colspan=\"{}\">{}</td>"
        "</tr>\n",
        plain(host.name, 60), columns + 1, why);
  }
  const std::string place = host.place.text();
  return fmt::format(
      "<tr{}><th scope=\"row\">{}{}{}</th>{}{}</tr>\n", is_here ? "" : " class=\"off\"",
      plain(host.name, 60), place.empty() ? "" : " <small>" + place + "</small>",
      is_here ? "" : "<br><small>" + why + "</small>", node.empty() ? "<td></td>" : node, gpus);
}

/// Those that stand under one heading: an NVLink domain and a chassis.
bool stand_together(const RackHost& a, const RackHost& b) {
  return a.domain == b.domain && a.place.chassis == b.place.chassis;
}

std::string heading_row(const RackHost& host, std::size_t columns) {
  const std::string& chassis = host.place.chassis;
  std::string text = host.domain.empty() ? "" : "NVLink domain " + plain(host.domain, 60);
  if (!chassis.empty()) text += (text.empty() ? "chassis " : ", chassis ") + plain(chassis, 60);
  if (text.empty()) text = "no NVLink domain is known";
  return fmt::format("<tr><th class=\"domain\" scope=\"rowgroup\" colspan=\"{}\">{}</th></tr>\n",
                     columns + 2, text);
}

struct Drawn {
  std::string rows;
  std::size_t left_out = 0;
};

Drawn rows_of(const std::vector<RackHost>& hosts, std::size_t columns,
              const Quantities& quantities) {
  const bool apart = std::any_of(hosts.begin(), hosts.end(), [&](const RackHost& host) {
    return !stand_together(host, hosts.front());
  });
  Drawn drawn;
  std::size_t shown = 0;
  const RackHost* before = nullptr;
  for (const RackHost& host : hosts) {
    if (hosts.size() > kHosts && (host.is_well() || shown >= kHosts)) continue;
    ++shown;
    if (apart && (before == nullptr || !stand_together(*before, host))) {
      drawn.rows += heading_row(host, columns);
    }
    before = &host;
    drawn.rows += row_of(host, columns, quantities);
  }
  drawn.left_out = hosts.size() - shown;
  return drawn;
}

std::string groups_of(const model::Report& report, const Quantities& quantities) {
  std::map<std::string, Tally> groups;
  for (const model::Cell& cell : report.cells) {
    if (cell.subject.kind == contract::SubjectKind::kGroup && cell.required) {
      groups[label(cell.subject)].add(cell);
    }
  }
  if (groups.empty()) return "";
  std::string text;
  std::size_t left_out = 0;
  for (const auto& [name, tally] : groups) {
    if (tally.is_well() && groups.size() > kHosts) {
      ++left_out;
      continue;
    }
    text += fmt::format("<tr><th scope=\"row\">{}</th>{}</tr>\n", plain(name),
                        box(tally, name, quantities));
  }
  return "<table class=\"rack\"><caption>Groups</caption><tbody>\n" + text + "</tbody></table>\n" +
         (left_out > 0 ? fmt::format("<p class=\"more\">{} more without trouble</p>\n", left_out)
                       : "");
}

}  // namespace

std::string rack_of(const model::Report& report, const Quantities& quantities) {
  const std::vector<RackHost> hosts = rack_hosts(report);
  if (hosts.empty()) return "";
  std::size_t columns = 0;
  for (const RackHost& host : hosts) {
    columns = std::max(columns, host.gpus.size() + host.missing.size());
  }
  columns = std::min(columns, kColumns);
  Drawn drawn = rows_of(hosts, columns, quantities);
  if (const std::size_t unnamed = unnamed_hosts(report, hosts); unnamed > 0) {
    drawn.rows += fmt::format(
        "<tr class=\"off\"><th scope=\"row\">{}</th><td class=\"why\" "
        "colspan=\"{}\">expected, nothing is known of them</td></tr>\n",
        model::counted(unnamed, "host") + " more", columns + 1);
  }
  std::string head = "<th scope=\"col\">host</th><th scope=\"col\">node</th>";
  for (std::size_t i = 0; i < columns; ++i) {
    head += fmt::format("<th scope=\"col\">{}{}</th>", i == 0 ? "GPU " : "", i);
  }
  std::string text =
      "<p class=\"legend\">Each box is a node or a device and shows the gravest outcome of its "
      "required cells: ";
  for (const Outcome outcome : {Outcome::kPass, Outcome::kVerified, Outcome::kFail,
                                Outcome::kUntested, Outcome::kUnjudged, Outcome::kWaived}) {
    text += badge(outcome) + " ";
  }
  text += "<span class=\"sign missing\"><span aria-hidden=\"true\">∅</span> missing</span>";
  text +=
      "</p>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Map of the "
      "rack\"><table class=\"rack\"><caption>Hosts and their devices</caption><thead><tr>" +
      head + "</tr></thead>\n<tbody>\n" + drawn.rows + "</tbody></table></div>\n";
  if (drawn.left_out > 0) {
    text += fmt::format(
        "<p class=\"more\">{} more hosts not shown; those with problems come first</p>\n",
        drawn.left_out);
  }
  return section("rack", "Rack", text + groups_of(report, quantities));
}

}  // namespace rackproof::html
