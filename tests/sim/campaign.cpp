#include "tests/sim/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/resume/resume.hpp"
#include "reports/json/report_json.hpp"
#include "reports/model/words.hpp"
#include "tests/sim/cluster.hpp"
#include "tests/sim/mutate.hpp"
#include "tests/sim/oracle.hpp"

namespace rackproof::sim {
namespace {

using Journals = std::vector<assemble::JournalFile>;

/// One that knows the hosts there, and one for those of which nothing could be read.
std::vector<model::PlatformTable> tables() {
  model::Baseline baseline;
  baseline.id = "any/rate";
  baseline.metric = kMetric;
  baseline.expected = kExpected;
  baseline.unit = "B/s";
  baseline.tolerance_below = 0.1;
  baseline.table = "any";
  baseline.source = {"a simulation", "measured-here", "2030-01", "", ""};
  model::PlatformTable out;
  out.id = "any";
  out.title = "Any";
  out.chain = {"any"};
  out.generic = true;
  out.baselines = {baseline};
  model::PlatformTable known = out;
  known.id = "simulated";
  known.chain = {"simulated"};
  known.generic = false;
  known.recognise = {{"cpu.model", {}, "simulated", {}, {}}};
  return {known, out};
}

resume::Request new_request(const Scenario& scenario) {
  resume::Request request;
  request.run_id = "run";
  request.directory = "/run";
  request.suite = scenario.suite;
  request.tables = tables();
  request.tool.version = "1";
  request.tool.commit = "c";
  request.launcher = scenario.ranks() > 1 ? "mpirun" : "solo";
  request.mpi = scenario.ranks() > 1;
  request.in_rank_programs = {"ring-mpi"};
  request.time_budget_seconds = scenario.suite.time_budget_seconds;
  return request;
}

class Campaign {
 public:
  Campaign(const Scenario& scenario, Mutant mutant, bool tracing)
      : scenario_(scenario), mutant_(mutant) {
    ledger_.tracing = tracing;
    const auto shared = std::make_shared<fakes::FakeDisk>();
    for (int host = 0; host < scenario.hosts; ++host) {
      disks_.push_back(scenario.shared_disk ? shared : std::make_shared<fakes::FakeDisk>());
    }
  }

  Result run() {
    std::optional<model::Report> report;
    for (std::size_t i = 0; i < scenario_.segments.size(); ++i) {
      if (i > 0 && (!report || report->run.completed)) break;
      if (i > 0) ++result_.tally.resumed;
      report = play_segment(report, scenario_.segments[i]);
    }
    if (report) compare_with_calm(*report);
    finish(report);
    return std::move(result_);
  }

 private:
  std::optional<model::Report> play_segment(const std::optional<model::Report>& before,
                                            const std::vector<Fault>& faults) {
    resume::Request request = new_request(scenario_);
    if (before) {
      resume::continue_from(*before, request);
      fakes::FakeStore store{disks_.front()};
      request.segment = std::max(before->run.segments, resume::last_segment(store)) + 1;
      // Who resumes gives it the time that it needs.
      request.time_budget_seconds += 1000;
    }
    ledger_.segments.emplace_back();
    for (const auto& disk : disks_) {
      disk->full = false;
      disk->unsyncable.clear();
    }
    if (ledger_.tracing) ledger_.trace += fmt::format("segment {}\n", ledger_.segments.size());
    std::optional<Journals> seen;
    {
      Cluster cluster(scenario_, ledger_, disks_, time_);
      seen = cluster.play(request, faults);
      if (cluster.live()) {
        compare_with_live(*cluster.live());
        // What nobody struck is in the files as rank 0 heard it.
        if (!ledger_.now().disturbed && scenario_.shared_disk) {
          compare_with_live({cluster.live()->account, of_segment(*seen, request.segment)});
        }
      }
    }
    if (seen) examine(*seen, false);
    auto report = examine(journals_on(*disks_.front()), true);
    // Somebody has to start it again.
    time_.now += 30;
    return report;
  }

  std::optional<model::Report> examine(Journals journals, bool is_last) {
    if (mutant_ != Mutant::kLineUnheard) mutate(mutant_, journals);
    model::Report report;
    try {
      report = assemble::assemble(journals);
    } catch (const assemble::NoRun&) {
      const bool promised =
          std::any_of(ledger_.attempts.begin(), ledger_.attempts.end(),
                      [](const Happened& one) { return one.rank == 0 && one.end_at > 0; });
      if (promised && scenario_.shared_disk) blame("journals with results, and no report");
      return std::nullopt;
    }
    if (is_last) require_same_bytes(journals, report);
    Journals truth = journals_on(*disks_.front());
    const Journals& shown = mutant_ == Mutant::kNone ? journals : truth;
    for (const std::string& what :
         object_to({scenario_, ledger_, disks_, shown, report, is_last})) {
      blame(what);
    }
    return report;
  }

  static Journals of_segment(const Journals& journals, int segment) {
    Journals out;
    for (const assemble::JournalFile& file : journals) {
      if (file.name.starts_with(fmt::format("journals/{:04}-", segment))) out.push_back(file);
    }
    return out;
  }

  // Those of the other mutants are for the oracle to see.
  void compare_with_live(Live live) {
    if (mutant_ == Mutant::kLineUnheard) mutate(mutant_, live.heard);
    if (mutant_ != Mutant::kNone && mutant_ != Mutant::kLineUnheard) return;
    if (scenario_.ranks() > 256) return;
    ++result_.tally.live;
    if (const std::string what = differs(live); !what.empty()) {
      ++result_.tally.live_differ;
      blame(what);
    }
  }

