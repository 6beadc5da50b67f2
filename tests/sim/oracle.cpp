#include "tests/sim/oracle.hpp"
#include "reports/model/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace rackproof::sim {
namespace {

using config::Placement;
using model::Outcome;

/// The attempts of one cell that were made together.
struct Round {
  std::vector<const Happened*> attempts;
  int order = 0;
};

class Oracle {
 public:
  explicit Oracle(const Exhibit& exhibit) : it_(exhibit) {
    for (const auto& file : it_.journals) files_["/run/" + file.name] = file.bytes;
    int order = 0;
    for (const Happened& one : it_.ledger.attempts) {
      if (one.narrows) continue;
      Round& round = rounds_[one.step + "|" + one.subject][{one.segment, one.number}];
      if (round.attempts.empty()) round.order = ++order;
      round.attempts.push_back(&one);
    }
  }

  std::vector<std::string> judge() {
    look_at_cells();
    look_at_acceptance();
    look_at_ranks();
    look_at_findings();
    return std::move(objections_);
  }

 private:
  void object(const std::string& what) { objections_.push_back(what); }

  /// True when the text, which ended there when it was written, is in a journal of the report.
  bool is_visible(const Happened& one, std::size_t at, const std::string& text) const {
    if (at == 0) return false;
    if (const auto own = files_.find(one.journal); own != files_.end()) {
      return own->second.size() >= at;
    }
    std::string copy = one.journal;
    copy.replace(copy.rfind(".jsonl"), 6, ".gathered.jsonl");
    const auto gathered = files_.find(copy);
    return gathered != files_.end() && gathered->second.find(text) != std::string_view::npos;
  }

  /// Durable in some journal, so that no later loss can take it back.
  bool is_acknowledged(const Happened& one) const {
    const auto& disk = *it_.disks[static_cast<std::size_t>(one.host)];
    const auto durable = disk.durable.find(one.journal);
    return one.end_at > 0 && durable != disk.durable.end() && durable->second >= one.end_at;
  }

  static bool is_whole(const Round& round) {
    std::set<int> members;
    for (const Happened* one : round.attempts) {
      if (!facts_of(one->deed).proven || !one->own_end) return false;
      members.insert(one->member);
    }
    const int wanted = std::max(1, round.attempts.front()->members);
    return static_cast<int>(members.size()) == wanted;
  }

  template <class Test>
  static bool all(const Round& round, Test test) {
    return std::all_of(round.attempts.begin(), round.attempts.end(),
                       [&](const Happened* one) { return test(*one); });
  }

  std::set<std::string> owed() const;
  void look_at_cells();
  void look_at_cell(const model::Cell& cell);
  void look_at_rounds(const model::Cell& cell, const std::map<std::pair<int, int>, Round>& rounds);
  void look_at_acceptance();
  void look_at_ranks();
  void look_at_findings();

