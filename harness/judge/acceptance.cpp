#include "harness/judge/acceptance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "harness/evidence/claims.hpp"
#include "harness/evidence/disturbance.hpp"
#include "harness/evidence/evidence.hpp"
#include "harness/evidence/planned.hpp"
#include "harness/evidence/reasons.hpp"
#include "harness/judge/common_parts.hpp"
#include "harness/judge/failed_checks.hpp"
#include "harness/judge/shortfall.hpp"
#include "harness/judge/site_waivers.hpp"
#include "harness/judge/unsteady.hpp"
#include "harness/peers/fabric_ports.hpp"
#include "harness/recognise/expectations.hpp"
#include "reports/model/cell_text.hpp"
#include "reports/model/fact_name.hpp"
#include "reports/model/finding_id.hpp"
#include "reports/model/parts.hpp"
#include "reports/model/reason_id.hpp"
#include "reports/model/validity.hpp"
#include "reports/model/worst_first.hpp"

namespace rackproof::judge {
namespace {

using model::Acceptance;
using model::Cell;
using model::Counts;
using model::Outcome;
using model::total;

constexpr std::size_t kNamed = 3;

/// More characters say more than the sentence needs; the report has them.
constexpr std::size_t kLongestQuantity = 72;

/// "the worst stream.triad, 29 % below what is expected".
std::string worst_of(const model::PartCells& part, std::string_view first) {
  const Cell& cell = *part.cells.front();
  const std::string distance = model::distance_of(cell);
  const std::string quantity = evidence::quantity_of(cell);
  return fmt::format("{}{}{}{}", part.cells.size() == 1 ? "" : first,
                     quantity.size() > kLongestQuantity ? cell.metric : quantity,
                     distance.empty() ? "" : ", ", distance);
}

/// "gb-07 GPU 2 (0008:01:00.0, S/N 1653): 12 too slow, the worst stream.triad, 29 % below what is
/// expected; ... and 4 more parts".
std::string names(const model::Report& report, const std::vector<const Cell*>& cells,
                  std::string_view first) {
  const std::vector<model::PartCells> parts = model::by_part(cells);
  std::string text;
  for (std::size_t i = 0; i < std::min(parts.size(), kNamed); ++i) {
    const model::PartCells& part = parts[i];
    text += fmt::format("{}{}: {}, {}", i == 0 ? "" : "; ", model::part_name(report, *part.subject),
                        model::failures_of(part, model::Ids::kLeftOut), worst_of(part, first));
  }
  if (parts.size() > kNamed) {
    text += fmt::format(" and {}", model::counted(parts.size() - kNamed, "more part"));
  }
  return text;
}

/// Claims that somebody accepted although nothing judged them.
std::string unjudged_but_accepted(const model::Report& report) {
  std::string text;
  for (const model::ClaimState& state : report.judged_claims) {
    if (state.accepted.empty()) continue;
    text += fmt::format("; {} accepted without a limit: {}", state.title, state.accepted);
  }
  return text;
}

/// What a waiver of the site excuses, by whom and until when.
std::string excused(const model::Report& report) {
  const std::string waived = waivers_in_force(report);
  return waived.empty() ? "" : "; of them " + waived;
}

std::string accepted_reason(const model::Report& report) {
  const Counts& required = report.required_counts;
  std::string text;
  if (required.pass == total(required)) {
    text = required.pass == 1 ? "the one required cell passes"
                              : fmt::format("all {} required cells pass", required.pass);
  } else {
    text = fmt::format("{} of {} required cells pass", required.pass, total(required));
    if (required.verified > 0) {
      text += fmt::format(", {} verified without a speed limit", required.verified);
    }
    if (required.waived > 0) text += fmt::format(", {} waived", required.waived);
  }
  text += excused(report) + unjudged_but_accepted(report);
  const std::string until = model::valid_until(report);
  return until.empty() ? text : fmt::format("{}; valid until {}", text, until.substr(0, 10));
}

std::string verified_reason(const model::Report& report) {
  const int right = report.required_counts.pass + report.required_counts.verified;
  const std::string what = evidence::unheld(report.judged_claims);
  return fmt::format(
      "{} correct{}; no speed limit for {}. To accept: learn a table from accepted nodes, or name "
      "one with --platform",
      right == 1 ? "1 result is" : fmt::format("{} results are", right),
      waivers_in_force(report).empty() ? "" : ", " + waivers_in_force(report),
      what.empty() ? "anything that was measured" : what);
}

std::string joined_reasons(const std::vector<std::string>& reasons) {
  std::string text;
  for (const std::string& reason : reasons) {
    if (!reason.empty()) text += (text.empty() ? "" : "; ") + reason;
  }
  return text;
}

/// Why a host does not have the GPUs that the run requires, all of them proven.
std::string gpus_missing(const model::NodeInventory& node, const std::set<std::string>& passed) {
  if (node.devices.empty()) {
    const auto count = node.facts.find(model::fact_name::kGpuNvmlCount);
    const std::string why = count == node.facts.end() ? "" : count->second.unreadable;
    return fmt::format("{} has none{}", node.host, why.empty() ? "" : " (" + why + ")");
  }
  if (const auto which = model::gpus_out_of_reach(node)) {
    return fmt::format("{} has some that cannot be used: {}", node.host, *which);
  }
  for (const model::DeviceFacts& device : node.devices) {
    if (!passed.contains(node.host + "/" + device.uuid)) {
      return fmt::format("no cell about {}/{} passes", node.host, device.uuid);
    }
  }
  return "";
}

/// The first thing that a table demands of a host and that the host does not have, or that nobody
/// knows to be so; then the first finding that somebody is to be taken out of service for.
std::string broken_expectation(const model::Report& report, bool known) {
  for (const recognise::Unmet& unmet : recognise::unmet_expectations(report)) {
    if (unmet.severity >= model::Severity::kError && unmet.known == known)
      return recognise::to_text(unmet);
  }
  if (!known) return "";
  const auto odd =
      std::find_if(report.findings.begin(), report.findings.end(), [](const model::Finding& one) {
        return one.severity == model::Severity::kIsolate &&
               one.id != model::finding_id::kExpectationUnmet;
      });
  if (odd != report.findings.end()) return fmt::format("{}: {}", odd->subject, odd->text);
  return "";
}

/// The first host that the run left out on its way, with how many more.
std::string hosts_set_aside(const model::Report& report) {
  const model::Finding* first = nullptr;
  int hosts = 0;
  for (const model::Finding& finding : report.findings) {
    if (finding.id != model::finding_id::kHostSetAside) continue;
    if (hosts++ == 0) first = &finding;
  }
  if (first == nullptr) return "";
  return fmt::format("{}{} was set aside: {}", first->subject,
                     hosts > 1 ? fmt::format(" and {} more", hosts - 1) : "", first->text);
}

/// The first host of which nobody knows what it has, and so what it owes.
std::string unknown_host(const model::Report& report) {
  for (const model::NodeInventory& node : report.nodes) {
    if (!node.facts.empty()) continue;
    for (const model::Finding& finding : report.findings) {
      if (finding.id == model::finding_id::kInventoryFailed && finding.subject == node.host) {
        return fmt::format("{}: {}", node.host, finding.text);
      }
    }
  }
  return "";
}

/// The hosts that make groups unjudged, where the run said which.
std::string mixed_hosts(const model::Report& report, const std::vector<const Cell*>& open_cells) {
  const bool mixed = std::any_of(open_cells.begin(), open_cells.end(), [](const Cell* cell) {
    return cell->verdict.reason_id == model::reason_id::kMixedPlatforms;
  });
  const auto said = std::find_if(report.findings.begin(), report.findings.end(),
                                 [](const model::Finding& finding) {
                                   return finding.id == model::finding_id::kMixedPlatforms;
                                 });
  if (!mixed || said == report.findings.end()) return "";
  return fmt::format("{}: {}", said->subject, said->text);
}

/// Who spoiled the groups that are open, as the run saw it: the last word on the first of them,
/// with how many more. What others lack for their sake says nothing of them.
std::string spoiled_groups(const model::Report& report,
                           const std::vector<const Cell*>& open_cells) {
  std::set<std::pair<std::string, std::string>> open;
  for (const Cell* cell : open_cells) {
    const bool untested = cell->verdict.outcome == Outcome::kUntested;
    if (untested && cell->subject.kind == contract::SubjectKind::kGroup) {
      open.emplace(cell->step, model::label(cell->subject));
    }
  }
  std::map<std::pair<std::string, std::string>, const model::Finding*> last;
  const model::Finding* first = nullptr;
  for (const model::Finding& finding : report.findings) {
    const std::pair of{finding.step, finding.subject};
    if (finding.id != model::finding_id::kGroupFailed || !open.contains(of)) continue;
    last[of] = &finding;
    if (first == nullptr) first = &finding;
  }
  if (first == nullptr) return "";
  const model::Finding& told = *last.at({first->step, first->subject});
  return fmt::format("step {}, {}: {}{}", told.step, told.subject, told.text,
                     last.size() > 1 ? fmt::format(" (and {} more)", last.size() - 1) : "");
}

/// The member of the group in whose attempt this was told: " (member 2 of 8: host/GPU-...)".
std::string member_at(const model::Report& report, const std::string& nonce, std::int64_t rank) {
  const auto is_it = [&](const model::Attempt& one) { return one.nonce == nonce; };
  const auto teller = std::find_if(report.attempts.begin(), report.attempts.end(), is_it);
  if (teller == report.attempts.end()) return "";
  for (const model::Attempt& one : report.attempts) {
    if (one.members != teller->members || one.members == 0 || one.member != rank) continue;
    if (one.step != teller->step || one.subject != teller->subject) continue;
    if (evidence::turn_of(one) != evidence::turn_of(*teller) || one.confirms != teller->confirms)
      continue;
    const std::string device = model::device_of(one);
    return fmt::format(" (member {} of {}: {}{}{})", one.member, one.members, one.host,
                       device.empty() ? "" : "/", device);
  }
  return "";
}

/// Where the first wrong answer of a group is, which its name does not tell.
std::string place_in_group(const model::Report& report, const std::vector<const Cell*>& failed) {
  for (const Cell* cell : failed) {
    const bool wrong = cell->verdict.reason_id == model::reason_id::kWrongAnswer;
    if (!wrong || cell->subject.kind != contract::SubjectKind::kGroup) continue;
    for (const model::Measurement& one : cell->measurements) {
      if (one.check.first_wrong_where.empty()) continue;
      const std::optional<std::int64_t>& rank = one.check.first_wrong_rank;
      return fmt::format("; first wrong at {}{}", one.check.first_wrong_where,
                         rank ? member_at(report, one.attempt, *rank) : "");
    }
  }
  return "";
}

std::string rejected_reason(const model::Report& report, const std::vector<const Cell*>& failed,
                            const std::string& broken) {
  const std::string over = waivers_over(report);
  const std::string first = (over.empty() ? "" : over + "; ") + bad_members(report);
  if (failed.empty()) return first + broken;
  const std::vector<const Cell*> worst = model::worst_first(failed);
  return fmt::format(
      "{}{}{}{}{}{}{}. {} of {} required cells failed; what to do: rackproof explain {}", first,
      common_parts(report, failed), broken, broken.empty() ? "" : "; ",
      names(report, worst, "the worst "), peers::ends_text(report, worst.front()->subject),
      place_in_group(report, worst), failed.size(), total(report.required_counts),
      worst.front()->verdict.reason_id);
}

std::string incomplete_reason(const model::Report& report, const cells::JudgedCells& judged,
                              const std::vector<const Cell*>& open_cells) {
  std::string text = waivers_over(report);
  std::string members = bad_members(report);
  const auto add = [&text](const std::string& why) {
    if (!why.empty()) text += (text.empty() ? "" : "; ") + why;
  };
  if (!members.empty()) members.resize(members.size() - 2);
  add(members);
  add(spoiled_groups(report, open_cells));
  add(unmet(report, judged));
  add(unproven_gpu(report, judged));
  add(hosts_set_aside(report));
  add(unknown_host(report));
  add(broken_expectation(report, false));
  add(mixed_hosts(report, open_cells));
  if (report.run.interrupted) {
    add("the run was interrupted");
  } else if (!report.run.completed) {
    add("the run did not reach its end");
  }
  const Counts& required = report.required_counts;
  if (!open_cells.empty()) {
    return fmt::format("{}{}{} of {} required cells without a judged result: {}", text,
                       text.empty() ? "" : "; ", open_cells.size(), total(required),
                       names(report, open_cells, "the first "));
  }
  if (!text.empty() || required.pass + required.verified > 0) return text;
  return total(required) == 0 ? "no cell is required, so nothing was proven"
                              : "every required cell is waived, so nothing was proven";
}

}  // namespace

std::string unmet(const model::Report& report, const cells::JudgedCells& judged) {
  const auto& required = report.run.required;
  if (required.empty()) return "";
  const auto other = std::find_if(required.begin(), required.end(),
                                  [](const std::string& kind) { return kind != "gpu"; });
  if (other != required.end()) {
    return fmt::format("{} is required, which this version knows no proof of", *other);
  }
  std::set<std::string> passed;
  for (std::size_t i = 0; i < judged.size(); ++i) {
    const model::Subject& subject = judged.subject_of(i);
    if (model::is_right(judged.summary(i).outcome) &&
        subject.kind == contract::SubjectKind::kDevice) {
      passed.insert(subject.host + "/" + subject.device);
    }
  }
  if (report.nodes.empty()) return "gpu is required, and no host returned an inventory";
  for (const model::NodeInventory& node : report.nodes) {
    if (const std::string why = gpus_missing(node, passed); !why.empty()) {
      return "gpu is required: " + why;
    }
  }
  return "";
}

void conclude(model::Report& report, const cells::JudgedCells& judged, const cells::CellAt& at) {
  report.counts = {};
  report.required_counts = {};
  report.judged_claims = judged.claim_states(report);
  std::vector<const Cell*> failed;
  std::vector<const Cell*> open_cells;
  bool limited = false;
  for (std::size_t i = 0; i < judged.size(); ++i) {
    const cells::CellSummary& summary = judged.summary(i);
    ++count_of(report.counts, summary.outcome);
    if (!summary.required) continue;
    ++count_of(report.required_counts, summary.outcome);
    limited = limited || (summary.limited && summary.outcome == Outcome::kPass);
    switch (summary.outcome) {
      case Outcome::kFail:
        failed.push_back(&at(i));
        break;
      case Outcome::kUnjudged:
      case Outcome::kUntested:
        open_cells.push_back(&at(i));
        break;
      case Outcome::kPass:
      case Outcome::kVerified:
      case Outcome::kWaived:
        break;
    }
  }
  std::string broken = broken_expectation(report, true);
  if (broken.empty()) broken = unnamed_failure(report);
  if (!failed.empty() || !broken.empty()) {
    report.acceptance = Acceptance::kRejected;
    report.acceptance_reason = rejected_reason(report, failed, broken);
  } else if (open_cells.empty() &&
             report.required_counts.pass + report.required_counts.verified > 0 &&
             report.run.completed && !report.run.interrupted && shortfall(report).empty() &&
             unmet(report, judged).empty() && unproven_gpu(report, judged).empty() &&
             hosts_set_aside(report).empty() && unknown_host(report).empty() &&
             broken_expectation(report, false).empty()) {
    // Where no claim concerns what is here, something has to be fast all the same.
    const bool held = evidence::unheld(report.judged_claims).empty() &&
                      (limited || !report.judged_claims.empty());
    report.acceptance = held ? Acceptance::kAccepted : Acceptance::kVerified;
    report.acceptance_reason = held ? accepted_reason(report) : verified_reason(report);
  } else {
    report.acceptance = Acceptance::kIncomplete;
    report.acceptance_reason = incomplete_reason(report, judged, open_cells);
  }
  const bool good =
      report.acceptance == Acceptance::kAccepted || report.acceptance == Acceptance::kVerified;
  if (good)
    report.acceptance_reason =
        joined_reasons({evidence::planned_share(report), report.acceptance_reason});
  // What was not there at all comes first, then what keeps a run from its end, and a bad part
  // before what others did.
  const std::string others = joined_reasons({evidence::disturbance(report), unsteadiness(report)});
  std::string& reason = report.acceptance_reason;
  if (report.acceptance == Acceptance::kIncomplete) {
    reason = joined_reasons({shortfall(report), others, reason});
  } else {
    reason = joined_reasons({reason, others});
  }
}

}  // namespace rackproof::judge