  // Whoever assembles the journals, in whatever order, makes the same report.
  void require_same_bytes(Journals journals, const model::Report& report) {
    if (scenario_.ranks() > 256) return;
    std::reverse(journals.begin(), journals.end());
    if (model::to_json(assemble::assemble(journals)) != model::to_json(report)) {
      blame("the same journals made two reports");
    }
  }

  // A number around its limit may fall on either side when it is measured once more.
  bool measured_noise_before() const {
    const int last = static_cast<int>(ledger_.segments.size());
    return std::any_of(ledger_.attempts.begin(), ledger_.attempts.end(), [&](const Happened& one) {
      return one.deed == Deed::kNoisy && one.segment < last;
    });
  }

  // A group that a late message spoiled has failed, and its step is done: no resume does it again.
  static bool has_spoiled_group(const model::Report& report) {
    return std::any_of(report.cells.begin(), report.cells.end(), [](const model::Cell& cell) {
      return cell.verdict.reason_id == "bring-up";
    });
  }

  // The last segment was left alone: it must have come to what the campaign comes to without blows.
  void compare_with_calm(const model::Report& report) {
    const bool comparable = ledger_.segments.size() > 1 && !ledger_.now().disturbed &&
                            !ledger_.now().refused && !scenario_.moody &&
                            !measured_noise_before() && !has_spoiled_group(report) &&
                            mutant_ == Mutant::kNone;
    if (!comparable) return;
    Scenario calm = scenario_;
    calm.segments = {{}};
    calm.suite.time_budget_seconds += 1000;
    Ledger ledger;
    ledger.segments.emplace_back();
    Disks disks(static_cast<std::size_t>(calm.hosts), std::make_shared<fakes::FakeDisk>());
    Time time;
    Cluster cluster(calm, ledger, disks, time);
    const auto journals = cluster.play(new_request(calm), {});
    if (!journals) return blame("the campaign does not come to an end when it is left alone");
    const std::string wanted = essence_of(scenario_, assemble::assemble(*journals));
    const std::string got = essence_of(scenario_, report);
    ++result_.tally.compared;
    if (wanted != got) {
      blame("resumed, it is not what it is uninterrupted.\nresumed:\n" + got + "uninterrupted:\n" +
            wanted);
    }
  }

  void finish(const std::optional<model::Report>& report) {
    Tally& tally = result_.tally;
    tally.campaigns = 1;
    tally.ranks = scenario_.ranks();
    tally.most_ranks = scenario_.ranks();
    tally.struck = ledger_.struck;
    for (const Befallen& segment : ledger_.segments) tally.refused += segment.refused ? 1 : 0;
    if (report) {
      bool passed = false;
      for (const model::Cell& cell : report->cells) {
        ++tally.verdicts[std::string(contract::word(cell.verdict.outcome))];
        passed = passed || model::is_right(cell.verdict.outcome);
        if (ledger_.tracing) {
          ledger_.trace +=
              fmt::format("cell {}: {}, {}: {}\n", cell.id, contract::word(cell.verdict.outcome),
                          cell.verdict.reason_id, cell.verdict.reason);
        }
      }
      ++tally.acceptances[std::string(contract::word(report->acceptance))];
      if (ledger_.tracing) trace_report(*report);
      tally.with_pass = passed ? 1 : 0;
    } else {
      tally.without_report = 1;
    }
    for (const std::string& what : ledger_.violations) blame(what);
    tally.violated = result_.violations.empty() ? 0 : 1;
    result_.trace = std::move(ledger_.trace);
  }

  void trace_report(const model::Report& report) {
    for (const model::StepInfo& step : report.steps) {
      ledger_.trace += fmt::format("step {}: {} {}\n", step.id, contract::word(step.state),
                                   model::to_text(step.reason));
    }
    for (const model::RankInfo& rank : report.ranks) {
      ledger_.trace +=
          fmt::format("rank {}: {} {}\n", rank.rank, contract::word(rank.state), rank.detail);
    }
    for (const model::Finding& finding : report.findings) {
      ledger_.trace +=
          fmt::format("finding {}: {}: {}\n", finding.id, finding.subject, finding.text);
    }
    ledger_.trace += "report: " + report.acceptance_reason + "\n";
  }

  void blame(const std::string& what) {
    result_.violations.push_back(fmt::format("segment {}: {}", ledger_.segments.size(), what));
  }

  const Scenario& scenario_;
  Mutant mutant_;
  Ledger ledger_;
  Disks disks_;
  Time time_;
  Result result_;
};

void add(std::map<std::string, long>& to, const std::map<std::string, long>& from) {
  for (const auto& [name, count] : from) to[name] += count;
}

}  // namespace

void Tally::add(const Tally& other) {
  campaigns += other.campaigns;
  with_pass += other.with_pass;
  resumed += other.resumed;
  refused += other.refused;
  compared += other.compared;
  live += other.live;
  live_differ += other.live_differ;
  without_report += other.without_report;
  most_ranks = std::max(most_ranks, other.most_ranks);
  ranks += other.ranks;
  violated += other.violated;
  sim::add(verdicts, other.verdicts);
  sim::add(acceptances, other.acceptances);
  sim::add(struck, other.struck);
}

Result run_campaign(const Scenario& scenario, Mutant mutant, bool tracing) {
  return Campaign(scenario, mutant, tracing).run();
}

}  // namespace rackproof::sim
