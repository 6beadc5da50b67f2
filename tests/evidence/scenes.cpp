#include "tests/evidence/scenes.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <memory>

#include "harness/config/metrics.hpp"
#include "harness/config/suite.hpp"
#include "harness/crew/follower.hpp"
#include "harness/ingest/transcript.hpp"
#include "harness/journal/entry_json.hpp"
#include "harness/lint/judging_tables.hpp"
#include "harness/run/run_log.hpp"
#include "tests/fakes/act.hpp"
#include "tests/fakes/fake_clock.hpp"
#include "tests/fakes/fake_warden.hpp"

namespace rackproof::evidence {
namespace {

constexpr int kHosts = 2;
constexpr double kGood = 100;
constexpr double kSeconds = 10;  // of an attempt

constexpr const char* kMetrics = R"({
  "schema": "rackproof/bench/1", "bench": "fake",
  "parameters": {"size": {"type": "integer"}},
  "metrics": [
    {
      "names": ["fake.rate"], "about": "bytes moved in a second", "backends": ["host"],
      "subject": "node", "unit": "B/s", "better": "more", "statistic": "median",
      "parameters": ["size"],
      "range": {"from": 1, "to": 10000, "reason": "a slow machine"},
      "spread": {"within": 2, "reason": "a slow machine"}
    },
    {
      "names": ["fake.time", "fake.delay"], "about": "time of an answer", "backends": ["host"],
      "subject": "node", "unit": "s", "better": "less", "statistic": "median",
      "parameters": ["size"],
      "range": {"from": 0.001, "to": 1000, "reason": "a slow machine"},
      "sisters": {"within": 2, "reason": "a slow machine"}
    }
  ]
})";

/// More than a quarter of them far below, and yet the median as it should be.
std::vector<double> scattered(double middle) {
  std::vector<double> samples(40, middle);
  std::fill_n(samples.begin(), 11, middle / 10);
  return samples;
}

void write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

std::string host_of(int rank) { return "node" + std::to_string(rank); }

model::NodeInventory inventory_of(int rank) {
  model::NodeInventory node;
  node.host = host_of(rank);
  node.facts["cpu.model"] = {"Box", "/proc/cpuinfo", ""};
  node.facts["cpu.cores"] = {std::int64_t{8}, "hwloc", ""};
  return node;
}

/// Plays the ranks of a run and their wardens.
class Stage {
 public:
  Stage(const config::Paths& paths, const std::string& suite, const std::string& table, Ill ill)
      : suite_(config::load_suite(suite)), ill_(ill) {
    for (int rank = 0; rank < kHosts; ++rank) {
      wardens_.push_back(std::make_unique<fakes::FakeWarden>(
          clock_, disk_, [this](const warden::Launch& launch) { return play(launch); }));
      site_.ranks.push_back({rank, host_of(rank), 0});
      site_.nodes.push_back(inventory_of(rank));
    }
    site_.mpi = true;
    play_run(paths, table);
  }

  std::vector<assemble::JournalFile> journals() const {
    std::vector<assemble::JournalFile> out;
    for (const auto& [path, bytes] : disk_->files) out.push_back({path.substr(5), bytes});
    return out;
  }

 private:
  static std::string journal_of(int rank) {
    return fmt::format("journals/0001-rank-{:05}.jsonl", rank);
  }

  void play_run(const config::Paths& paths, const std::string& table) {
    run::RunLog book(*wardens_[0], clock_, clock_.now());
    open(book);
    for (const auto& bound : config::bounds_of(lint::installed_metrics(paths)))
      book.append(journal::Bound{bound});
    for (const auto& node : site_.nodes) {
      book.append(journal::Node{node});
      book.append(journal::HostPlatform{node.host, "box"});
    }
    book.append(journal::Platform{lint::load_judging_table(table, paths).tables.front()});
    const plan::Plan plan = plan::make_plan(suite_, site_, {});
    book.plan(plan);
    for (const plan::PlacedStep& placed : plan.steps) {
      book.step(placed.step.id, model::StepState::kBegun, {});
      for (const plan::Instance& instance : placed.instances) attempt(placed.step, instance);
      book.step(placed.step.id, model::StepState::kDone, {});
    }
    book.ended(true, false);
    for (auto& warden : wardens_) warden->close(rackproof::model::CloseReason::kFinished);
  }

  void open(run::RunLog& book) {
    std::vector<crew::Arrival> arrivals;
    std::vector<crew::Roster> rosters;
    for (int rank = 0; rank < kHosts; ++rank) {
      arrivals.push_back({rank, host_of(rank), 100 + rank, "1", "c", "boot"});
      rosters.push_back({"r", 1, rank, kHosts, 0, "/run", journal_of(rank)});
      wardens_[static_cast<std::size_t>(rank)]->open_journal("/run/" + journal_of(rank));
      wardens_[static_cast<std::size_t>(rank)]->note(
          journal::to_json(crew::open_entry(rosters.back(), arrivals.back(), clock_)), true);
    }
    model::RunInfo run;
    run.id = "r";
    run.began_utc = clock_.utc();
    run.ranks = kHosts;
    run.launcher = "mpirun";
    if (ill_ == Ill::kFewer) run.extent.hosts = 3;
    if (ill_ != Ill::kUnjudged) run.accept_unjudged = {{"answers", "Known."}};
    book.append(journal::Run{{}, run, suite_.info});
    book.ranks(arrivals, rosters, kHosts);
  }

