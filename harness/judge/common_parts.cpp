#include "harness/judge/common_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <variant>

#include "reports/model/finding_id.hpp"
#include "reports/model/parts.hpp"

namespace rackproof::judge {
namespace {

/// Whether links that failed go over what is named.
bool blames_failed(const model::Finding& finding) {
  const auto failed = finding.evidence.find("links_failed");
  return failed != finding.evidence.end() && failed->second != contract::Scalar{std::int64_t{0}};
}

std::string text_at(const model::Finding& finding, const char* key) {
  const auto found = finding.evidence.find(key);
  if (found == finding.evidence.end()) return "";
  const auto* text = std::get_if<std::string>(&found->second);
  return text == nullptr ? "" : *text;
}

/// The host or the device that a finding about a group names.
model::Subject part_of(const model::Finding& finding) {
  model::Subject part;
  part.host = text_at(finding, "host");
  part.device = text_at(finding, "device");
  if (!part.device.empty()) part.kind = contract::SubjectKind::kDevice;
  return part;
}

/// Who makes groups slow that failed by it, but for those in `told`.
std::string slow_members(const model::Report& report, const std::vector<const model::Cell*>& failed,
                         const std::set<std::string>& told) {
  std::string text;
  for (const model::Finding& finding : report.findings) {
    if (finding.id != model::finding_id::kSlowMember) continue;
    const model::Subject part = part_of(finding);
    const std::string group = text_at(finding, "group");
    const bool counts = std::any_of(failed.begin(), failed.end(), [&](const model::Cell* cell) {
      return cell->step == finding.step && model::label(cell->subject) == group;
    });
    if (!counts || told.contains(model::short_name(report, part))) continue;
    text += fmt::format("{}: parts of {} with it are slower than those without it (step {}); ",
                        model::part_name(report, part), group, finding.step);
  }
  return text;
}

}  // namespace

std::string bad_members(const model::Report& report) {
  std::string text;
  for (const model::Finding& finding : report.findings) {
    if (finding.id != model::finding_id::kBadMember) continue;
    text += fmt::format("{}: each part of {} with it failed (step {}); ",
                        model::part_name(report, part_of(finding)), text_at(finding, "group"),
                        finding.step);
  }
  return text;
}

std::string common_parts(const model::Report& report,
                         const std::vector<const model::Cell*>& failed) {
  std::string text;
  std::set<std::string> told;
  for (const model::Cell* cell : failed) {
    // Links are counted with the device at their end, not with its host (model::by_part).
    if (cell->subject.kind != contract::SubjectKind::kDevice) continue;
    told.insert(model::short_name(report, cell->subject));
  }
  text += slow_members(report, failed, told);
  for (const model::Finding& finding : report.findings) {
    if (finding.id != model::finding_id::kSlowHost) continue;
    told.insert(finding.subject);
    text += finding.subject + ": " + finding.text + "; ";
  }
  for (const model::Finding& finding : report.findings) {
    // Later values may have cleared it.
    const bool named = finding.id == model::finding_id::kLocalised && blames_failed(finding) &&
                       finding.severity > model::Severity::kInfo;
    if (named && !told.contains(finding.subject)) text += finding.text + "; ";
  }
  return text;
}

}  // namespace rackproof::judge
