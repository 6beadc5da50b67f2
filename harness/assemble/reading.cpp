#include "harness/assemble/reading.hpp"

#include <algorithm>
#include <functional>
#include <new>
#include <utility>

#include "reports/model/finding_id.hpp"
#include "reports/model/report_json.hpp"
#include "reports/model/words.hpp"

namespace rackproof::assemble {
namespace {

using nlohmann::json;

std::string text_of(const json& body, const char* name) {
  const auto found = body.find(name);
  return found != body.end() && found->is_string() ? found->get<std::string>() : "";
}

int integer_of(const json& body, const char* name) {
  const auto found = body.find(name);
  return found != body.end() && found->is_number_integer() ? found->get<int>() : 0;
}

double number_of(const json& body, const char* name) {
  const auto found = body.find(name);
  return found != body.end() && found->is_number() ? found->get<double>() : 0;
}

bool flag_of(const json& body, const char* name) {
  const auto found = body.find(name);
  return found != body.end() && found->is_boolean() && found->get<bool>();
}

// A time span in seconds, 0 when it is none: sums of them have to stay numbers.
double seconds_of(const json& body, const char* name) {
  constexpr double kMost = 1e12;
  const double seconds = number_of(body, name);
  return seconds >= 0 && seconds <= kMost ? seconds : 0;
}

std::string document(const json& body, const char* name) {
  const auto found = body.find(name);
  if (found == body.end()) throw model::BadReport(std::string("no field ") + name);
  return found->dump();
}

// What the judge would refuse.
void refuse_impossible(const model::JudgePolicy& policy) {
  const auto is_share = [](double value) { return value > 0 && value < 1; };
  if (is_share(policy.confidence) && is_share(policy.family_alpha)) return;
  throw model::BadReport("suite/policy: confidence and family_alpha must lie between 0 and 1");
}

bool counts(const json& body, const char* name, std::size_t actual) {
  const auto found = body.find(name);
  return found != body.end() && found->is_number_integer() && *found == actual;
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

// Reads one journal into the Reading.
class JournalReader {
 public:
  JournalReader(Reading& reading, RankJournal& journal) : reading_(reading), journal_(journal) {}

  void take(const wire::Entry& entry) {
    last_t_ = std::max(last_t_, seconds_of(entry.body, "t"));
    if (entry.j == "open") {
      journal_.segment = integer_of(entry.body, "segment");
      journal_.rank = integer_of(entry.body, "rank");
      journal_.host = text_of(entry.body, "host");
      journal_.boot = text_of(entry.body, "boot");
      journal_.opened_utc = text_of(entry.body, "utc");
      journal_.opened_monotonic = seconds_of(entry.body, "monotonic_s");
      if (journal_.rank == 0) reading_.segments[journal_.segment].number = journal_.segment;
    } else if (entry.j == "close") {
      journal_.closed = true;
      journal_.close_reason = model::reason_of<model::CloseReason>(text_of(entry.body, "reason"));
      journal_.close_utc = text_of(entry.body, "utc");
    } else if (entry.j == "begin" || entry.j == "out" || entry.j == "end") {
      take_attempt(entry);
    } else if (journal_.rank == 0) {
      take_control(entry.j, entry.body);
    }
    if (journal_.rank == 0 && !reading_.segments[journal_.segment].ended) {
      reading_.segments[journal_.segment].seconds = last_t_;
    }
  }

 private:
  void take_attempt(const wire::Entry& entry) {
    const std::string nonce = text_of(entry.body, "attempt");
    if (!reading_.transcripts.contains(nonce)) {
      reading_.attempt_order.push_back(nonce);
      reading_.segment_of[nonce] = journal_.segment;
    }
    reading_.transcripts[nonce].take(entry);
    const auto head = entry.body.find("head");
    if (entry.j != "begin" || head == entry.body.end() || !head->is_object()) return;
    if (std::string step = text_of(*head, "step"); !step.empty()) journal_.last_step = step;
  }

  void take_control(const std::string& j, const json& body) {
    model::Report& report = reading_.report;
    Segment& segment = reading_.segments[journal_.segment];
    if (j == "run") {
      take_run(body);
      remember(segment);
    } else if (j == "rank") {
      take_rank(body);
    } else if (j == "node") {
      // One that is told again is the same host, not another one.
      model::NodeInventory node = model::node_from_json(document(body, "node"));
      std::erase_if(report.nodes, [&](const auto& known) { return known.host == node.host; });
      report.nodes.push_back(std::move(node));
    } else if (j == "platform") {
      report.platforms.push_back(model::platform_from_json(document(body, "table")));
      const model::PlatformTable& table = report.platforms.back();
      segment.made_with.platforms[table.id] = table.digest;
    } else if (j == "causes") {
      report.cause_table = model::cause_table_from_json(document(body, "table"));
    } else if (j == "bound") {
      report.bounds.push_back(model::bound_from_json(document(body, "bound")));
    } else if (j == "host_platform") {
      report.platform_of_host[text_of(body, "host")] = text_of(body, "platform");
      segment.made_with.platform_of_host = report.platform_of_host;
    } else if (j == "plan_step") {
      report.steps.push_back(model::step_from_json(document(body, "step")));
    } else if (j == "cell") {
      report.cells.push_back(model::cell_from_json(document(body, "cell")));
    } else if (j == "history") {
      report.history.push_back(model::history_from_json(document(body, "history")));
    } else if (j == "planned") {
      segment.planned =
          counts(body, "steps", report.steps.size()) && counts(body, "cells", report.cells.size());
      reading_.plan_is_whole = segment.planned;
    } else if (j == "finding") {
      model::Finding finding = model::finding_from_json(document(body, "finding"));
      // A resumed run finds again what was found before.
      auto& known = report.findings;
      std::erase_if(known, [&finding](const auto& one) { return is_earlier_of(one, finding); });
      if (std::find(known.begin(), known.end(), finding) == known.end()) {
        known.push_back(std::move(finding));
      }
    } else if (j == "step") {
      take_step(body);
    } else if (j == "roll_call") {
      reading_.rolls.push_back({text_of(body, "step"), body.value("missing", std::vector<int>())});
    } else if (j == "rank_lost") {
      reading_.lost[integer_of(body, "rank")] = {text_of(body, "why"), text_of(body, "reached")};
    } else if (j == "stopping") {
      // Said at once, while the end of the run may be cut off by whoever asked for it.
      segment.interrupted = true;
      segment.stopping_utc = text_of(body, "utc");
    } else if (j == "ended") {
      segment.ended = true;
      segment.completed = flag_of(body, "completed");
      segment.interrupted = flag_of(body, "interrupted");
      segment.seconds = seconds_of(body, "seconds");
      segment.ended_utc = text_of(body, "utc");
    }
  }

  void take_run(const json& body) {
    model::ToolInfo tool = model::tool_from_json(document(body, "tool"));
    model::RunInfo run = model::run_from_json(document(body, "run"));
    model::SuiteInfo suite = model::suite_from_json(document(body, "suite"));
    refuse_impossible(suite.policy);
    model::Report& report = reading_.report;
    if (reading_.plan_is_whole) reading_.planned = report;
    reading_.plan_is_whole = false;
    const std::string began = report.run.began_utc;
    began_utc_ = run.began_utc;
    report.tool = std::move(tool);
    report.run = std::move(run);
    report.suite = std::move(suite);
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
  }

  void remember(Segment& segment) const {
    const model::Report& report = reading_.report;
    model::SegmentInfo& with = segment.made_with;
    with.segment = journal_.segment;
    with.began_utc = began_utc_;
    with.command = report.run.command;
    with.tool = report.tool;
    with.suite_digest = report.suite.digest;
    with.platform_choice = report.run.platform_choice;
  }

  void take_rank(const json& body) {
    model::RankInfo rank;
    rank.rank = integer_of(body, "rank");
    rank.host = text_of(body, "host");
    rank.local_rank = integer_of(body, "local_rank");
    rank.pid = integer_of(body, "pid");
    rank.journal = text_of(body, "journal");
    if (!flag_of(body, "arrived")) reading_.never_arrived.insert(rank.rank);
    reading_.report.ranks.push_back(std::move(rank));
  }

  void take_step(const json& body) {
    const std::string word = text_of(body, "state");
    const auto state = model::enumerator_of<model::StepState>(word);
    if (!state) throw model::BadReport("a step has no state '" + word + "'");
    HowFar& known = reading_.steps[text_of(body, "id")];
    // What an earlier segment finished stays finished.
    if (known.state == model::StepState::kDone) return;
    known = {*state, model::reason_of<model::StepReason>(text_of(body, "reason"))};
  }

  Reading& reading_;
  RankJournal& journal_;
  double last_t_ = 0;
  std::string began_utc_;  ///< of this part of the run
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
    wire::JournalScan scan([&](const wire::Entry& entry) {
      try {
        reader.take(entry);
      } catch (const std::bad_alloc&) {
        throw;  // not the line's fault, and half of it may have been taken
      } catch (const std::exception& error) {
        unreadable.push_back(
            {entry.line, false, "holds a '" + entry.j + "' that is none: " + error.what()});
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