  void attempt(const config::Step& step, const plan::Instance& instance) {
    const int rank = instance.ranks.front();
    journal::Head head;
    head.step = step.id;
    head.rank = rank;
    head.host = host_of(rank);
    head.subject = instance.subject;
    head.bench = step.bench;
    head.backend = step.backend;
    warden::Launch launch;
    launch.attempt = fmt::format("r/1/{}/{}/1", step.id, rank);
    launch.head = journal::to_json(head);
    launch.deadline_seconds = 30;
    auto& warden = *wardens_[static_cast<std::size_t>(rank)];
    warden.start(launch);
    for (bool last = false; !last;) {
      for (const auto& event : warden.wait(100)) last = last || event.last;
    }
  }

  fakes::Performance play(const warden::Launch& launch) const {
    const model::Attempt head = fakes::head_of(launch);
    const Ill ill = head.host == kIllHost && head.step == kIllStep ? ill_ : Ill::kNothing;
    fakes::Act act(launch, kSeconds);
    say_hello(act, head, ill);
    say_check(act, ill);
    for (const std::int64_t size : {std::int64_t{1}, kIllSize}) {
      if (ill == Ill::kCrashed && size == kIllSize) return act.killed(11);
      say_metric(act, head.step, size, ill);
    }
    const int code = ill == Ill::kWrong ? 4 : 0;
    act.end(code);
    fakes::Performance out = act.done(code);
    out.facts.load = {8, kSeconds, kSeconds, kSeconds, 0, 0.0, ""};
    if (ill == Ill::kDisturbed) {
      out.facts.load = {8, kSeconds, 8 * kSeconds, kSeconds, 0, kSeconds, ""};
    }
    return out;
  }

  static void say_hello(fakes::Act& act, const model::Attempt& head, Ill ill) {
    protocol::Hello hello;
    hello.bench = head.bench;
    hello.backend = head.backend;
    hello.version = "1";
    hello.commit = "c";
    hello.libraries = {{"fast", "2"}};
    if (ill == Ill::kInjected) hello.fault_injected = "bitflip";
    act.hello(hello);
  }

  static void say_check(fakes::Act& act, Ill ill) {
    protocol::Check check;
    check.name = "answer";
    check.passed = ill != Ill::kWrong;
    check.detail = "compared";
    check.compared = 1000;
    check.wrong = check.passed ? 0 : 3;
    if (!check.passed) check.first_wrong = {{"element 7", "3", "4"}};
    check.digest = "600d";
    act.check(check);
  }

  static void say_metric(fakes::Act& act, const std::string& step, std::int64_t size, Ill ill) {
    const bool rate = step == kIllStep;
    const double middle = ill == Ill::kSlow && size == kIllSize ? kGood / 2 : kGood;
    protocol::Metric metric;
    metric.name = rate ? "fake.rate" : "fake.time";
    metric.unit = rate ? "B/s" : "s";
    metric.better = rate ? contract::Better::kMore : contract::Better::kLess;
    metric.samples = fakes::samples_around(middle);
    metric.value = middle;
    if (ill == Ill::kScattered && size == kIllSize) metric.samples = scattered(middle);
    metric.parameters = {{"size", size}};
    if (rate) metric.conditions = {{"way", ill == Ill::kOtherWay ? "slow" : "fast"}};
    metric.check = "answer";
    // One of them ahead, as long ones are.
    if (size == kIllSize) {
      act.sample(protocol::Sample{1, metric.samples});
      metric.samples.clear();
      metric.series = 1;
    }
    act.metric(metric);
  }

  config::Suite suite_;
  Ill ill_;
  plan::Site site_;
  fakes::FakeClock clock_;
  std::shared_ptr<fakes::FakeDisk> disk_ = std::make_shared<fakes::FakeDisk>();
  std::vector<std::unique_ptr<fakes::FakeWarden>> wardens_;
};

}  // namespace

