#include "harness/judge/evidence.hpp"

#include <algorithm>
#include <tuple>

#include "benches/protocol/exit_code.hpp"
#include "harness/judge/reasons.hpp"

namespace rackproof::judge {
namespace {

using Round = std::vector<const model::Attempt*>;

constexpr int kWrongAnswerExit = static_cast<int>(protocol::ExitCode::kWrongAnswer);

/// Attempts of one number, one for each process: after a resume the same number may come again, and
/// the later one replaces what the interrupted segment left.
std::map<int, Round> rounds_of(const std::vector<const model::Attempt*>& attempts) {
  using Process = std::tuple<int, int, std::string, std::string, std::string, std::string>;
  std::map<Process, std::size_t> places;
  std::map<int, Round> rounds;
  for (const model::Attempt* attempt : attempts) {
    Round& round = rounds[attempt->number];
    const model::Subject& subject = attempt->subject;
    const auto [place, fresh] =
        places.try_emplace(Process{attempt->number, attempt->rank, attempt->host, subject.device,
                                   subject.peer_host, subject.peer_device},
                           round.size());
    if (fresh) {
      round.push_back(attempt);
    } else {
      round[place->second] = attempt;
    }
  }
  return rounds;
}

/// The attempt to blame for a round that did not end well: one that failed by itself before one
/// that was cancelled for its sake.
const model::Attempt* culprit_of(const Round& round) {
  const model::Attempt* cancelled = nullptr;
  for (const model::Attempt* attempt : round) {
    if (is_whole(*attempt)) continue;
    if (!was_cancelled(attempt->ending)) return attempt;
    if (cancelled == nullptr) cancelled = attempt;
  }
  return cancelled;
}

const model::CheckResult* failed_check(const model::Attempt& attempt, const std::string* name) {
  const auto found = std::find_if(
      attempt.checks.begin(), attempt.checks.end(), [&](const model::CheckResult& check) {
        return is_failed(check) && (name == nullptr || check.name == *name);
      });
  return found == attempt.checks.end() ? nullptr : &*found;
}

}  // namespace

bool is_failed(const model::CheckResult& check) { return !check.passed || check.wrong > 0; }

bool is_whole(const model::Attempt& attempt) {
  const auto* how = std::get_if<model::ending::Completed>(&attempt.ending);
  if (how == nullptr) return false;
  return how->exit_code == 0 ||
         (how->exit_code == kWrongAnswerExit && failed_check(attempt, nullptr) != nullptr);
}

Evidence gather(const Context& context, const model::Cell& cell) {
  Evidence evidence;
  evidence.attempts = context.attempts_of(cell);
  for (const model::Measurement& measurement : cell.measurements) {
    const model::Attempt* attempt = context.attempt(measurement.attempt);
    if (attempt == nullptr || attempt->step != cell.step) continue;
    evidence.said.emplace_back(&measurement, attempt);
    if (std::find(evidence.attempts.begin(), evidence.attempts.end(), attempt) ==
        evidence.attempts.end()) {
      evidence.attempts.push_back(attempt);
    }
  }
  // Attempts lie in one vector: their addresses are their order in the report.
  std::sort(evidence.attempts.begin(), evidence.attempts.end());
  const std::map<int, Round> rounds = rounds_of(evidence.attempts);
  if (rounds.empty()) return evidence;
  evidence.last = rounds.rbegin()->second.back();

  int first_clean = rounds.rbegin()->first + 1;
  for (const auto& [measurement, attempt] : evidence.said) {
    if (is_whole(*attempt) && culprit_of(rounds.at(attempt->number)) == nullptr) {
      evidence.clean.push_back(measurement);
      first_clean = std::min(first_clean, attempt->number);
    }
  }
  for (auto round = rounds.rbegin(); round != rounds.rend(); ++round) {
    const model::Attempt* culprit = culprit_of(round->second);
    if (culprit == nullptr) break;
    const bool stands = was_cancelled(culprit->ending) && first_clean < round->first;
    if (!stands) {
      evidence.culprit = culprit;
      break;
    }
  }
  return evidence;
}

std::optional<model::Verdict> find_wrong_answer(const Context& context, const model::Cell& cell,
                                                const Evidence& evidence) {
  for (const model::Measurement& measurement : cell.measurements) {
    if (!measurement.check.name.empty() && is_failed(measurement.check)) {
      return wrong_answer(context.attempt(measurement.attempt), &measurement.check);
    }
  }
  for (const model::Attempt* attempt : evidence.attempts) {
    const model::CheckResult* first = failed_check(*attempt, nullptr);
    const bool unnamed =
        first == nullptr && exit_code_of(attempt->ending).value_or(0) == kWrongAnswerExit;
    if (first == nullptr && !unnamed) continue;
    bool measured = false;
    for (const auto& [measurement, by] : evidence.said) {
      if (by->number != attempt->number) continue;
      measured = true;
      const model::CheckResult* named = failed_check(*attempt, &measurement->check.name);
      if (named != nullptr) return wrong_answer(attempt, named);
    }
    // Exit 4 without a check: any of its numbers may be the wrong one.
    if (unnamed || !measured) return wrong_answer(attempt, first);
  }
  return std::nullopt;
}

}  // namespace rackproof::judge
