#include "tests/unit/run/stage.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <ctime>

#include "harness/assemble/assemble.hpp"
#include "harness/journal/entry_json.hpp"
#include "reports/model/utc.hpp"
#include "reports/model/words.hpp"

namespace rackproof::run_test {

using config::Placement;

namespace {

fakes::Performance good_bench(const warden::Launch& launch) {
  const model::Attempt head = fakes::head_of(launch);
  if (head.bench != "ring") return fakes::good(launch, kMetric, fakes::samples_around(100));
  fakes::Act act(launch);
  act.hello().check();
  if (head.rank != 0) return act.end().done();
  protocol::Metric metric;
  metric.name = kMetric;
  metric.unit = "B/s";
  metric.value = 100;
  metric.samples = fakes::samples_around(100);
  metric.subject.kind = contract::SubjectKind::kGroup;
  metric.check = "answer";
  return act.metric(metric).end().done();
}

}  // namespace

std::string HostClock::utc() {
  const double wall = *model::unix_seconds(clock_.utc()) + shift_seconds;
  const auto whole = static_cast<std::time_t>(std::floor(wall));
  std::tm parts{};
  gmtime_r(&whole, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                     static_cast<int>((wall - std::floor(wall)) * 1000));
}

Player::Player(fakes::FakeClock& time, fakes::FakeStar& star,
               std::shared_ptr<fakes::FakeDisk> own_disk, crew::Arrival who, fakes::Script script,
               std::vector<crew::InRank> in_rank)
    : clock(time),
      disk(std::move(own_disk)),
      team(star, who.rank),
      warden(time, disk, std::move(script)),
      local(warden, "/bench", "/bin/rackproof", std::move(in_rank)),
      arrival(std::move(who)) {
  if (arrival.rank == 0) return;
  const auto open_store = [this](const std::string& directory) {
    return std::make_unique<fakes::FakeStore>(disk, directory);
  };
  follower = std::make_unique<crew::Follower>(team, warden, clock, open_store, local, arrival);
}

Stage::Stage(int ranks, int ranks_per_host) : star(clock, ranks), ranks_per_host_(ranks_per_host) {
  bench = good_bench;
  survey = [](const warden::Launch& launch) {
    model::NodeInventory found;
    found.host = fakes::head_of(launch).host;
    return fakes::inventory(recognised(found));
  };
  request.run_id = "test-run";
  request.directory = "/run";
  request.suite.info.id = "suite";
  request.suite.info.digest = "d";
  request.tables = {table()};
  request.tool.version = "1";
  request.tool.commit = "c";
  request.launcher = ranks > 1 ? "mpirun" : "solo";
  request.mpi = ranks > 1;
  request.in_rank_programs = {"ring-mpi"};
  request.time_budget_seconds = 1000;
  for (int rank = 0; rank < ranks; ++rank) add_player(rank, disk);
  clock.on_turn([this] { turn(); });
}

void Stage::add_player(int rank, std::shared_ptr<fakes::FakeDisk> own_disk) {
  const auto script = [this](const warden::Launch& launch) { return perform(launch); };
  // The in-rank bench says what `bench` does, in the moment.
  const auto in_rank = [this, rank](const std::vector<std::string>& arguments,
                                    const std::function<void(const std::string&)>& say,
                                    const std::string& nonce, contract::ProgressPage* /*page*/) {
    journal::Head head;
    head.bench = "ring";
    head.backend = "mpi";
    head.rank = rank;
    warden::Launch launch;
    launch.attempt = nonce;
    launch.head = journal::to_json(head);
    launch.arguments = arguments;
    const fakes::Performance performance = bench(launch);
    for (const fakes::Line& line : performance.lines) say(line.text);
    return static_cast<int>(performance.facts.exit_code);
  };
  const std::string host = "node" + std::to_string(rank / ranks_per_host_);
  const crew::Arrival arrival{rank, host, 100 + rank, "1", "c"};
  auto made = std::make_unique<Player>(clock, star, std::move(own_disk), arrival, script,
                                       std::vector<crew::InRank>{{"ring-mpi", in_rank}});
  const auto at = static_cast<std::size_t>(rank);
  if (at < players_.size()) {
    players_[at] = std::move(made);
  } else {
    players_.push_back(std::move(made));
  }
}

void Stage::separate_disk(int rank) { add_player(rank, std::make_shared<fakes::FakeDisk>()); }

void Stage::kill(int rank) {
  player(rank).warden.vanish();
  player(rank).frozen = true;
  star.cut(rank);
}

fakes::Performance Stage::perform(const warden::Launch& launch) {
  const model::Attempt head = fakes::head_of(launch);
  if (head.bench == "inventory") return survey(launch);
  if (head.bench != "doctor") return bench(launch);
  fakes::Performance listener = fakes::Act(launch, 0.1).done();
  if (others) listener.facts.load = others(head.host);
  return listener;
}

void Stage::turn() {
  for (const auto& player : players_) {
    if (!player->follower || player->frozen || player->left) continue;
    if (clock.now() < player->arrives_at) continue;
    player->left = !player->follower->step();
  }
}

run::Coordinator& Stage::coordinator() {
  if (!coordinator_) {
    progress_ =
        std::make_unique<run::Progress>(clock, [this](const std::string& text) { seen += text; });
    Player& first = player(0);
    coordinator_ = std::make_unique<run::Coordinator>(
        request,
        run::Surroundings{first.team, first.warden, first.clock, store, first.local, *progress_,
                          [this] { return interrupts; }},
        first.arrival);
  }
  return *coordinator_;
}

model::Report Stage::play() {
  run::Coordinator& leader = coordinator();
  leader.prepare(true);
  leader.perform();
  leader.dismiss();
  model::Report report = assembled();
  player(0).warden.close(leader.interrupted() ? model::CloseReason::kInterrupted
                                              : model::CloseReason::kFinished);
  return report;
}

model::Report Stage::assembled() {
  std::vector<assemble::JournalFile> journals;
  for (const std::string& name : store.list("journals")) {
    journals.push_back({"journals/" + name, *store.read("journals/" + name)});
  }
  return assemble::assemble(journals);
}

std::vector<warden::Launch> Stage::launches() {
  std::vector<warden::Launch> out;
  for (const auto& player : players_) {
    for (const auto& launch : player->warden.launches()) {
      const std::string name = fakes::head_of(launch).bench;
      if (name != "inventory" && name != "doctor") out.push_back(launch);
    }
  }
  return out;
}

config::Step step(const std::string& id, Placement placement) {
  config::Step out;
  out.id = id;
  out.title = id;
  out.bench = placement == Placement::kWorld ? "ring" : "fake";
  out.backend = placement == Placement::kWorld ? "mpi" : "host";
  out.placement = placement;
  out.deadline_seconds = 30;
  out.grace_seconds = 1;
  out.expect.push_back({kMetric, {}, "", true, ""});
  return out;
}

config::Step ring(Placement placement) {
  config::Step out = step("ring", placement);
  out.bench = "ring";
  out.backend = "nccl";
  out.members = config::Members::kRanks;
  out.deadline_seconds = 60;
  out.bring_up_seconds = 10;
  return out;
}

model::NodeInventory recognised(model::NodeInventory node) {
  node.facts["cpu.model"] = {contract::Scalar(std::string("x")), "test", ""};
  return node;
}

model::PlatformTable table() {
  model::Baseline baseline;
  baseline.id = "any/rate";
  baseline.metric = kMetric;
  baseline.expected = 100;
  baseline.unit = "B/s";
  baseline.tolerance_below = 0.1;
  baseline.table = "any";
  baseline.source = {"a test", "measured-here", "2030-01", "", ""};
  model::PlatformTable out;
  out.id = "any";
  out.title = "Any";
  out.chain = {"any"};
  out.recognise = {{"cpu.model", {}, "x*", {}, {}}};
  out.baselines = {baseline};
  return out;
}

model::Subject node(const std::string& host) {
  model::Subject subject;
  subject.host = host;
  return subject;
}

model::Verdict verdict(const model::Report& report, const std::string& step) {
  std::vector<model::Verdict> found;
  for (const auto& cell : report.cells) {
    if (cell.step == step) found.push_back(cell.verdict);
  }
  REQUIRE(found.size() == 1);
  return found.front();
}

std::string state(const model::Report& report, const std::string& step) {
  for (const auto& info : report.steps) {
    if (info.id != step) continue;
    return std::string(contract::word(info.state)) +
           (info.reason.empty() ? "" : ": " + model::to_text(info.reason));
  }
  return "absent";
}

bool has_finding(const model::Report& report, const std::string& id, const std::string& text) {
  for (const auto& finding : report.findings) {
    if (finding.id != id) continue;
    if ((finding.text + finding.subject).find(text) != std::string::npos) return true;
  }
  return false;
}

}  // namespace rackproof::run_test