std::string Installation::suite_text() {
  return R"({
  "schema": "rackproof/suite/1", "id": "evidence", "title": "Evidence",
  "purpose": "Holds what can be spoiled.", "time_budget": "10 min", "quiet_wait": "1 s",
  "judge": {"peer_outlier": "fail", "peer_minimum": 4, "peer_effect": 0.03, "family_alpha": 0.05,
    "discovery_rate": 0.05, "straddle": "fail", "confidence": 0.95, "disturbed": "repeat",
    "disturbed_share": 0.03, "recorded": "optional"},
  "extent": {"hosts": 2},
  "claims": [
    {"id": "speed", "title": "Speed", "steps": ["rate"], "metrics": ["fake.rate"], "each": "metric",
      "nodes": {"min": 1, "max": 9}},
    {"id": "times", "title": "Times", "steps": ["answer"], "parameters": {"size": 1}},
    {"id": "answers", "title": "Answers", "steps": ["answer"], "each": "size"}],
  "findings": {"suppress": [{"id": "too-old", "subject": "node9", "reason": "Known.", "until": "2099-01-01"}],
    "stop": [{"id": "host-too-old", "severity": "error"}]},
  "steps": [
    {"id": "rate", "title": "Rate", "bench": "fake", "backend": "host", "arguments": ["--fast"],
      "environment": {"FAKE": "1"}, "placement": "node", "deadline": "20 s", "grace": "2 s",
      "attempts": 1, "on_failure": "continue", "when_unavailable": "untested",
      "expect": [{"metric": "fake.rate", "parameters": {"size": [1, 2]}, "required": true}]},
    {"id": "answer", "title": "Answer", "bench": "fake", "backend": "host", "placement": "node",
      "deadline": "20 s",
      "expect": [{"metric": "fake.time", "parameters": {"size": [1, 2]}},
        {"metric": "fake.time", "parameters": {"size": 3}, "waived": "Not here."}]}
  ]
})";
}

std::string Installation::table_text() {
  return R"({
  "schema": "rackproof/platform/1", "id": "box", "title": "A box",
  "recognise": [{"fact": "cpu.model", "equals": "Box"}, {"fact": "cpu.cores", "max": 8}],
  "expect": [{"fact": "cpu.cores", "min": 8, "severity": "error", "remedy": "Put them in."}],
  "facts": {"peak.cpu.memory_bytes_per_second": {"value": 200, "unit": "B/s",
    "source": {"title": "Data sheet", "kind": "datasheet", "date": "2026-01"}}},
  "baselines": [
    {"id": "rate", "metric": "fake.rate", "parameters": {"size": 2}, "backend": "host",
      "judge": "absolute", "expected": {"value": 100, "unit": "B/s"}, "better": "more",
      "tolerance_below": 0.1, "statistic": "median", "demand": {"way": "fast"},
      "nodes": {"min": 1, "max": 9},
      "source": {"title": "Measured", "kind": "measured-here", "date": "2026-01"}},
    {"id": "part", "metric": "fake.rate", "parameters": {"size": 1}, "backend": "host",
      "judge": "fraction", "expected": 0.5, "of": "peak.cpu.memory_bytes_per_second",
      "tolerance_below": 0.1,
      "source": {"title": "Measured", "kind": "measured-here", "date": "2026-01"}},
    {"id": "soon", "metric": "fake.time", "parameters": {"size": 1}, "backend": "host",
      "judge": "absolute", "expected": {"value": 100, "unit": "s"}, "better": "less",
      "tolerance_above": 0.1,
      "source": {"title": "Measured", "kind": "measured-here", "date": "2026-01"}},
    {"id": "right", "metric": "fake.time", "backend": "host", "judge": "correctness"}
  ],
  "waive": [{"metric": "fake.time", "parameters": {"size": 4}, "reason": "Not on a box."}],
  "groups": [{"metric": "fake.time", "parameters": {"size": 4}, "reason": "Two kinds of box."}],
  "demand": [{"metric": "fake.rate", "parameters": {"size": 1}, "backend": "host",
    "nodes": {"min": 1, "max": 9}, "where": [{"fact": "cpu.cores", "min": 8}],
    "conditions": {"way": "fast"}, "refused": {"way": "slow"}, "reason": "Slow."}],
  "extent": {"hosts": 1}
})";
}

Installation::Installation()
    : folder_(std::filesystem::temp_directory_path() /
              fmt::format("rackproof-evidence-{}", ::getpid())) {
  paths_.suites = folder_ / "suites";
  paths_.platforms = folder_ / "platforms";
  paths_.benches = folder_ / "benches";
  paths_.causes = folder_ / "causes.json";
  write(suite(), suite_text());
  write(table(), table_text());
  write(folder_ / "benches" / "fake.json", kMetrics);
}

Installation::~Installation() {
  std::error_code error;
  std::filesystem::remove_all(folder_, error);
}

Scene play(Ill ill, const Installation& installation, const std::string& suite,
           const std::string& table) {
  Scene scene{ill, Stage(installation.paths(), suite, table, ill).journals(), {}};
  scene.report = assemble::assemble(scene.journals);
  return scene;
}

std::vector<Scene> scenes(const Installation& installation) {
  std::vector<Scene> out;
  for (const Ill ill : kIlls) {
    out.push_back(play(ill, installation, installation.suite(), installation.table()));
  }
  return out;
}

}  // namespace rackproof::evidence
