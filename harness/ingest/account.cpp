#include "harness/ingest/account.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include "harness/ingest/set_back.hpp"
#include "reports/json/report_json.hpp"
#include "reports/model/finding_id.hpp"

namespace rackproof::ingest {
namespace {

// A time span in seconds, 0 when it is none: sums of them have to stay numbers.
double span(double seconds) {
  constexpr double kMost = 1e12;
  return seconds >= 0 && seconds <= kMost ? seconds : 0;
}

// What the judge would refuse.
void refuse_impossible(const model::JudgePolicy& policy) {
  const auto is_share = [](double value) { return value > 0 && value < 1; };
  if (is_share(policy.confidence) && is_share(policy.family_alpha)) return;
  throw model::BadReport("suite/policy: confidence and family_alpha must lie between 0 and 1");
}

constexpr const char* kEarlier = "earlier";

// How hosts are set up is looked at again when a run is continued. What was so before and is not
// any more explains what was measured before, and no longer keeps anybody out.
void make_earlier(model::Finding& finding) {
  const bool about_setup = finding.id == model::finding_id::kConfigMismatch ||
                           finding.id == model::finding_id::kIdentityShared;
  if (!about_setup || finding.evidence.contains(kEarlier)) return;
  finding.severity = std::min(finding.severity, model::Severity::kWarning);
  finding.text += "; found before the run was continued, and not any more";
  finding.evidence[kEarlier] = true;
}

bool is_earlier_of(const model::Finding& known, const model::Finding& finding) {
  if (!known.evidence.contains(kEarlier)) return false;
  const auto fact = finding.evidence.find("fact");
  const auto same = known.evidence.find("fact");
  return known.id == finding.id && known.subject == finding.subject &&
         fact != finding.evidence.end() && same != known.evidence.end() &&
         fact->second == same->second;
}

/// When an entry was written, where it says so.
struct TimeOf {
  template <class Entry>
  double operator()(const Entry& entry) const {
    if constexpr (requires { entry.t; }) {
      return span(entry.t);
    } else {
      return 0;
    }
  }
};

// What the warden ends because its rank is gone is lost with the rank, not cancelled.
void name_the_loss(model::Attempt& attempt) {
  const auto* cancelled = std::get_if<model::ending::Cancelled>(&attempt.ending);
  if (cancelled == nullptr || cancelled->by.id != model::CancelReason::kRankGone) return;
  attempt.ending = model::ending::RankLost{
      fmt::format("rank {} on {} vanished while it ran", attempt.rank, attempt.host)};
}

std::vector<model::Measurement>& list_of(const model::Attempt& attempt, model::Cell& cell) {
  return attempt.confirms ? cell.confirmations : cell.measurements;
}

// Each number is held once: with its cell.
void place(model::Attempt& attempt, Account& account) {
  if (attempt.narrows) return attempt.measurements.clear();
  const auto& steps = account.report.steps;
  const bool known = std::any_of(steps.begin(), steps.end(),
                                 [&](const auto& step) { return step.id == attempt.step; });
  if (!known) return;
  std::vector<model::Measurement> strangers;
  for (model::Measurement& one : attempt.measurements) {
    const auto at = account.cell_at.find({attempt.step, one.subject, one.metric, one.parameters});
    if (at == account.cell_at.end()) {
      strangers.push_back(std::move(one));
    } else {
      list_of(attempt, account.report.cells[at->second]).push_back(std::move(one));
    }
  }
  attempt.measurements = std::move(strangers);
}

void place_all(Account& account) {
  for (model::Attempt& attempt : account.report.attempts) place(attempt, account);
}

void index_cells(Account& account) {
  account.cell_at.clear();
  for (std::size_t i = 0; i < account.report.cells.size(); ++i) {
    const model::Cell& cell = account.report.cells[i];
    account.cell_at.try_emplace({cell.step, cell.subject, cell.metric, cell.parameters}, i);
  }
}

model::Report without_attempts(model::Report& report) {
  std::vector<model::Attempt> attempts = std::exchange(report.attempts, {});
  model::Report copy = report;
  report.attempts = std::move(attempts);
  return copy;
}

// Nothing more will be said of the attempt.
const model::Attempt* settle(Transcript&& transcript, const std::string& nonce, Account& account) {
  model::Attempt attempt = transcript.take_attempt();
  // One of no step is not a measurement: the inventory, a recorder.
  if (attempt.step.empty()) {
    account.others[nonce] = std::move(transcript);
    return nullptr;
  }
  attempt.resumed = account.segment_of[nonce] - 1;
  // What a repair found unfinished is nothing to keep.
  if (account.segment_of[nonce] < account.repaired_in) return nullptr;
  name_the_loss(attempt);
  const Oddities odd{transcript.dropped_output(), transcript.leftovers(), transcript.oom_kills()};
  if (odd.dropped_output || odd.leftovers > 0 || odd.oom_kills > 0) account.odd[nonce] = odd;
  account.report.attempts.push_back(std::move(attempt));
  if (account.plan_is_whole) place(account.report.attempts.back(), account);
  return &account.report.attempts.back();
}

// Takes one entry into the account.
class Taker {
 public:
  Taker(JournalHead& from, Account& account) : from_(from), account_(account) {}

