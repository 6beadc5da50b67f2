#include "harness/assemble/reading.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <new>
#include <utility>
#include <variant>

#include "harness/journal/entry_json.hpp"
#include "reports/model/finding_id.hpp"
#include "reports/model/report_json.hpp"
#include "reports/model/words.hpp"

namespace rackproof::assemble {
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

// Reads one journal into the Reading.
class JournalReader {
 public:
  JournalReader(Reading& reading, RankJournal& journal) : reading_(reading), journal_(journal) {}

  void take(const journal::Entry& entry) {
    last_t_ = std::max(last_t_, std::visit(TimeOf{}, entry));
    std::visit(*this, entry);
    if (journal_.rank == 0 && !reading_.segments[journal_.segment].ended) {
      reading_.segments[journal_.segment].seconds = last_t_;
    }
  }

  void operator()(const journal::Other&) {}
  void operator()(const journal::Open& open) {
    journal_.segment = open.segment;
    journal_.rank = open.rank;
    journal_.host = open.host;
    journal_.boot = open.boot;
    journal_.opened_utc = open.utc;
    journal_.opened_monotonic = span(open.monotonic_s);
    if (journal_.rank == 0) reading_.segments[journal_.segment].number = journal_.segment;
  }
  void operator()(const journal::Close& close) {
    journal_.closed = true;
    journal_.close_reason = close.reason;
    journal_.close_utc = close.utc;
  }
  void operator()(const journal::Begin& begin) {
    transcript_of(begin.attempt).take(begin);
    if (begin.head && !begin.head->step.empty()) journal_.last_step = begin.head->step;
  }
  void operator()(const journal::Out& out) { transcript_of(out.attempt).take(out); }
  void operator()(const journal::End& end) { transcript_of(end.attempt).take(end); }
  // What happens to the run as a whole is rank 0's to tell.
  template <class Entry>
  void operator()(const Entry& entry) {
    if (journal_.rank == 0) tell(entry);
  }

 private:
  wire::Transcript& transcript_of(const std::string& nonce) {
    if (!reading_.transcripts.contains(nonce)) {
      reading_.attempt_order.push_back(nonce);
      reading_.segment_of[nonce] = journal_.segment;
    }
    return reading_.transcripts[nonce];
  }

  Segment& segment() { return reading_.segments[journal_.segment]; }

  void tell(const journal::Node& told) {
    // One that is told again is the same host, not another one.
    auto& nodes = reading_.report.nodes;
    std::erase_if(nodes, [&](const auto& known) { return known.host == told.node.host; });
    nodes.push_back(told.node);
  }
  void tell(const journal::Platform& told) {
    reading_.report.platforms.push_back(told.table);
    segment().made_with.platforms[told.table.id] = told.table.digest;
  }
  void tell(const journal::Causes& told) { reading_.report.cause_table = told.table; }
  void tell(const journal::Bound& told) { reading_.report.bounds.push_back(told.bound); }
  void tell(const journal::HostPlatform& told) {
    reading_.report.platform_of_host[told.host] = told.platform;
    segment().made_with.platform_of_host = reading_.report.platform_of_host;
  }
  void tell(const journal::PlanStep& told) { reading_.report.steps.push_back(told.step); }
  void tell(const journal::Cell& told) { reading_.report.cells.push_back(told.cell); }
  void tell(const journal::History& told) { reading_.report.history.push_back(told.history); }
  void tell(const journal::Planned& told) {
    const model::Report& report = reading_.report;
    segment().planned =
        told.steps == std::ssize(report.steps) && told.cells == std::ssize(report.cells);
    reading_.plan_is_whole = segment().planned;
  }
  void tell(const journal::Finding& told) {
    // A resumed run finds again what was found before.
    auto& known = reading_.report.findings;
    std::erase_if(known, [&](const auto& one) { return is_earlier_of(one, told.finding); });
    if (std::find(known.begin(), known.end(), told.finding) == known.end()) {
      known.push_back(told.finding);
    }
  }
  void tell(const journal::Step& told) {
    HowFar& known = reading_.steps[told.id];
    // What an earlier segment finished stays finished.
    if (known.state == model::StepState::kDone) return;
    known = {told.state, told.reason};
  }
  void tell(const journal::RollCall& told) { reading_.rolls.push_back({told.step, told.missing}); }
  void tell(const journal::RankLost& told) { reading_.lost[told.rank] = {told.why, told.reached}; }
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
    if (!told.arrived) reading_.never_arrived.insert(rank.rank);
    reading_.report.ranks.push_back(std::move(rank));
  }

