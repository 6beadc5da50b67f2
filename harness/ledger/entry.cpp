#include "harness/ledger/entry.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "harness/judge/site_waivers.hpp"
#include "harness/ledger/adapters.hpp"
#include "harness/support/errors.hpp"
#include "reports/model/cell_text.hpp"
#include "reports/model/fact_name.hpp"
#include "reports/model/reason_id.hpp"

namespace rackproof::ledger {
namespace {

using model::Outcome;

std::string text_of(const model::DeviceFacts& device, const char* name) {
  const auto fact = device.facts.find(name);
  if (fact == device.facts.end() || !fact->second.value) return "";
  return model::to_text(*fact->second.value);
}

class Extract {
 public:
  Extract(const model::Report& report, Entry& entry) : report_(report), entry_(entry) {}

  void take() {
    for (const model::NodeInventory& node : report_.nodes) add_node(node);
    entry_.cells.reserve(report_.cells.size());
    for (const model::Cell& cell : report_.cells) add_cell(cell);
    for (const model::Finding& finding : report_.findings) add_finding(finding);
  }

 private:
  void add_node(const model::NodeInventory& node) {
    Place here{node.host, "", "",
               model::text_of(node, model::fact_name::kMachineSerial).value_or("")};
    add_part(PartKind::kHost, node.host, std::move(here));
    for (const model::DeviceFacts& device : node.devices) {
      if (device.uuid.empty()) continue;
      add_part(PartKind::kGpu, device.uuid,
               {node.host, std::to_string(device.index),
                text_of(device, model::fact_name::kGpuPciAddress),
                text_of(device, model::fact_name::kGpuSerial)});
    }
    for (const Adapter& adapter : adapters_of(node)) {
      add_part(PartKind::kNic, adapter.code, {node.host, adapter.name, "", ""});
    }
  }

  // One that the driver lists twice, or that two hosts tell of, is where it was told of first.
  std::size_t add_part(PartKind kind, const std::string& code, Place place) {
    const auto [known, fresh] = parts_.try_emplace({kind, code}, entry_.parts.size());
    if (fresh) {
      labels_.emplace(name_of(kind, place), known->second);
      if (kind == PartKind::kGpu) labels_.emplace(place.host + "/" + code, known->second);
      entry_.parts.push_back({kind, code, std::move(place), {}});
    }
    return known->second;
  }

  std::size_t end_of(const std::string& host, const std::string& device) {
    if (device.empty()) return add_part(PartKind::kHost, host, {host, "", "", ""});
    return add_part(PartKind::kGpu, device, {host, "", "", ""});
  }

  std::size_t add_subject(const model::Subject& subject) {
    const auto [known, fresh] = subjects_.try_emplace(subject, entry_.subjects.size());
    if (!fresh) return known->second;
    SubjectSeen seen{subject.kind, model::label(subject), "", std::nullopt, std::nullopt};
    switch (subject.kind) {
      case contract::SubjectKind::kNode:
      case contract::SubjectKind::kDevice:
        seen.part = end_of(subject.host, subject.device);
        break;
      case contract::SubjectKind::kLink:
        seen.part = end_of(subject.host, subject.device);
        seen.peer = end_of(subject.peer_host, subject.peer_device);
        break;
      case contract::SubjectKind::kGroup:
        for (const std::string& host : subject.members) seen.members += host + "\n";
        break;
    }
    entry_.subjects.push_back(std::move(seen));
    return known->second;
  }

  void add_cell(const model::Cell& cell) {
    CellSeen seen;
    seen.subject = add_subject(cell.subject);
    Quantity quantity{cell.step, cell.metric, model::to_text(cell.parameters),
                      model::unit_of(cell)};
    const auto [known, fresh] = quantities_.try_emplace(quantity, entry_.quantities.size());
    if (fresh) entry_.quantities.push_back(std::move(quantity));
    seen.quantity = known->second;
    if (!keys_.insert({seen.subject, seen.quantity}).second) {
      throw support::UsageError(entry_.path + ": has the cell " + cell.id + " twice");
    }
    const model::Verdict& verdict = cell.verdict;
    seen.required = cell.required;
    seen.outcome = verdict.outcome;
    seen.observed = verdict.observed;
    seen.low = verdict.limit_low;
    seen.high = verdict.limit_high;
    const std::size_t place = entry_.cells.size();
    entry_.cells.push_back(seen);
    if (verdict.outcome == Outcome::kWaived) add_waiver(place, cell);
    if (!cell.required) return;
    count(entry_.subjects[seen.subject], verdict.outcome);
    if (verdict.outcome != Outcome::kFail) return;
    const std::optional<double> shortfall = shortfall_of(verdict);
    const SubjectSeen& subject = entry_.subjects[seen.subject];
    if (subject.part && !subject.peer) {
      double& worst = entry_.parts[*subject.part].tally.worst;
      worst = std::max(worst, shortfall.value_or(kWithoutNumber));
    }
    entry_.failures.push_back({place, verdict.reason_id, verdict.reason, shortfall});
  }

