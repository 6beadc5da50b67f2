#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>

#include "reports/html/markup.hpp"
#include "reports/model/words.hpp"

namespace rackproof::html {
namespace {

using model::Outcome;

// So many hosts are drawn; of a larger cluster those with something to look at.
constexpr std::size_t kHosts = 80;
constexpr std::size_t kColumns = 16;

// How the cells of a part came out.
struct Tally {
  std::map<Outcome, std::size_t> counts;

  void add(Outcome outcome) { ++counts[outcome]; }
  std::size_t all() const {
    std::size_t sum = 0;
    for (const auto& [outcome, count] : counts) sum += count;
    return sum;
  }
  /// The gravest of them: what the part is shown as.
  Outcome worst() const {
    for (const Outcome outcome : {Outcome::kFail, Outcome::kUntested, Outcome::kUnjudged,
                                  Outcome::kVerified, Outcome::kPass, Outcome::kWaived}) {
      if (counts.count(outcome) > 0) return outcome;
    }
    return Outcome::kUntested;
  }
};

bool is_well(Outcome outcome) { return model::is_right(outcome) || outcome == Outcome::kWaived; }

struct Host {
  Tally node;
  std::map<std::string, Tally> devices;
  std::map<std::string, std::int64_t> index_of;

  bool has_no_trouble() const {
    const auto well = [](const Tally& tally) { return tally.all() == 0 || is_well(tally.worst()); };
    return well(node) && std::all_of(devices.begin(), devices.end(),
                                     [&](const auto& entry) { return well(entry.second); });
  }
};

std::string entry(const Tally& tally, const std::string& name) {
  if (tally.all() == 0) return "<td></td>";
  const Outcome worst = tally.worst();
  const std::size_t count = tally.counts.at(worst);
  const std::string text =
      fmt::format("{}: {} of {} cells {}", name, count, tally.all(), contract::word(worst));
  const bool told = worst == Outcome::kFail || worst == Outcome::kUntested;
  return fmt::format(
      "<td class=\"box {0}\" title=\"{1}\">{2}<span aria-hidden=\"true\">{3}</span>"
      "<span class=\"read\">{1}</span>{4}</td>",
      contract::word(worst), plain(text),
      told ? fmt::format("<a href=\"#{}\">", worst == Outcome::kFail ? "failed" : "unproven") : "",
      sign_of(worst), told ? fmt::format(" {}</a>", count) : "");
}

std::map<std::string, Host> hosts_in(const model::Report& report) {
  std::map<std::string, Host> hosts;
  for (const model::NodeInventory& node : report.nodes) {
    Host& host = hosts[node.host];
    for (const model::DeviceFacts& device : node.devices) {
      host.devices[device.uuid];
      host.index_of[device.uuid] = device.index;
    }
  }
  for (const model::Cell& cell : report.cells) {
    if (!cell.required) continue;
    const model::Subject& subject = cell.subject;
    if (subject.kind == contract::SubjectKind::kGroup || subject.host.empty()) continue;
    Host& host = hosts[subject.host];
    (subject.device.empty() ? host.node : host.devices[subject.device]).add(cell.verdict.outcome);
  }
  return hosts;
}

// Devices in the order of their numbers on the host, those that the inventory lacks last.
std::vector<std::string> devices_of(const Host& host) {
  std::vector<std::pair<std::int64_t, std::string>> order;
  for (const auto& [uuid, tally] : host.devices) {
    const auto index = host.index_of.find(uuid);
    order.emplace_back(index == host.index_of.end() ? INT64_MAX : index->second, uuid);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::string> uuids;
  for (auto& [index, uuid] : order) uuids.push_back(std::move(uuid));
  return uuids;
}

std::string row_of(const std::string& name, const Host& host, std::size_t columns) {
  std::string row =
      fmt::format("<tr><th scope=\"row\">{}</th>{}", plain(name, 60), entry(host.node, name));
  std::size_t column = 0;
  for (const std::string& uuid : devices_of(host)) {
    if (column++ >= columns) break;
    row += entry(host.devices.at(uuid), uuid);
  }
  return row + "</tr>\n";
}

std::string groups_of(const model::Report& report) {
  std::map<std::string, Tally> groups;
  for (const model::Cell& cell : report.cells) {
    if (cell.subject.kind == contract::SubjectKind::kGroup && cell.required) {
      groups[label(cell.subject)].add(cell.verdict.outcome);
    }
  }
  if (groups.empty()) return "";
  std::string text;
  std::size_t left_out = 0;
  for (const auto& [name, tally] : groups) {
    const bool well = is_well(tally.worst());
    if (well && groups.size() > kHosts) {
      ++left_out;
      continue;
    }
    text += fmt::format("<tr><th scope=\"row\">{}</th>{}</tr>\n", plain(name), entry(tally, name));
  }
  return "<table class=\"rack\"><caption>Groups</caption><tbody>\n" + text + "</tbody></table>\n" +
         (left_out > 0 ? fmt::format("<p class=\"more\">{} more without trouble</p>\n", left_out)
                       : "");
}

}  // namespace

std::string rack_of(const model::Report& report) {
  const std::map<std::string, Host> hosts = hosts_in(report);
  if (hosts.empty()) return "";
  std::size_t columns = 0;
  for (const auto& [name, host] : hosts) columns = std::max(columns, host.devices.size());
  columns = std::min(columns, kColumns);
  std::string rows;
  std::size_t shown = 0;
  for (const auto& [name, host] : hosts) {
    if (hosts.size() > kHosts && (host.has_no_trouble() || shown >= kHosts)) continue;
    ++shown;
    rows += row_of(name, host, columns);
  }
  std::string head = "<th scope=\"col\">host</th><th scope=\"col\">node</th>";
  for (std::size_t i = 0; i < columns; ++i) {
    head += fmt::format("<th scope=\"col\">{}</th>", i);
  }
  std::string text =
      "<p class=\"legend\">Each box is a node or a device and shows the gravest outcome of its "
      "required cells: ";
  for (const Outcome outcome : {Outcome::kPass, Outcome::kVerified, Outcome::kFail,
                                Outcome::kUntested, Outcome::kUnjudged, Outcome::kWaived}) {
    text += badge(outcome) + " ";
  }
  text +=
      "</p>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Map of the "
      "rack\"><table class=\"rack\"><caption>Hosts and their devices</caption><thead><tr>" +
      head + "</tr></thead>\n<tbody>\n" + rows + "</tbody></table></div>\n";
  if (shown < hosts.size()) {
    text += fmt::format("<p class=\"more\">{} more hosts, those without trouble first</p>\n",
                        hosts.size() - shown);
  }
  return section("rack", "Rack", text + groups_of(report));
}

}  // namespace rackproof::html
