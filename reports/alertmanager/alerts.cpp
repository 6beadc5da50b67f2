#include "reports/alertmanager/alerts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/catalogue/catalogue.hpp"
#include "reports/model/cell_text.hpp"
#include "reports/model/parts.hpp"
#include "reports/model/words.hpp"
#include "reports/model/worst_first.hpp"

namespace rackproof::alertmanager {
namespace {

using model::Acceptance;
using model::Severity;

// Of what an alert tells of its part in detail; the rest is in the report.
constexpr std::size_t kCellsTold = 3;
constexpr std::size_t kFindingsTold = 5;

/// Where a part is: what labels say of it.
struct Place {
  std::string host;
  std::string device;
  std::optional<int> index;
};

/// Hosts and devices of the inventory, by the label() that findings have.
std::map<std::string, Place> places_of(const model::Report& report) {
  std::map<std::string, Place> places;
  for (const model::NodeInventory& node : report.nodes) {
    places[node.host] = {node.host, "", std::nullopt};
    for (const model::DeviceFacts& device : node.devices) {
      places[node.host + "/" + device.uuid] = {node.host, device.uuid, device.index};
    }
  }
  return places;
}

void add_place(const Place& place, Labels& labels) {
  labels["host"] = place.host;
  labels["device"] = place.device;
  if (place.index) labels["gpu"] = std::to_string(*place.index);
}

std::string next_of(std::string_view id, std::string_view kind) {
  for (const catalogue::CatalogueEntry& entry : catalogue::find_entries(id)) {
    if (entry.kind == kind) return std::string(entry.next);
  }
  return "";
}

std::string action_for(Acceptance acceptance) {
  switch (acceptance) {
    case Acceptance::kAccepted:
      return "";
    case Acceptance::kRejected:
      return "Look at the parts that failed, with their evidence: rackproof show. After a repair, "
             "rackproof retest measures what it touches.";
    case Acceptance::kIncomplete:
      return "Measure what is missing: rackproof run --resume where the run was interrupted, "
             "rackproof retest after a repair, else a new run.";
    case Acceptance::kVerified:
      return "Judge by a table that has limits for this machine: rackproof list platforms, or "
             "rackproof learn.";
  }
  return "";
}

Alert alert_of_verdict(const model::Report& report) {
  Alert alert;
  alert.labels = {{"alertname", "RackproofNotAccepted"},
                  {"acceptance", std::string(contract::word(report.acceptance))}};
  alert.urgency =
      report.acceptance == Acceptance::kRejected ? Urgency::kCritical : Urgency::kWarning;
  alert.summary = model::verdict_word(report.acceptance) + " " + model::verdict_text(report);
  const model::Counts& counts = report.required_counts;
  alert.description = {fmt::format("{} of {} required cells failed, {} are untested, {} unjudged",
                                   counts.fail, total(counts), counts.untested, counts.unjudged)};
  if (const std::string amends = model::amends_text(report); !amends.empty()) {
    alert.description.push_back(amends);
  }
  alert.action = action_for(report.acceptance);
  return alert;
}

std::string told(const model::Cell& cell) {
  const std::string numbers = model::numbers_of(cell);
  const std::string causes = model::causes_of(cell);
  return fmt::format("{}: {}{}{}", model::what_of(cell), numbers.empty() ? "" : numbers + "; ",
                     model::reason_of(cell), causes.empty() ? "" : "; " + causes);
}

void say_more(std::size_t all, std::size_t shown, Alert& alert) {
  if (all > shown) alert.description.push_back(fmt::format("and {} more", all - shown));
}

Alert alert_of_part(const model::Report& report, const model::PartCells& part,
                    const std::map<std::string, Place>& places) {
  const model::Subject& subject = *part.subject;
  Alert alert;
  alert.urgency = Urgency::kCritical;
  const std::string name = model::part_name(report, subject);
  const std::string label = model::label(subject);
  alert.labels = {{"alertname", "RackproofPartFailed"}, {"part", name}, {"subject", label}};
  const auto place = places.find(label);
  add_place(
      place == places.end() ? Place{subject.host, subject.device, std::nullopt} : place->second,
      alert.labels);
  alert.labels["peer_host"] = subject.peer_host;
  alert.labels["peer_device"] = subject.peer_device;
  alert.summary = fmt::format("{}: {}", name, model::failures_of(part));
  const std::size_t shown = std::min(part.cells.size(), kCellsTold);
  for (std::size_t i = 0; i < shown; ++i) alert.description.push_back(told(*part.cells[i]));
  say_more(part.cells.size(), shown, alert);
  alert.action = next_of(part.cells.front()->verdict.reason_id, "verdict");
  return alert;
}

Alert alert_of_finding(const model::Finding& finding, const std::map<std::string, Place>& places,
                       const std::map<std::string, std::string>& names) {
  Alert alert;
  const auto name = names.find(finding.subject);
  const std::string& part = name == names.end() ? finding.subject : name->second;
  alert.labels = {{"alertname", "RackproofFinding"},
                  {"finding", finding.id},
                  {"subject", finding.subject},
                  {"part", part}};
  auto place = places.find(finding.subject);
  // Of a rank its host is in the evidence.
  if (const auto host = finding.evidence.find("host");
      place == places.end() && host != finding.evidence.end()) {
    place = places.find(model::to_text(host->second));
  }
  if (place != places.end()) add_place(place->second, alert.labels);
  alert.summary = fmt::format("{}: {}", part, finding.text);
  alert.action = next_of(finding.id, "finding");
  return alert;
}

/// The findings that make alerts, by part and id.
using FindingsOf = std::map<std::string, std::map<std::string, std::vector<const model::Finding*>>>;

FindingsOf grave_findings(const model::Report& report) {
  FindingsOf out;
  for (const model::Finding& finding : report.findings) {
    if (finding.severity >= Severity::kError) out[finding.subject][finding.id].push_back(&finding);
  }
  return out;
}

void tell_findings(const std::vector<const model::Finding*>& findings, Alert& alert) {
  const std::size_t shown = std::min(findings.size(), kFindingsTold);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (findings[i]->severity == Severity::kIsolate) alert.urgency = Urgency::kCritical;
    if (i >= shown) continue;
    alert.description.push_back(fmt::format(
        "{}: {}{}", findings[i]->id,
        findings[i]->step.empty() ? "" : "step " + findings[i]->step + ": ", findings[i]->text));
  }
  say_more(findings.size(), shown, alert);
}

}  // namespace

std::vector<Alert> alerts_of(const model::Report& report) {
  std::vector<Alert> alerts;
  if (report.acceptance != Acceptance::kAccepted) alerts.push_back(alert_of_verdict(report));
  std::vector<const model::Cell*> failed;
  for (const model::Cell& cell : report.cells) {
    if (cell.required && cell.verdict.outcome == model::Outcome::kFail) failed.push_back(&cell);
  }
  const auto places = places_of(report);
  FindingsOf findings = grave_findings(report);
  for (const model::PartCells& part : model::by_part(model::worst_first(failed))) {
    alerts.push_back(alert_of_part(report, part, places));
    const auto of_part = findings.find(model::label(*part.subject));
    if (of_part == findings.end()) continue;
    for (const auto& [id, all] : of_part->second) tell_findings(all, alerts.back());
    findings.erase(of_part);
  }
  const auto names = model::device_names(report);
  for (const auto& [subject, by_id] : findings) {
    for (const auto& [id, all] : by_id) {
      alerts.push_back(alert_of_finding(*all.front(), places, names));
      tell_findings(all, alerts.back());
    }
  }
  return alerts;
}

}  // namespace rackproof::alertmanager