  void take(const journal::Entry& entry) {
    from_.last_t = std::max(from_.last_t, std::visit(TimeOf{}, entry));
    std::visit(*this, entry);
    if (from_.rank == 0 && !account_.segments[from_.segment].ended) {
      account_.segments[from_.segment].seconds = from_.last_t;
    }
  }

  void operator()(const journal::Other&) {}
  void operator()(const journal::Open& open) {
    from_.segment = open.segment;
    from_.rank = open.rank;
    from_.host = open.host;
    from_.boot = open.boot;
    from_.opened_utc = open.utc;
    from_.opened_monotonic = span(open.monotonic_s);
    if (from_.rank == 0) account_.segments[from_.segment].number = from_.segment;
  }
  void operator()(const journal::Close& close) {
    from_.closed = true;
    from_.close_reason = close.reason;
    from_.close_utc = close.utc;
  }
  void operator()(const journal::Begin& begin) {
    take_of(begin);
    if (begin.head && !begin.head->step.empty()) from_.last_step = begin.head->step;
  }
  void operator()(const journal::Out& out) { take_of(out); }
  void operator()(const journal::End& end) { take_of(end); }
  // What happens to the run as a whole is rank 0's to tell.
  template <class Entry>
  void operator()(const Entry& entry) {
    if (from_.rank == 0) tell(entry);
  }

 private:
  template <class Entry>
  void take_of(const Entry& entry) {
    if (account_.segment_of.try_emplace(entry.attempt, from_.segment).second) {
      account_.running[entry.attempt];
    }
    const auto found = account_.running.find(entry.attempt);
    if (found == account_.running.end()) return;
    found->second.take(entry);
    if (!found->second.over()) return;
    Transcript whole = std::move(found->second);
    account_.running.erase(found);
    settle(std::move(whole), entry.attempt, account_);
  }

  Segment& segment() { return account_.segments[from_.segment]; }

  void tell(const journal::Node& told) {
    // One that is told again is the same host, not another one.
    auto& nodes = account_.report.nodes;
    std::erase_if(nodes, [&](const auto& known) { return known.host == told.node.host; });
    nodes.push_back(told.node);
  }
  void tell(const journal::Platform& told) {
    account_.report.platforms.push_back(told.table);
    segment().made_with.platforms[told.table.id] = told.table.digest;
  }
  void tell(const journal::Causes& told) { account_.report.cause_table = told.table; }
  void tell(const journal::Bound& told) { account_.report.bounds.push_back(told.bound); }
  void tell(const journal::HostPlatform& told) {
    account_.report.platform_of_host[told.host] = told.platform;
    segment().made_with.platform_of_host = account_.report.platform_of_host;
  }
  void tell(const journal::PlanStep& told) { account_.report.steps.push_back(told.step); }
  void tell(const journal::Cell& told) {
    const model::Cell& cell = told.cell;
    account_.cell_at.try_emplace({cell.step, cell.subject, cell.metric, cell.parameters},
                                 account_.report.cells.size());
    account_.report.cells.push_back(cell);
  }
  void tell(const journal::History& told) { account_.report.history.push_back(told.history); }
  void tell(const journal::Planned& told) {
    const model::Report& report = account_.report;
    segment().planned =
        told.steps == std::ssize(report.steps) && told.cells == std::ssize(report.cells);
    account_.plan_is_whole = segment().planned;
    if (account_.plan_is_whole) place_all(account_);
  }
  void tell(const journal::Finding& told) {
    // A resumed run finds again what was found before.
    auto& known = account_.report.findings;
    std::erase_if(known, [&](const auto& one) { return is_earlier_of(one, told.finding); });
    if (std::find(known.begin(), known.end(), told.finding) == known.end()) {
      known.push_back(told.finding);
    }
  }
  void tell(const journal::Step& told) {
    HowFar& known = account_.steps[told.id];
    // What an earlier segment finished stays finished.
    if (known.state == model::StepState::kDone) return;
    known = {told.state, told.reason};
  }
  void tell(const journal::RollCall& told) { account_.rolls.push_back({told.step, told.missing}); }
  void tell(const journal::RankLost& told) { account_.lost[told.rank] = {told.why, told.reached}; }
  void tell(const journal::Stopping& told) {
    // Said at once, while the end of the run may be cut off by whoever asked for it.
    segment().interrupted = true;
    segment().stopping_utc = told.utc;
  }
  void tell(const journal::Ended& told) {
    segment().ended = true;
    segment().completed = told.completed;
    segment().interrupted = told.interrupted;
    segment().seconds = span(told.seconds);
    segment().ended_utc = told.utc;
  }
  void tell(const journal::Rank& told) {
    model::RankInfo rank;
    rank.rank = told.rank;
    rank.host = told.host;
    rank.local_rank = told.local_rank;
    rank.pid = told.pid;
    rank.journal = told.journal;
    if (!told.arrived) account_.never_arrived.insert(rank.rank);
    account_.report.ranks.push_back(std::move(rank));
  }

