#include "harness/assemble/amended.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/model/finding_id.hpp"

namespace rackproof::assemble {
namespace {

// A GPU that was put in place of another one is known by the address of that: what was told of the
// address before is about the other one.
bool is_new_here(const Reading& reading, const std::string& host, const std::string& device) {
  const auto& nodes = reading.report.nodes;
  const bool is_gpu = std::any_of(nodes.begin(), nodes.end(), [&](const auto& node) {
    return node.host == host && std::any_of(node.devices.begin(), node.devices.end(),
                                            [&](const auto& one) { return one.uuid == device; });
  });
  const auto& attempts = reading.report.attempts;
  return is_gpu && std::none_of(attempts.begin(), attempts.end(), [&](const auto& attempt) {
           return attempt.resumed + 1 < reading.repaired_in && attempt.host == host &&
                  model::device_of(attempt) == device;
         });
}

bool is_host_repaired_since(const Reading& reading, int segment, const std::string& host) {
  if (segment >= reading.repaired_in || !reading.report.amends) return false;
  const auto& repairs = reading.report.amends->repairs;
  return std::any_of(repairs.begin(), repairs.end(), [&](const model::Repair& repair) {
    return repair.host == host && repair.device.empty();
  });
}

}  // namespace

bool is_set_back(const Reading& reading, int segment, const std::string& host) {
  const auto& attempts = reading.report.attempts;
  return segment < reading.repaired_in &&
         std::none_of(attempts.begin(), attempts.end(), [&](const auto& attempt) {
           return attempt.resumed + 1 == segment && attempt.host == host;
         });
}

bool is_repaired_since(const Reading& reading, int segment, const std::string& host,
                       const std::string& device) {
  if (is_host_repaired_since(reading, segment, host)) return true;
  if (segment >= reading.repaired_in || !reading.report.amends || device.empty()) return false;
  const auto& repairs = reading.report.amends->repairs;
  return std::any_of(repairs.begin(), repairs.end(), [&](const model::Repair& repair) {
    return repair.host == host && (repair.device == device || is_new_here(reading, host, device));
  });
}

void fill_amends(Reading& reading) {
  model::Report& report = reading.report;
  if (!report.amends) return;
  model::Amends& amends = *report.amends;
  std::map<std::string, int> segment_of;
  for (const model::Attempt& attempt : report.attempts) {
    segment_of[attempt.nonce] = attempt.resumed + 1;
  }
  amends.results = static_cast<int>(report.cells.size());
  amends.measured_again = 0;
  amends.oldest_utc.clear();
  for (model::Cell& cell : report.cells) {
    cell.evidence_utc.clear();
    bool again = false;
    int oldest = 0;
    for (const auto* list : {&cell.measurements, &cell.confirmations}) {
      for (const model::Measurement& one : *list) {
        const int segment = segment_of[one.attempt];
        again = again || segment >= reading.repaired_in;
        if (segment < reading.repaired_in)
          oldest = oldest == 0 ? segment : std::min(oldest, segment);
      }
    }
    amends.measured_again += again ? 1 : 0;
    if (oldest == 0) continue;
    // Segments are told by their beginning: what they measured is not older.
    const auto segment = reading.segments.find(oldest);
    if (segment == reading.segments.end()) continue;
    cell.evidence_utc = segment->second.made_with.began_utc;
    if (amends.oldest_utc.empty() || cell.evidence_utc < amends.oldest_utc) {
      amends.oldest_utc = cell.evidence_utc;
    }
  }
  model::Finding finding;
  finding.id = model::finding_id::kAmended;
  finding.severity = model::Severity::kInfo;
  finding.subject = "the run";
  finding.text = fmt::format(
      "the run amends run {} of {}: {} of {} results were measured again{}", amends.run,
      amends.began_utc, amends.measured_again, amends.results,
      amends.oldest_utc.empty()
          ? ""
          : "; comparisons of like parts mix them with numbers since " + amends.oldest_utc);
  report.findings.push_back(std::move(finding));
}

}  // namespace rackproof::assemble
