#include "tests/unit/assemble/scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "harness/crew/follower.hpp"
#include "harness/ingest/transcript.hpp"
#include "harness/journal/entry_json.hpp"
#include "reports/model/words.hpp"

namespace rackproof::assemble_test {
namespace {

plan::Plan plan_of(int ranks) {
  plan::Plan out;
  for (const char* step : {"a", "b"}) {
    model::StepInfo info;
    info.id = step;
    info.title = step;
    info.bench = "fake";
    info.backend = "host";
    info.placement = "node";
    out.infos.push_back(info);
    for (int rank = 0; rank < ranks; ++rank) {
      model::Cell cell;
      cell.step = step;
      cell.subject.host = host_of(rank);
      cell.metric = kMetric;
      cell.id = plan::cell_id(cell.step, cell.subject, cell.metric, {});
      out.cells.push_back(cell);
    }
  }
  return out;
}

model::PlatformTable table() {
  model::Baseline baseline;
  baseline.id = "rate";
  baseline.metric = kMetric;
  baseline.expected = 100;
  baseline.unit = "B/s";
  baseline.tolerance_below = 0.1;
  baseline.table = "box";
  model::PlatformTable out;
  out.id = "box";
  out.chain = {"box"};
  out.baselines = {baseline};
  return out;
}

}  // namespace

std::string host_of(int rank) { return "node" + std::to_string(rank); }

Scene::Scene(int ranks) : ranks_(ranks) {}

std::string Scene::name(int rank, int segment) {
  return fmt::format("journals/{:04}-rank-{:05}.jsonl", segment, rank);
}

void Scene::begin_unplanned(int segment) {
  segment_ = segment;
  wardens_.clear();
  for (int rank = 0; rank < ranks_; ++rank) {
    wardens_.push_back(std::make_unique<fakes::FakeWarden>(
        clock, disk, [this](const warden::Launch& launch) { return script_(launch); }));
  }
  run_log_ = std::make_unique<run::RunLog>(warden(0), clock, clock.now());
}

void Scene::begin(int segment, const std::vector<int>& absent) {
  begin_unplanned(segment);
  std::vector<crew::Arrival> arrivals;
  std::vector<crew::Roster> rosters;
  for (int rank = 0; rank < ranks_; ++rank) {
    if (std::find(absent.begin(), absent.end(), rank) != absent.end()) continue;
    arrivals.push_back({rank, host_of(rank), 100 + rank, "1", "c", kBoot});
    rosters.push_back({"r", segment, rank, ranks_, 0, "/run", name(rank, segment)});
    warden(rank).open_journal("/run/" + name(rank, segment));
    warden(rank).note(journal::to_json(crew::open_entry(rosters.back(), arrivals.back(), clock)),
                      true);
  }
  model::RunInfo run;
  run.id = "r";
  run.began_utc = clock.utc();
  run.ranks = ranks_;
  run.segments = segment;
  model::SuiteInfo suite;
  suite.id = "suite";
  if (repaired) book().append(*repaired);
  for (const journal::Kept& one : kept) book().append(one);
  book().append(journal::Run{{}, run, suite});
  book().ranks(arrivals, rosters, ranks_);
  for (const auto& arrival : arrivals) {
    model::NodeInventory node;
    node.host = arrival.host;
    book().append(journal::Node{node});
    book().append(journal::HostPlatform{arrival.host, "box"});
  }
  book().append(journal::Platform{table()});
  book().plan(plan_of(ranks_));
}

warden::Launch Scene::launch(int rank, const std::string& step, int number) const {
  journal::Head head;
  head.step = step;
  head.number = number;
  head.rank = rank;
  head.host = host_of(rank);
  head.subject.host = head.host;
  head.bench = "fake";
  head.backend = "host";
  warden::Launch out;
  out.attempt = fmt::format("r/{}/{}/{}/{}", segment_, step, rank, number);
  out.head = journal::to_json(head);
  out.deadline_seconds = 30;
  return out;
}

void Scene::attempt(int rank, const std::string& step, int number, const fakes::Script& script) {
  script_ = script;
  warden(rank).start(launch(rank, step, number));
  for (;;) {
    for (const auto& event : warden(rank).wait(100)) {
      if (event.last) return;
    }
  }
}

void Scene::attempt(int rank, const std::string& step, int number, double value) {
  attempt(rank, step, number, [value](const warden::Launch& launch) {
    return fakes::good(launch, kMetric, fakes::samples_around(value));
  });
}

void Scene::start(int rank, const std::string& step) {
  script_ = [](const warden::Launch& launch) {
    return fakes::good(launch, kMetric, fakes::samples_around(100), 20);
  };
  warden(rank).start(launch(rank, step, 1));
  warden(rank).wait(0);
}

void Scene::whole_run() {
  begin();
  for (const char* step : {"a", "b"}) {
    book().step(step, model::StepState::kBegun, {});
    for (int rank = 0; rank < ranks_; ++rank) attempt(rank, step);
    book().step(step, model::StepState::kDone, {});
  }
  end();
  close_all();
}

void Scene::end(bool completed, bool interrupted) { book().ended(completed, interrupted); }

void Scene::close(int rank, const model::Reason<model::CloseReason>& reason) {
  if (reason.id == model::CloseReason::kRankGone) {
    warden(rank).vanish();
  } else {
    warden(rank).close(reason);
  }
}

void Scene::close_all() {
  for (int rank = ranks_ - 1; rank >= 0; --rank) close(rank);
}

void Scene::gather(int rank) {
  std::string copy = name(rank, segment_);
  copy.replace(copy.rfind(".jsonl"), 6, ".gathered.jsonl");
  disk->files["/run/" + copy] = bytes(rank, segment_);
}

std::string& Scene::bytes(int rank, int segment) {
  return disk->files.at("/run/" + name(rank, segment));
}

std::vector<assemble::JournalFile> Scene::files() const {
  std::vector<assemble::JournalFile> out;
  for (const auto& [path, bytes] : disk->files) out.push_back({path.substr(5), bytes});
  return out;
}

model::Verdict verdict(const model::Report& report, const std::string& step, int rank) {
  for (const auto& cell : report.cells) {
    if (cell.step == step && cell.subject.host == host_of(rank)) return cell.verdict;
  }
  FAIL("there is no cell of " << step << " on " << host_of(rank));
  return {};
}

std::string state(const model::Report& report, const std::string& step) {
  for (const auto& info : report.steps) {
    if (info.id != step) continue;
    return std::string(contract::word(info.state)) +
           (info.reason.empty() ? "" : ": " + model::to_text(info.reason));
  }
  return "absent";
}

const model::RankInfo& rank_of(const model::Report& report, int rank) {
  return report.ranks.at(static_cast<std::size_t>(rank));
}

std::vector<model::Finding> findings(const model::Report& report, const std::string& id) {
  std::vector<model::Finding> out;
  for (const auto& finding : report.findings) {
    if (finding.id == id) out.push_back(finding);
  }
  return out;
}

}  // namespace rackproof::assemble_test