  void tell(const journal::Run& told) {
    refuse_impossible(told.suite.policy);
    model::Report& report = reading_.report;
    if (reading_.plan_is_whole) reading_.planned = report;
    reading_.plan_is_whole = false;
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
    report.history.clear();
    std::erase_if(report.findings,
                  [](const auto& one) { return one.id == model::finding_id::kHostSetAside; });
    for (model::Finding& finding : report.findings) make_earlier(finding);
    reading_.lost.clear();
    reading_.never_arrived.clear();
    remember(told.run.began_utc);
  }

  void remember(const std::string& began_utc) {
    const model::Report& report = reading_.report;
    model::SegmentInfo& with = segment().made_with;
    with.segment = journal_.segment;
    with.began_utc = began_utc;
    with.command = report.run.command;
    with.tool = report.tool;
    with.suite_digest = report.suite.digest;
    with.platform_choice = report.run.platform_choice;
  }

  Reading& reading_;
  RankJournal& journal_;
  double last_t_ = 0;
};

}  // namespace

namespace {

// A part of a plan is not a plan. A resume that died before its own was whole changed nothing of
// what the run owes; a run that died so began nothing.
void drop_partial_plan(Reading& reading) {
  if (reading.plan_is_whole) return;
  model::Report& report = reading.report;
  if (!reading.planned) {
    // Where a step was begun the plan was whole once, and what is left of it is better than
    // nothing.
    if (!reading.steps.empty()) return;
    report.platforms.clear();
    report.platform_of_host.clear();
    report.steps.clear();
    report.cells.clear();
    report.history.clear();
    return;
  }
  // Nor did its programs give any result.
  report.tool = std::move(reading.planned->tool);
  report.nodes = std::move(reading.planned->nodes);
  report.platforms = std::move(reading.planned->platforms);
  report.platform_of_host = std::move(reading.planned->platform_of_host);
  report.steps = std::move(reading.planned->steps);
  report.cells = std::move(reading.planned->cells);
  report.history = std::move(reading.planned->history);
  if (report.ranks.size() < reading.planned->ranks.size()) {
    report.ranks = std::move(reading.planned->ranks);
  }
}

}  // namespace

bool is_gathered(const std::string& name) { return name.find(".gathered.") != std::string::npos; }

const RankJournal* journal_of(const Reading& reading, int segment, int rank) {
  for (const RankJournal& journal : reading.journals) {
    if (journal.segment == segment && journal.rank == rank) return &journal;
  }
  return nullptr;
}

Reading read(const std::vector<JournalFile>& files) {
  std::vector<const JournalFile*> order;
  std::set<std::string> own;
  for (const JournalFile& file : files) {
    order.push_back(&file);
    if (!is_gathered(file.name)) own.insert(file.name.substr(0, file.name.rfind(".jsonl")));
  }
  std::sort(order.begin(), order.end(),
            [](const JournalFile* a, const JournalFile* b) { return a->name < b->name; });
  Reading reading;
  for (const JournalFile* file : order) {
    if (is_gathered(file->name) &&
        own.contains(file->name.substr(0, file->name.rfind(".gathered.")))) {
      continue;
    }
    RankJournal journal;
    journal.name = file->name;
    JournalReader reader(reading, journal);
    std::vector<wire::Damage> unreadable;
    wire::JournalScan scan([&](const wire::Line& line) {
      try {
        reader.take(journal::entry_from_json(line.body));
      } catch (const std::bad_alloc&) {
        throw;  // not the line's fault, and half of it may have been taken
      } catch (const std::exception& error) {
        unreadable.push_back(
            {line.number, false, "holds a '" + line.kind() + "' that is none: " + error.what()});
      }
    });
    Summing sum;
    const auto take = [&](std::string_view part) {
      sum.feed(part);
      scan.feed(part);
    };
    if (file->parts) {
      file->parts(take);
    } else {
      take(file->bytes);
    }
    journal.damages = scan.finish();
    journal.whole = sum.whole();
    journal.without_close = sum.without_close();
    journal.damages.insert(journal.damages.end(), unreadable.begin(), unreadable.end());
    reading.journals.push_back(std::move(journal));
  }
  if (reading.report.run.id.empty()) throw NoRun("no journal here says how a run began");
  drop_partial_plan(reading);
  return reading;
}

}  // namespace rackproof::assemble
