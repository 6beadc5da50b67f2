#include "harness/evidence/votes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "harness/evidence/evidence.hpp"
#include "harness/evidence/reasons.hpp"
#include "reports/model/fact_name.hpp"
#include "reports/model/finding_id.hpp"

namespace rackproof::evidence {
namespace {

constexpr std::size_t kLeastVoters = 3;
constexpr std::size_t kDigestShown = 16;

using Texts = std::map<std::string, std::string>;

/// Step, check, kind of device; arguments, version, build and libraries of the bench.
using Question = std::tuple<std::string, std::string, std::string, std::vector<std::string>,
                            std::string, Texts, Texts>;

struct Voter {
  std::set<std::string> digests;
  std::vector<const model::Attempt*> attempts;
};

/// By the name of the voter.
using Voters = std::map<std::string, Voter>;

/// What tells members of one question apart is no part of it.
std::vector<std::string> shared_arguments(const model::Attempt& attempt) {
  std::vector<std::string> shared;
  for (std::size_t i = 0; i < attempt.arguments.size(); ++i) {
    const std::string& word = attempt.arguments[i];
    if (word == "--device" || word == "--rank") {
      ++i;
    } else {
      shared.push_back(word);
    }
  }
  return shared;
}

/// "NVIDIA H200", or the model of the processor; nothing when the inventory does not say.
std::string kind_of(const Context& context, const model::Attempt& attempt) {
  const model::NodeInventory* node = context.node(attempt.host);
  if (node == nullptr) return "";
  const std::string uuid = model::device_of(attempt);
  if (uuid.empty()) return model::text_of(*node, model::fact_name::kCpuModel).value_or("");
  return std::string(context.device_name(attempt.host, uuid));
}

std::string name_of_voter(const model::Attempt& attempt) {
  const std::string device = model::device_of(attempt);
  std::string name = device.empty() ? attempt.host : attempt.host + "/" + device;
  if (attempt.members > 0) {
    name += fmt::format(" (member {} of {})", attempt.member, model::label(attempt.subject));
  }
  return name;
}

std::map<Question, Voters> collect(const Context& context) {
  std::map<Question, Voters> questions;
  for (const model::Attempt& attempt : context.report().attempts) {
    if (!is_whole(attempt) || attempt.narrows) continue;
    const std::string kind = kind_of(context, attempt);
    if (kind.empty()) continue;
    for (const model::CheckResult& check : attempt.checks) {
      if (check.digest.empty() || is_failed(check)) continue;
      Voter& voter =
          questions[{attempt.step, check.name, kind, shared_arguments(attempt), attempt.version,
                     attempt.build, attempt.libraries}][name_of_voter(attempt)];
      voter.digests.insert(check.digest);
      voter.attempts.push_back(&attempt);
    }
  }
  return questions;
}

std::string shown(const std::string& digest) { return digest.substr(0, kDigestShown); }

model::Finding finding_of_vote(const char* id, const Question& question, const std::string& subject,
                               const std::string& text) {
  model::Finding finding;
  finding.id = id;
  finding.severity = model::Severity::kError;
  finding.subject = subject;
  finding.step = std::get<0>(question);
  finding.text = text;
  finding.evidence = {{"check", std::get<1>(question)}, {"kind", std::get<2>(question)}};
  return finding;
}

/// The digest of more than half of at least three voters; empty when there is none.
std::string majority(const std::map<std::string, std::size_t>& counts, std::size_t voters) {
  for (const auto& [digest, count] : counts) {
    if (voters >= kLeastVoters && 2 * count > voters) return digest;
  }
  return "";
}

class Poll {
 public:
  Poll(const Question& question, const Voters& voters, std::vector<Votes::Condemned>& condemned,
       std::vector<model::Finding>& findings)
      : question_(question), voters_(voters), condemned_(condemned), findings_(findings) {}

  void count() {
    std::map<std::string, std::size_t> counts;
    std::size_t steady = 0;
    for (const auto& [name, voter] : voters_) {
      if (voter.digests.size() > 1) {
        condemn(name, voter,
                fmt::format("it gave {} digests of one answer in its own attempts",
                            voter.digests.size()));
      } else {
        ++counts[*voter.digests.begin()];
        ++steady;
      }
    }
    if (counts.size() < 2) return;
    const std::string right = majority(counts, steady);
    if (right.empty()) return tie(counts.size(), steady);
    for (const auto& [name, voter] : voters_) {
      if (voter.digests.size() > 1 || voter.digests.contains(right)) continue;
      condemn(name, voter,
              fmt::format("result digest {} differs from {}, on which {} of {} {} agree",
                          shown(*voter.digests.begin()), shown(right), counts[right], steady,
                          std::get<2>(question_)));
    }
  }

 private:
  void condemn(const std::string& name, const Voter& voter, const std::string& why) {
    const std::string text = fmt::format("{}, check {}: {}", name, std::get<1>(question_), why);
    findings_.push_back(finding_of_vote(model::finding_id::kDigestMismatch, question_, name, text));
    condemned_.push_back({std::get<1>(question_), voter.attempts,
                          verdict(model::Outcome::kFail, reason_id::kDigestMismatch, text)});
  }

  void tie(std::size_t digests, std::size_t steady) {
    const std::string text = fmt::format(
        "check {}: {} {} gave {} different digests of one answer, and none has more than "
        "half of at least {}: nobody can tell which is right",
        std::get<1>(question_), steady, std::get<2>(question_), digests, kLeastVoters);
    std::string names;
    for (const auto& [name, voter] : voters_) names += (names.empty() ? "" : ", ") + name;
    findings_.push_back(
        finding_of_vote(model::finding_id::kDigestUndecided, question_, names, text));
    for (const auto& [name, voter] : voters_) {
      condemned_.push_back({std::get<1>(question_), voter.attempts,
                            verdict(model::Outcome::kUntested, reason_id::kDigestUndecided, text)});
    }
  }

  const Question& question_;
  const Voters& voters_;
  std::vector<Votes::Condemned>& condemned_;
  std::vector<model::Finding>& findings_;
};

}  // namespace

Votes::Votes(const Context& context) {
  for (const auto& [question, voters] : collect(context)) {
    Poll(question, voters, condemned_, findings_).count();
  }
}

std::vector<Reach> Votes::reached(Courses& courses, const model::Cell& cell) const {
  std::vector<Reach> found;
  for (std::size_t i = 0; i < condemned_.size(); ++i) {
    const Condemned& voter = condemned_[i];
    if (cell.step != voter.attempts.front()->step) continue;
    const std::vector<const model::Attempt*>& attempts = courses.of(cell).attempts;
    const bool concerned = std::any_of(
        voter.attempts.begin(), voter.attempts.end(), [&](const model::Attempt* attempt) {
          // Attempts lie in one vector: their addresses are their order in the report.
          return std::binary_search(attempts.begin(), attempts.end(), attempt);
        });
    if (!concerned) continue;
    const bool by_check =
        std::any_of(cell.measurements.begin(), cell.measurements.end(),
                    [&](const auto& one) { return one.check.name == voter.check; });
    found.push_back({i, 0, by_check});
  }
  return found;
}

}  // namespace rackproof::evidence