  // A repair, and what is kept after it.
  template <class Entry>
  void tell(const Entry& told) {
    after_repair(told, from_.segment, account_);
  }
  void tell(const journal::Run& told) {
    refuse_impossible(told.suite.policy);
    model::Report& report = account_.report;
    take_back(account_);
    if (account_.plan_is_whole) account_.planned = without_attempts(report);
    account_.plan_is_whole = false;
    const std::string began = report.run.began_utc;
    report.tool = told.tool;
    report.run = told.run;
    report.suite = told.suite;
    if (!began.empty()) report.run.began_utc = began;
    // A resumed run says everything anew; what counts is the last telling.
    report.cause_table = {};
    report.bounds.clear();
    report.ranks.clear();
    report.nodes.clear();
    report.platforms.clear();
    report.platform_of_host.clear();
    report.steps.clear();
    report.cells.clear();
    account_.cell_at.clear();
    report.history.clear();
    std::erase_if(report.findings,
                  [](const auto& one) { return one.id == model::finding_id::kHostSetAside; });
    for (model::Finding& finding : report.findings) make_earlier(finding);
    account_.lost.clear();
    account_.never_arrived.clear();
    remember(told.run.began_utc);
  }

  void remember(const std::string& began_utc) {
    const model::Report& report = account_.report;
    model::SegmentInfo& with = segment().made_with;
    with.segment = from_.segment;
    with.began_utc = began_utc;
    with.command = report.run.command;
    with.tool = report.tool;
    with.suite_digest = report.suite.digest;
    with.platform_choice = report.run.platform_choice;
  }

  JournalHead& from_;
  Account& account_;
};

// A part of a plan is not a plan. A resume that died before its own was whole changed nothing of
// what the run owes; a run that died so began nothing.
void drop_partial_plan(Account& account) {
  if (account.plan_is_whole) return;
  take_back(account);
  model::Report& report = account.report;
  if (!account.planned) {
    // Where a step was begun the plan was whole once, and what is left of it is better than
    // nothing.
    if (!account.steps.empty()) return index_cells(account);
    report.platforms.clear();
    report.platform_of_host.clear();
    report.steps.clear();
    report.cells.clear();
    report.history.clear();
    return index_cells(account);
  }
  // Nor did its programs give any result.
  report.tool = std::move(account.planned->tool);
  report.nodes = std::move(account.planned->nodes);
  report.platforms = std::move(account.planned->platforms);
  report.platform_of_host = std::move(account.planned->platform_of_host);
  report.steps = std::move(account.planned->steps);
  report.cells = std::move(account.planned->cells);
  report.history = std::move(account.planned->history);
  if (report.ranks.size() < account.planned->ranks.size()) {
    report.ranks = std::move(account.planned->ranks);
  }
  index_cells(account);
}

}  // namespace

void apply(const journal::Entry& entry, JournalHead& from, Account& account) {
  Taker(from, account).take(entry);
}

const model::Attempt* apply(Transcript&& transcript, const JournalHead& from, Account& account) {
  const std::string nonce = transcript.nonce();
  account.segment_of.try_emplace(nonce, from.segment);
  return settle(std::move(transcript), nonce, account);
}

void conclude(Account& account) {
  auto running = std::exchange(account.running, {});
  for (auto& [nonce, transcript] : running) {
    settle(std::move(transcript), nonce, account);
  }
  drop_partial_plan(account);
  place_all(account);
}

}  // namespace rackproof::ingest
