#include "harness/evidence/reasons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "contract/exit_code.hpp"
#include "harness/evidence/context.hpp"
#include "harness/evidence/evidence.hpp"
#include "reports/model/words.hpp"

namespace rackproof::evidence {
namespace {

using model::Outcome;
namespace ending = model::ending;

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

const char* id_of_exit(int code) {
  using contract::ExitCode;
  switch (static_cast<ExitCode>(code)) {
    case ExitCode::kDone:
      return reason_id::kNoResult;
    case ExitCode::kUnexpected:
      return reason_id::kBenchError;
    case ExitCode::kUsage:
      return reason_id::kBenchUsage;
    case ExitCode::kUnavailable:
      return reason_id::kUnavailable;
    case ExitCode::kWrongAnswer:
      return reason_id::kWrongAnswer;
    case ExitCode::kDeviceError:
      return reason_id::kDeviceError;
    case ExitCode::kGaveUp:
      return reason_id::kGaveUp;
  }
  return reason_id::kBenchError;  // a code that the protocol does not know
}

const char* id_of(model::CancelReason why) {
  using model::CancelReason;
  switch (why) {
    case CancelReason::kInterrupted:
      return reason_id::kInterrupted;
    case CancelReason::kTimeBudget:
      return reason_id::kTimeBudget;
    case CancelReason::kStoppedByFinding:
      return reason_id::kStoppedByFinding;
    case CancelReason::kBringUp:
      return reason_id::kBringUp;
    case CancelReason::kRankLost:
    case CancelReason::kRankGone:
      return reason_id::kRankLost;
    case CancelReason::kMemberFailed:
    case CancelReason::kRunEnded:
    case CancelReason::kNone:
    case CancelReason::kOther:
      return reason_id::kCancelled;
  }
  return reason_id::kCancelled;
}

const char* id_of(model::StepReason why) {
  switch (why) {
    case model::StepReason::kTimeBudget:
      return reason_id::kTimeBudget;
    case model::StepReason::kInterrupted:
      return reason_id::kInterrupted;
    case model::StepReason::kStoppedByEarlierStep:
      return reason_id::kStoppedByEarlierStep;
    case model::StepReason::kStoppedByFinding:
      return reason_id::kStoppedByFinding;
    case model::StepReason::kLateRank:
      return reason_id::kLateRank;
    case model::StepReason::kRankLost:
      return reason_id::kRankLost;
    case model::StepReason::kSingleRank:
      return reason_id::kSingleRank;
    case model::StepReason::kInventoryFailed:
    case model::StepReason::kNotSelected:
    case model::StepReason::kNone:
    case model::StepReason::kOther:
      return reason_id::kNotStarted;
  }
  return reason_id::kNotStarted;
}

const char* id_of(const model::Ending& end) {
  return std::visit(Overloaded{
                        [](const ending::Completed& how) { return id_of_exit(how.exit_code); },
                        [](const ending::Signalled&) { return reason_id::kSignalled; },
                        [](const ending::TimedOut&) { return reason_id::kTimedOut; },
                        [](const ending::Cancelled& how) { return id_of(how.by.id); },
                        [](const ending::SpawnFailed&) { return reason_id::kSpawnFailed; },
                        [](const ending::Leaked&) { return reason_id::kLeaked; },
                        [](const ending::Truncated&) { return reason_id::kTruncated; },
                        [](const ending::Garbled&) { return reason_id::kGarbled; },
                        [](const ending::Wedged&) { return reason_id::kWedged; },
                        [](const ending::RankLost&) { return reason_id::kRankLost; },
                    },
                    end);
}

// ": the host has GPUs that cannot be measured (...)", or that nobody knows; empty for another
// subject.
std::string why_not_every_gpu(const Context& context, const model::Subject& subject) {
  if (subject.kind != contract::SubjectKind::kNode) return "";
  const model::NodeInventory* node = context.node(subject.host);
  if (node == nullptr) return "";
  if (node->facts.empty()) return ": what the host has is not known";
  if (const auto which = model::gpus_out_of_reach(*node)) {
    return fmt::format(": the host has GPUs that cannot be measured ({})", *which);
  }
  return "";
}

}  // namespace

model::Verdict verdict(Outcome outcome, const char* id, std::string sentence) {
  model::Verdict result;
  result.outcome = outcome;
  result.reason_id = id;
  result.reason = std::move(sentence);
  return result;
}

std::optional<int> exit_code_of(const model::Ending& end) {
  using Code = std::optional<int>;
  return std::visit(Overloaded{
                        [](const ending::Completed& how) { return Code(how.exit_code); },
                        [](const ending::Leaked& how) { return Code(how.exit_code); },
                        [](const ending::Truncated& how) { return Code(how.exit_code); },
                        [](const ending::Garbled& how) { return Code(how.exit_code); },
                        [](const ending::Signalled&) { return Code(); },
                        [](const ending::TimedOut&) { return Code(); },
                        [](const ending::Cancelled&) { return Code(); },
                        [](const ending::SpawnFailed&) { return Code(); },
                        [](const ending::Wedged&) { return Code(); },
                        [](const ending::RankLost&) { return Code(); },
                    },
                    end);
}

bool was_cancelled(const model::Ending& end) {
  const auto* how = std::get_if<ending::Cancelled>(&end);
  return how != nullptr && how->by.id != model::CancelReason::kBringUp;
}

bool has_given_up(const model::Ending& end) {
  return exit_code_of(end) == static_cast<int>(contract::ExitCode::kGaveUp);
}

bool was_unavailable(const model::Ending& end) {
  return end ==
         model::Ending(ending::Completed{static_cast<int>(contract::ExitCode::kUnavailable)});
}

bool was_cut_short(const model::Ending& end) {
  using model::CancelReason;
  const auto* how = std::get_if<ending::Cancelled>(&end);
  if (how == nullptr) return false;
  switch (how->by.id) {
    case CancelReason::kBringUp:
    case CancelReason::kMemberFailed:
    case CancelReason::kRankLost:
    case CancelReason::kRankGone:
      return false;
    case CancelReason::kInterrupted:
    case CancelReason::kTimeBudget:
    case CancelReason::kStoppedByFinding:
    case CancelReason::kRunEnded:
    case CancelReason::kNone:
    case CancelReason::kOther:
      return true;
  }
  return false;
}

std::string name_of(const model::Attempt& attempt) {
  if (attempt.members > 0) {
    return fmt::format("attempt {} of member {} of {} (rank {} on {})", attempt.number,
                       attempt.member, attempt.members, attempt.rank, attempt.host);
  }
  return fmt::format("attempt {} of rank {} on {}", attempt.number, attempt.rank, attempt.host);
}

std::string quantity_of(const model::Cell& cell) {
  return fmt::format("{}{}{}", cell.metric, cell.parameters.empty() ? "" : " ",
                     model::to_text(cell.parameters));
}

model::Verdict untested_after(const model::Attempt& attempt) {
  const char* id = id_of(attempt.ending);
  if (id == reason_id::kNoResult) {
    return verdict(Outcome::kUntested, id,
                   fmt::format("{} ended well and said nothing about this cell", name_of(attempt)));
  }
  return verdict(Outcome::kUntested, id,
                 fmt::format("{}: {}", name_of(attempt), model::sentence(attempt.ending)));
}

model::Verdict untested_without_members(const Absent& absent) {
  const bool only_first =
      absent.missing.front() == 1 && std::cmp_equal(absent.missing.size(), absent.members - 1);
  if (only_first) {
    return verdict(Outcome::kUntested, reason_id::kBringUp,
                   fmt::format("of the {} members of {} only member 0 left a record: it gave no "
                               "token, or what the others did is lost",
                               absent.members, absent.group));
  }
  std::string list;
  constexpr std::size_t kMembersNamed = 5;
  for (std::size_t i = 0; i < std::min(absent.missing.size(), kMembersNamed); ++i) {
    list += fmt::format("{}{}", i == 0 ? "" : ", ", absent.missing[i]);
  }
  if (absent.missing.size() > kMembersNamed) {
    list += fmt::format(" and {} more", absent.missing.size() - kMembersNamed);
  }
  return verdict(Outcome::kUntested, reason_id::kRankLost,
                 fmt::format("there is no record of what member {} of the {} in {} did", list,
                             absent.members, absent.group));
}

std::optional<model::Verdict> owed_without_gpu(const Context& context, const model::Cell& cell,
                                               const model::StepInfo* step) {
  const bool over_devices =
      step != nullptr &&
      (step->placement == "device" || step->placement == "world" || step->placement == "groups");
  if (!over_devices || cell.subject.kind != contract::SubjectKind::kNode) return std::nullopt;
  const std::string why = why_not_every_gpu(context, cell.subject);
  if (why.empty()) return std::nullopt;
  return verdict(Outcome::kUntested, reason_id::kNotStarted,
                 fmt::format("step {} needs every GPU{}", step->id, why));
}

std::optional<model::Verdict> left_with_its_host(const Context& context, const model::Cell& cell) {
  const model::Finding* finding = context.set_aside(cell.subject);
  if (finding == nullptr || !cell.measurements.empty()) return std::nullopt;
  return verdict(Outcome::kUntested, reason_id::kSetAside,
                 fmt::format("{} was set aside: {}", finding->subject, finding->text));
}

model::Verdict untested_without_attempt(const Context& context, const model::Cell& cell,
                                        const model::StepInfo* step) {
  const auto untested = [](const char* id, std::string sentence) {
    return verdict(Outcome::kUntested, id, std::move(sentence));
  };
  if (step == nullptr) {
    return untested(reason_id::kNotStarted,
                    fmt::format("the run does not list step {}", cell.step));
  }
  const bool done = step->state == model::StepState::kDone;
  if (!done && !step->reason.empty()) {
    return untested(id_of(step->reason.id), fmt::format("step {} was not started: {}", step->id,
                                                        model::to_text(step->reason)));
  }
  if (const model::RankInfo* rank = context.missing_rank(cell.subject)) {
    return untested(
        reason_id::kRankLost,
        fmt::format("rank {} on {}: {}{}{}", rank->rank, rank->host, contract::word(rank->state),
                    rank->detail.empty() ? "" : ", ", rank->detail));
  }
  if (!done && context.report().run.interrupted) {
    return untested(reason_id::kInterrupted,
                    fmt::format("the run was interrupted before step {}", step->id));
  }
  return untested(reason_id::kNotStarted,
                  fmt::format("no process of step {} was started here", step->id));
}

model::Verdict wrong_answer(const model::Attempt* attempt, const model::CheckResult* check) {
  const std::string who = attempt == nullptr ? "" : " in " + name_of(*attempt);
  if (check == nullptr) {
    return verdict(Outcome::kFail, reason_id::kWrongAnswer,
                   fmt::format("the bench reported a wrong answer{} by its exit code, and named no "
                               "check",
                               who));
  }
  std::string text = fmt::format("check {} failed{}", check->name, who);
  if (check->wrong > 0) {
    text += fmt::format(": {} of {} wrong", check->wrong, check->compared);
  }
  if (!check->first_wrong_where.empty()) {
    text += fmt::format(", first at {}: got {}, want {}", check->first_wrong_where,
                        check->first_wrong_got, check->first_wrong_want);
  }
  if (!check->detail.empty()) text += fmt::format(" ({})", check->detail);
  return verdict(Outcome::kFail, reason_id::kWrongAnswer, std::move(text));
}

}  // namespace rackproof::evidence