  void count(const SubjectSeen& subject, Outcome outcome) {
    if (!subject.part) return;
    if (!subject.peer) {
      ++model::count_of(entry_.parts[*subject.part].tally.required, outcome);
      return;
    }
    if (outcome != Outcome::kFail) return;
    ++entry_.parts[*subject.part].tally.failed_links;
    if (*subject.peer != *subject.part) ++entry_.parts[*subject.peer].tally.failed_links;
  }

  void add_waiver(std::size_t place, const model::Cell& cell) {
    WaiverSeen seen{place, cell.verdict.reason, "", "", ""};
    if (cell.verdict.reason_id == model::reason_id::kWaivedBySite) {
      const auto& all = report_.run.waivers;
      const auto used = std::find_if(all.begin(), all.end(), [&](const model::CellWaiver& one) {
        return judge::is_meant(one, cell) && !model::is_over(one, report_.run.began_utc);
      });
      if (used != all.end()) {
        seen.until = used->until;
        seen.approved_by = used->approved_by;
        seen.ticket = used->ticket;
      }
    }
    entry_.waivers.push_back(std::move(seen));
  }

  void add_finding(const model::Finding& finding) {
    if (finding.severity < model::Severity::kWarning) return;
    const auto part = labels_.find(finding.subject);
    if (part == labels_.end()) return;
    if (finding.severity == model::Severity::kIsolate) {
      ++entry_.parts[part->second].tally.isolating;
    }
    entry_.findings.push_back({part->second, finding.id, finding.severity, finding.text});
  }

  const model::Report& report_;
  Entry& entry_;
  std::map<std::pair<PartKind, std::string>, std::size_t> parts_;
  std::map<std::string, std::size_t> labels_;  ///< every way in which a finding names a part
  std::map<model::Subject, std::size_t> subjects_;
  std::map<Quantity, std::size_t> quantities_;
  std::set<std::pair<std::size_t, std::size_t>> keys_;
};

}  // namespace

std::string name_of(PartKind kind, const Place& place) {
  switch (kind) {
    case PartKind::kHost:
      return place.host;
    case PartKind::kGpu:
      return place.host + " GPU" + (place.name.empty() ? "" : " " + place.name);
    case PartKind::kNic:
      return place.host + " NIC " + place.name;
  }
  return place.host;
}

std::optional<Outcome> outcome_of(const Tally& tally) {
  if (tally.isolating > 0) return Outcome::kFail;
  for (const Outcome outcome : {Outcome::kFail, Outcome::kUntested, Outcome::kUnjudged,
                                Outcome::kWaived, Outcome::kVerified, Outcome::kPass}) {
    if (model::count_of(tally.required, outcome) > 0) return outcome;
  }
  return std::nullopt;
}

std::optional<double> shortfall_of(const model::Verdict& verdict) {
  if (verdict.deficit) return verdict.deficit;
  if (!verdict.observed) return std::nullopt;
  const double value = *verdict.observed;
  if (verdict.limit_low && *verdict.limit_low > 0 && value < *verdict.limit_low) {
    return 1 - value / *verdict.limit_low;
  }
  if (verdict.limit_high && *verdict.limit_high >= 0 && value > *verdict.limit_high) {
    return 1 - *verdict.limit_high / value;
  }
  return std::nullopt;
}

Entry entry_of(const model::Report& report, std::string digest, std::string path) {
  Entry entry;
  entry.digest = std::move(digest);
  entry.path = std::move(path);
  entry.run = report.run.id;
  entry.began_utc = report.run.began_utc;
  entry.ended_utc = report.run.ended_utc;
  const bool older = report.amends && !report.amends->oldest_utc.empty();
  entry.evidence_utc = older ? report.amends->oldest_utc : report.run.began_utc;
  entry.suite = report.suite.id;
  const auto rack = report.run.labels.find("rack");
  if (rack != report.run.labels.end()) entry.rack = rack->second;
  for (const model::PlatformTable& table : report.platforms) {
    entry.platform += (entry.platform.empty() ? "" : ", ") + table.id;
  }
  entry.acceptance = report.acceptance;
  entry.segments = report.run.segments;
  entry.left_out = model::steps_not_run(report).size();
  entry.left_out_hosts = report.run.left_out_hosts.size();
  Extract(report, entry).take();
  return entry;
}

}  // namespace rackproof::ledger
