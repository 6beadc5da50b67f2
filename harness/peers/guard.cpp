#include "harness/peers/guard.hpp"

#include <fmt/format.h>

#include <array>
#include <exception>
#include <new>
#include <string_view>

#include "harness/peers/peer_findings.hpp"
#include "reports/model/finding_id.hpp"
#include "reports/model/printable.hpp"

namespace rackproof::peers {
namespace {

/// Of what a library says of its exception.
constexpr std::size_t kMostSaid = 300;

void hold_back_for(model::Report& report, const std::string& why) {
  if (report.acceptance == model::Acceptance::kAccepted ||
      report.acceptance == model::Acceptance::kVerified) {
    report.acceptance = model::Acceptance::kIncomplete;
    report.acceptance_reason = why + "; otherwise " + report.acceptance_reason;
  } else {
    report.acceptance_reason += "; " + why;
  }
}

std::string reason_of(const model::Finding& finding) {
  if (finding.id == model::finding_id::kPeerUnconfirmed) return "not confirmed: " + finding.text;
  if (finding.id == model::finding_id::kBimodalPeers)
    return "two groups among equals: " + finding.text;
  return finding.text;
}

}  // namespace

model::Finding rule_failed(const std::string& rule, const std::string& what) {
  model::Finding finding;
  finding.id = model::finding_id::kRuleFailed;
  finding.severity = model::Severity::kError;
  finding.subject = "judge";
  finding.text =
      fmt::format("the rule {} could not be applied: {}", rule, model::printable(what, kMostSaid));
  finding.evidence = {{"rule", rule}};
  return finding;
}

void guarded(const std::string& rule, std::vector<model::Finding>& findings,
             const std::function<void()>& run) {
  try {
    run();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    findings.push_back(rule_failed(rule, error.what()));
  }
}

void hold_back(model::Report& report) {
  // What was added after judging comes last, as it did then.
  constexpr std::array<std::string_view, 5> kHeldBackFor = {
      model::finding_id::kLocalised, model::finding_id::kPeerUnconfirmed,
      model::finding_id::kBimodalPeers, model::finding_id::kRuleFailed,
      model::finding_id::kReportPartFailed};
  for (const std::string_view id : kHeldBackFor) {
    // What is rejected says already what its failed links have in common.
    if (id == model::finding_id::kLocalised && report.acceptance == model::Acceptance::kRejected) {
      continue;
    }
    for (const model::Finding& finding : report.findings) {
      if (finding.id == id && finding.severity >= model::Severity::kError) {
        hold_back_for(report, reason_of(finding));
      }
    }
  }
}

void note_failed_part(model::Report& report, const std::string& part, const std::string& what) {
  model::Finding finding;
  finding.id = model::finding_id::kReportPartFailed;
  finding.severity = model::Severity::kError;
  finding.subject = part;
  finding.text = fmt::format("{} could not be made: {}", part, model::printable(what, kMostSaid));
  hold_back_for(report, finding.text);
  report.findings.push_back(std::move(finding));
}

}  // namespace rackproof::peers