  const Exhibit& it_;
  std::map<std::string, std::string_view> files_;
  std::map<std::string, std::map<std::pair<int, int>, Round>> rounds_;
  std::vector<std::string> objections_;
};

// The attempt ends in order and is no reason to try again; its number counts against later ones.
bool is_believed_to_end_well(Deed deed) {
  return facts_of(deed).proven || deed == Deed::kNoCheck || deed == Deed::kEmptyCheck ||
         deed == Deed::kZeroWork || deed == Deed::kFaultFlag;
}

std::string key_of(const model::Cell& cell) { return cell.step + "|" + text_of(cell.subject); }

bool goes_alone(const Scenario& scenario, const config::Step& step) {
  const bool devices = step.backend != "mpi" && step.members == config::Members::kDevices;
  const int on_host = devices ? scenario.devices : scenario.ranks_per_host;
  if (step.placement == Placement::kWorld) return on_host * scenario.hosts <= 1;
  return step.placement == Placement::kGroups && on_host <= 1;
}

// Every cell of the campaign, had every rank come and every survey succeeded.
std::set<std::string> Oracle::owed() const {
  const Scenario& scenario = it_.scenario;
  std::set<std::string> cells;
  for (const config::Step& step : scenario.suite.steps) {
    const bool devices =
        step.placement == Placement::kDevice ||
        (config::is_process_group(step) && step.members == config::Members::kDevices);
    for (int host = 0; host < scenario.hosts; ++host) {
      const std::string name = "host" + std::to_string(host);
      if (step.placement == Placement::kNode || (devices && scenario.devices == 0)) {
        cells.insert(fmt::format("{}|{}||", step.id, name));
      } else if (step.placement == Placement::kDevice) {
        for (int device = 0; device < scenario.devices; ++device) {
          cells.insert(fmt::format("{}|{}|GPU-{}-{}|", step.id, name, host, device));
        }
      } else if (step.placement == Placement::kGroups) {
        cells.insert(fmt::format("{}|||node:{}", step.id, name));
      } else {
        cells.insert(fmt::format("{}|||world", step.id));
      }
    }
  }
  return cells;
}

void Oracle::look_at_cells() {
  std::set<std::string> ids;
  std::set<std::string> keys;
  for (const model::Cell& cell : it_.report.cells) {
    if (!ids.insert(cell.id).second) object("two cells are called " + cell.id);
    keys.insert(key_of(cell));
    look_at_cell(cell);
  }
  const std::set<std::string> all = owed();
  if (it_.report.acceptance == model::Acceptance::kAccepted && keys != all) {
    object("accepted, though it does not list all cells that are owed");
  }
  const Befallen& now = it_.ledger.segments.back();
  if (it_.ledger.segments.size() == 1 && !now.disturbed && !it_.scenario.failing_survey &&
      keys != all) {
    object("nothing went wrong, yet it does not list all cells that are owed");
  }
  // What a whole plan listed stays listed.
  for (const auto& [key, rounds] : rounds_) {
    if (!keys.contains(key)) object("there is no cell of " + key + ", which was tried");
  }
}

void Oracle::look_at_cell(const model::Cell& cell) {
  const Outcome outcome = cell.verdict.outcome;
  if (cell.verdict.reason_id.empty()) object(cell.id + " has no verdict");
  if (outcome == Outcome::kWaived && !goes_alone(it_.scenario, it_.scenario.step(cell.step))) {
    object(cell.id + " is waived without a cause");
  }
  const auto rounds = rounds_.find(key_of(cell));
  if (rounds != rounds_.end()) return look_at_rounds(cell, rounds->second);
  if (model::is_right(outcome) || outcome == Outcome::kFail) {
    object(cell.id + " was never tried, and has a verdict all the same");
  }
}

void Oracle::look_at_rounds(const model::Cell& cell,
                            const std::map<std::pair<int, int>, Round>& rounds) {
  const Outcome outcome = cell.verdict.outcome;
  bool believable = false;
  bool wrong_told = false;
  bool may_fail = false;
  bool only_good = true;
  const Round* last = nullptr;
  for (const auto& [when, round] : rounds) {
    const bool whole = is_whole(round);
    if (whole && all(round, [&](const Happened& one) { return is_acknowledged(one); })) {
      believable = true;
    }
    for (const Happened* one : round.attempts) {
      const bool wrong = facts_of(one->deed).wrong;
      may_fail = may_fail || wrong || one->deed == Deed::kSlow || one->deed == Deed::kNoisy;
      if (one->deed != Deed::kHonest && is_believed_to_end_well(one->deed)) only_good = false;
      if (wrong && is_visible(*one, one->wrong_at, one->wrong_line)) wrong_told = true;
      const bool speaks = one->member == 0;
      const bool acknowledged = one->own_end && facts_of(one->deed).proven && speaks &&
                                is_visible(*one, one->end_at, one->end_line);
      const bool there =
          std::any_of(cell.measurements.begin(), cell.measurements.end(),
                      [&](const model::Measurement& found) { return found.attempt == one->nonce; });
      if (acknowledged && !there) object("the result of " + one->nonce + " is not in the report");
    }
    if (last == nullptr || round.order > last->order) last = &round;
  }
  if (model::is_right(outcome) && !believable) {
    object(cell.id + " passes, though no acknowledged, verified and fresh result is behind it");
  }
  if (wrong_told && outcome != Outcome::kFail) {
    object(cell.id + " does not fail, though a wrong answer is in the journals");
  }
  if (outcome == Outcome::kFail && !may_fail) object(cell.id + " fails without a cause");
  const bool stands = is_whole(*last) && all(*last, [&](const Happened& one) {
                        return is_visible(one, one.end_at, one.end_line);
                      });
  // A host of which nothing could be read has another table, and a group with it has none.
  const bool has_no_table = outcome == Outcome::kUnjudged && it_.scenario.failing_survey &&
                            cell.subject.kind == contract::SubjectKind::kGroup;
  if (stands && only_good && !wrong_told && !model::is_right(outcome) && !has_no_table) {
    object(cell.id + " does not pass, though its last round was good and all of it is journalled");
  }
}

void Oracle::look_at_acceptance() {
  const Befallen& now = it_.ledger.segments.back();
  const model::Report& report = it_.report;
  const bool accepted = report.acceptance == model::Acceptance::kAccepted;
  if (accepted && now.interrupted && report.run.interrupted) {
    object("accepted, though it was interrupted");
  }
  if (accepted && now.rank0_gone && !now.ended) object("accepted, though rank 0 was lost");
  if (accepted && now.refused) object("accepted, though the resume was refused");
  // A rank that has nothing to do any more and a disk of its own is missed by nobody.
  if (accepted && it_.is_last && !now.crashed.empty() && it_.scenario.shared_disk) {
    object("accepted, though ranks were lost");
  }
  for (const model::Cell& cell : report.cells) {
    if (!accepted || !cell.required) continue;
    const Outcome outcome = cell.verdict.outcome;
    if (!model::is_right(outcome) && outcome != Outcome::kWaived) {
      object("accepted, though " + cell.id + " neither passes nor is waived");
    }
  }
  const bool any_pass =
      std::any_of(report.cells.begin(), report.cells.end(), [](const model::Cell& cell) {
        return cell.required && model::is_right(cell.verdict.outcome);
      });
  const bool owes_devices =
      std::any_of(report.cells.begin(), report.cells.end(), [](const model::Cell& cell) {
        return cell.required && cell.verdict.reason_id == "no-device";
      });
  if (it_.scenario.is_calm() && any_pass && !owes_devices && !accepted &&
      it_.scenario.devices > 0) {
    object("nothing went wrong, yet it is not accepted: " + report.acceptance_reason);
  }
}

void Oracle::look_at_ranks() {
  const Befallen& now = it_.ledger.segments.back();
  // Ranks whose journals nobody can see, or that still close them, may be fine and cannot be known
  // to be. Where rank 0 did not get as far as to say who is there, what was said last holds.
  const bool blind = (now.rank0_gone || now.rescued) && (!it_.scenario.shared_disk || !it_.is_last);
  std::set<int> suspects = now.hurt;
  if (now.rank0_gone || now.rescued) {
    for (const Befallen& segment : it_.ledger.segments) {
      suspects.insert(segment.hurt.begin(), segment.hurt.end());
    }
  }
  for (const model::RankInfo& rank : it_.report.ranks) {
    const bool named =
        rank.state == model::RankState::kLost || rank.state == model::RankState::kNeverArrived;
    const bool unheard = now.rank0_gone && !now.came.contains(rank.rank);
    if (named && !suspects.contains(rank.rank) && !blind && !now.refused && !unheard) {
      object(fmt::format("rank {} is called {}, and nothing was done to it: {}", rank.rank,
                         contract::word(rank.state), rank.detail));
    }
    if (it_.is_last && !named && now.crashed.contains(rank.rank) && it_.scenario.shared_disk &&
        !now.refused && now.came.contains(0) && now.came.contains(rank.rank)) {
      object(
          fmt::format("rank {} was lost and is called {}", rank.rank, contract::word(rank.state)));
    }
  }
}

void Oracle::look_at_findings() {
  const Befallen& now = it_.ledger.segments.back();
  std::set<int> suspects = now.hurt;
  for (const Befallen& segment : it_.ledger.segments) {
    suspects.insert(segment.hurt.begin(), segment.hurt.end());
  }
  std::set<std::string> bad;
  for (const Happened& one : it_.ledger.attempts) {
    if (!facts_of(one.deed).proven) bad.insert(one.step + "|" + std::to_string(one.rank));
  }
  for (const model::Finding& finding : it_.report.findings) {
    if (finding.id != "group-failed") continue;
    const auto rank = finding.evidence.find("rank");
    if (rank == finding.evidence.end()) continue;
    const auto* number = std::get_if<std::int64_t>(&rank->second);
    if (number == nullptr) continue;
    const bool known = suspects.contains(static_cast<int>(*number)) ||
                       bad.contains(finding.step + "|" + std::to_string(*number));
    if (!known) object("a group blames rank " + std::to_string(*number) + ": " + finding.text);
  }
}

}  // namespace

std::vector<std::string> object_to(const Exhibit& exhibit) { return Oracle(exhibit).judge(); }

std::string essence_of(const Scenario& scenario, const model::Report& report) {
  std::string out = std::to_string(static_cast<int>(report.acceptance)) + "\n";
  for (const model::StepInfo& step : report.steps) {
    out += fmt::format("step {} {} {}\n", step.id, contract::word(step.state),
                       model::to_text(step.reason));
  }
  for (const model::Cell& cell : report.cells) {
    // Which members of a group come to an end before they are cancelled is a matter of moments.
    const bool group = !text_of(cell.subject).ends_with("|");
    if (group && scenario.bad_deeds > 0) continue;
    out += fmt::format("{} {} {}\n", cell.id, static_cast<int>(cell.verdict.outcome),
                       cell.verdict.reason_id);
  }
  for (const auto& [host, platform] : report.platform_of_host) out += host + " " + platform + "\n";
  for (const model::RankInfo& rank : report.ranks) {
    out += fmt::format("rank {} {} {}\n", rank.rank, rank.host, contract::word(rank.state));
  }
  return out;
}

}  // namespace rackproof::sim
