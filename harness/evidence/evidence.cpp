#include "harness/evidence/evidence.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "contract/exit_code.hpp"
#include "harness/evidence/disturbance.hpp"
#include "harness/evidence/reasons.hpp"

namespace rackproof::evidence {
namespace {

using Round = std::vector<const model::Attempt*>;

constexpr int kWrongAnswerExit = static_cast<int>(contract::ExitCode::kWrongAnswer);

/// Tells the processes of a round apart: members of a group by their number, others by where they
/// ran.
using Process = std::tuple<int, std::string, std::string, std::string, std::string>;

Process process_of(const model::Attempt& attempt) {
  const model::Subject& subject = attempt.subject;
  if (attempt.members > 0) {
    return {attempt.member, subject.group, "", "", "member"};
  }
  return {attempt.rank, attempt.host, subject.device, subject.peer_host, subject.peer_device};
}

/// Attempts of one turn, one for each process.
std::map<Turn, Round> rounds_of(const std::vector<const model::Attempt*>& attempts) {
  std::map<std::pair<Turn, Process>, std::size_t> places;
  std::map<Turn, Round> rounds;
  for (const model::Attempt* attempt : attempts) {
    const Turn turn = turn_of(*attempt);
    Round& round = rounds[turn];
    const auto [place, fresh] = places.try_emplace({turn, process_of(*attempt)}, round.size());
    if (fresh) {
      round.push_back(attempt);
    } else {
      round[place->second] = attempt;
    }
  }
  return rounds;
}

/// The attempt to blame for a round that did not end well: the member that spoiled its group as the
/// run saw it, else one that failed by itself before one that gave up on another, and that before
/// one that was cancelled for its sake.
const model::Attempt* culprit_of(const Context& context, const Round& round) {
  const model::Attempt* failed = nullptr;
  const model::Attempt* witness = nullptr;
  const model::Attempt* awaited = nullptr;
  const model::Attempt* cancelled = nullptr;
  for (const model::Attempt* attempt : round) {
    if (is_whole(*attempt)) continue;
    const bool named = attempt->members > 0 && context.first_to_fail(*attempt) == attempt->member;
    if (was_cancelled(attempt->ending)) {
      if (named) awaited = attempt;
      if (cancelled == nullptr) cancelled = attempt;
    } else if (named && !has_given_up(attempt->ending)) {
      return attempt;
    } else if (const model::Attempt*& first = has_given_up(attempt->ending) ? witness : failed;
               first == nullptr) {
      first = attempt;
    }
  }
  if (failed != nullptr) return failed;
  // Who was cancelled spoiled nothing, unless others had waited for it in vain.
  if (witness == nullptr) return cancelled;
  return awaited != nullptr ? awaited : witness;
}

/// Members that a round has no attempt of: their journals are lost, or they were never started.
std::vector<Absent> absent_from(const Round& round) {
  std::map<std::string, std::pair<int, std::set<int>>> groups;
  for (const model::Attempt* attempt : round) {
    if (attempt->members <= 0) continue;
    auto& [members, there] = groups[attempt->subject.group];
    members = std::max(members, attempt->members);
    there.insert(attempt->member);
  }
  std::vector<Absent> absent;
  for (const auto& [group, seen] : groups) {
    const auto& [members, there] = seen;
    if (std::cmp_greater_equal(there.size(), members)) continue;
    Absent one{group, members, {}};
    for (int member = 0; member < members; ++member) {
      if (!there.contains(member)) one.missing.push_back(member);
    }
    absent.push_back(std::move(one));
  }
  return absent;
}

const model::Attempt* most_disturbed(const Context& context, const Round& round) {
  const model::Attempt* worst = nullptr;
  for (const model::Attempt* attempt : round) {
    if (!is_discounted(context.report().suite.policy, *attempt)) continue;
    if (worst == nullptr || model::taken_share(attempt->load) > model::taken_share(worst->load)) {
      worst = attempt;
    }
  }
  return worst;
}

Course course_of(const Context& context, std::vector<const model::Attempt*> attempts) {
  Course course;
  course.attempts = std::move(attempts);
  for (auto& [turn, round] : rounds_of(course.attempts)) {
    const model::Attempt* culprit = culprit_of(context, round);
    std::vector<Absent> absent = absent_from(round);
    const model::Attempt* disturbed = most_disturbed(context, round);
    course.rounds.emplace(turn,
                          Course::Round{std::move(round), culprit, std::move(absent), disturbed});
  }
  return course;
}

/// True when every number of the round can stand.
bool is_good(const Course::Round& round) {
  return round.culprit == nullptr && round.absent.empty();
}

/// True when a check of this name was said by the first member of the attempt's group.
bool is_known_to_first(const std::vector<const model::Attempt*>& attempts,
                       const model::Attempt& member, const std::string& check) {
  return std::any_of(attempts.begin(), attempts.end(), [&](const model::Attempt* first) {
    return first->member == 0 && first->members == member.members &&
           turn_of(*first) == turn_of(member) && first->subject == member.subject &&
           std::any_of(first->checks.begin(), first->checks.end(),
                       [&](const model::CheckResult& said) { return said.name == check; });
  });
}

/// A failed check of a member that only it knows of: it may be about anything in its group.
const model::CheckResult* failed_alone(const std::vector<const model::Attempt*>& attempts,
                                       const model::Attempt& attempt) {
  if (attempt.members <= 0 || attempt.member == 0) return nullptr;
  const auto found = std::find_if(
      attempt.checks.begin(), attempt.checks.end(), [&](const model::CheckResult& check) {
        return is_failed(check) && !is_known_to_first(attempts, attempt, check.name);
      });
  return found == attempt.checks.end() ? nullptr : &*found;
}

template <class Look>
void for_each_said(const model::Cell& cell, const Look& look) {
  for (const model::Measurement& one : cell.measurements) look(one, false);
  for (const model::Measurement& one : cell.confirmations) look(one, true);
}

const model::CheckResult* failed_check(const model::Attempt& attempt, const std::string* name) {
  const auto found = std::find_if(
      attempt.checks.begin(), attempt.checks.end(), [&](const model::CheckResult& check) {
        return is_failed(check) && (name == nullptr || check.name == *name);
      });
  return found == attempt.checks.end() ? nullptr : &*found;
}

}  // namespace

Turn turn_of(const model::Attempt& attempt) { return {attempt.resumed, attempt.number}; }

bool is_failed(const model::CheckResult& check) {
  const bool placed = !check.first_wrong_where.empty() || !check.first_wrong_got.empty() ||
                      !check.first_wrong_want.empty();
  return !check.passed || check.wrong > 0 || placed;
}

bool is_whole(const model::Attempt& attempt) {
  const auto* how = std::get_if<model::ending::Completed>(&attempt.ending);
  if (how == nullptr) return false;
  return how->exit_code == 0 ||
         (how->exit_code == kWrongAnswerExit && failed_check(attempt, nullptr) != nullptr);
}

const Course& Courses::of(const model::Cell& cell) {
  if (!last_ || step_ != cell.step || subject_ != cell.subject) {
    last_ = course_of(context_, context_.attempts_of(cell));
    last_->platform = context_.platform_of(cell.subject);
    step_ = cell.step;
    subject_ = cell.subject;
  }
  return *last_;
}

Evidence gather(Courses& courses, const model::Cell& cell) {
  const Context& context = courses.context();
  const Course* course = &courses.of(cell);
  Evidence evidence;
  evidence.attempts = course->attempts;
  for_each_said(cell, [&](const model::Measurement& measurement, bool confirming) {
    const model::Attempt* attempt = context.attempt(measurement.attempt);
    if (attempt == nullptr || attempt->step != cell.step) return;
    if (attempt->confirms == confirming) evidence.said.emplace_back(&measurement, attempt);
    // Attempts lie in one vector: their addresses are their order in the report.
    const auto place =
        std::lower_bound(evidence.attempts.begin(), evidence.attempts.end(), attempt);
    if (place == evidence.attempts.end() || *place != attempt) {
      evidence.attempts.insert(place, attempt);
    }
  });
  std::optional<Course> own;
  if (evidence.attempts.size() != course->attempts.size()) {
    course = &own.emplace(course_of(context, evidence.attempts));
  }
  const std::map<Turn, Course::Round>& rounds = course->rounds;
  if (rounds.empty()) return evidence;
  evidence.last = rounds.rbegin()->second.attempts.back();

  std::optional<Turn> first_clean;
  for (const auto& [measurement, attempt] : evidence.said) {
    const Course::Round& round = rounds.at(turn_of(*attempt));
    if (!is_whole(*attempt) || !is_good(round)) continue;
    if (round.disturbed != nullptr) {
      evidence.disturbed = round.disturbed;
      continue;
    }
    if (attempt->confirms) {
      evidence.again.push_back(measurement);
      continue;
    }
    evidence.clean.push_back(measurement);
    first_clean = std::min(first_clean.value_or(turn_of(*attempt)), turn_of(*attempt));
  }
  for (auto round = rounds.rbegin(); round != rounds.rend(); ++round) {
    const model::Attempt* culprit = round->second.culprit;
    if (is_good(round->second)) {
      // It was measured again for the sake of its peers, whatever became of it before.
      if (round->second.attempts.front()->confirms) continue;
      break;
    }
    const bool stands = culprit != nullptr && was_cut_short(culprit->ending) && first_clean &&
                        *first_clean < round->first;
    if (!stands) {
      evidence.culprit = culprit;
      evidence.absent = round->second.absent;
      break;
    }
  }
  return evidence;
}

std::optional<model::Verdict> find_wrong_answer(const Context& context, const model::Cell& cell,
                                                const Evidence& evidence) {
  for (const auto* list : {&cell.measurements, &cell.confirmations}) {
    for (const model::Measurement& measurement : *list) {
      if (!measurement.check.name.empty() && is_failed(measurement.check)) {
        return wrong_answer(context.attempt(measurement.attempt), &measurement.check);
      }
    }
  }
  for (const model::Attempt* attempt : evidence.attempts) {
    const model::CheckResult* first = failed_check(*attempt, nullptr);
    const bool unnamed =
        first == nullptr && exit_code_of(attempt->ending).value_or(0) == kWrongAnswerExit;
    if (first == nullptr && !unnamed) continue;
    bool measured = false;
    for (const auto& [measurement, by] : evidence.said) {
      // A number that names no check may be the one that any failed check is about.
      if (turn_of(*by) != turn_of(*attempt) || measurement->check.name.empty()) continue;
      measured = true;
      const model::CheckResult* named = failed_check(*attempt, &measurement->check.name);
      if (named != nullptr) return wrong_answer(attempt, named);
    }
    if (const model::CheckResult* alone = failed_alone(evidence.attempts, *attempt)) {
      return wrong_answer(attempt, alone);
    }
    // Exit 4 without a check: any of its numbers may be the wrong one.
    if (unnamed || !measured) return wrong_answer(attempt, first);
  }
  return std::nullopt;
}

}  // namespace rackproof::evidence
