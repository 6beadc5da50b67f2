#include "benches/swing/host.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <set>

#include "benches/kit/errors.hpp"
#include "benches/kit/mpi/mpi.hpp"
#include "benches/kit/results.hpp"
#include "benches/swing/collect.hpp"
#include "benches/swing/notes.hpp"
#include "benches/swing/ranks.hpp"
#include "benches/swing/runner.hpp"
#include "benches/swing/sampler.hpp"
#include "benches/swing/tally.hpp"

namespace rackproof::swing {
namespace {

// How long power is read before anything runs.
constexpr double kIdleSeconds = 1;
// By their own clocks ranks would begin a run so far apart.
constexpr double kMostApart = 5;

Clocks clocks_of(const Ranks& ranks, const OwnClock& clock, const Config& config,
                 Questions& questions) {
  const Reading mine = ranks.align(clock, config.exchanges, questions);
  return {ranks.share(mine.offset), ranks.share(mine.bound)};
}

// What each host has, on rank 0. While power is read all ranks wait for it.
std::vector<Host> hosts_of(const Ranks& ranks, const OwnClock& clock, const Config& config,
                           Rapl* rapl, Rapl::Lack lack) {
  std::optional<double> idle;
  if (rapl != nullptr) idle = idle_watts(*rapl, clock, kIdleSeconds);
  const auto limit = rapl == nullptr ? std::optional<double>() : rapl->limit_watts();
  const EventCounts counts =
      ranks.local_rank() == 0 ? read_events(config.kernel_files) : EventCounts{};
  std::vector<double> mine{ranks.local_rank() == 0 ? 1.0 : 0.0, static_cast<double>(lack),
                           idle.value_or(-1), limit.value_or(-1)};
  for (const auto& count : counts) mine.push_back(count ? 1 : 0);
  std::vector<Host> hosts;
  const auto rows = ranks.gather(mine);
  for (std::size_t rank = 0; rank < rows.size(); ++rank) {
    const auto& row = rows[rank];
    if (row[0] == 0) continue;
    Host& host = hosts.emplace_back();
    host.name = ranks.hosts()[rank];
    host.lack = static_cast<Rapl::Lack>(static_cast<int>(row[1]));
    if (row[2] >= 0) host.idle_watts = row[2];
    if (row[3] >= 0) host.limit_watts = row[3];
    for (std::size_t event = 0; event < kEvents.size(); ++event) {
      host.counted[event] = row[4 + event] != 0;
    }
  }
  return hosts;
}

void say_clocks(const Clocks& clocks, const Config& config, const Questions& questions,
                kit::Session& session) {
  const protocol::Check check = kit::check_of(
      "swing.clocks", "every answer of every rank allows the offset that the shortest one gave",
      questions.asked, questions.contradicting);
  session.check(check);
  const auto say = [&](const char* name, double value) {
    protocol::Metric metric = kit::metric_of(name, "s", contract::Better::kLess, check.name);
    kit::put_samples(metric, contract::Statistic::kValue, {value});
    metric.parameters = {{"ranks", static_cast<std::int64_t>(clocks.offsets.size())},
                         {"exchanges", config.exchanges}};
    metric.subject = kit::group_subject();
    session.metric(std::move(metric));
  };
  say("swing.clocks_apart", clocks.apart());
  say("swing.clock_bound", clocks.bound());
}

// Whose counters ended a run, on rank 0.
std::string stopped_by(const Ranks& ranks, const Run& run, const RunResult& mine) {
  const bool limited = mine.came[static_cast<std::size_t>(Event::kPowerLimit)];
  const auto rows = ranks.gather(std::vector<double>{limited ? 1.0 : 0.0});
  std::set<std::string> hosts;
  for (std::size_t rank = 0; rank < rows.size(); ++rank) {
    if (rows[rank].front() != 0) hosts.insert(ranks.hosts()[rank]);
  }
  return fmt::format("stopped by {} on {} ({}); nothing was run after that",
                     text_of(Event::kPowerLimit), fmt::join(hosts, ", "),
                     title_of(run, ranks.size()));
}

class Measurement {
 public:
  Measurement(const Config& config, const Ranks& ranks, const OwnClock& clock, const Plants& plants,
              Rapl* rapl, Headroom headroom, kit::Session& session)
      : config_(config),
        ranks_(ranks),
        session_(session),
        headroom_(headroom),
        runner_(ranks, config, plants, clock, rapl),
        tally_(config, ranks.size(), headroom) {}

  /// Runs them one after the other. Why that ended early, on every rank, or nothing.
  std::string run(const std::vector<Run>& runs) {
    double whole = 0;
    for (const Run& run : runs) whole += run.seconds;
    double done = 0;
    for (const Run& run : runs) {
      const std::string title = title_of(run, ranks_.size());
      session_.phase(title, done / whole);
      done += run.seconds;
      RunResult mine;
      session_.progress().begin(title, 0);
      session_.progress().exchange([&] { mine = runner_.run(run, session_.injection()); });
      if (mine.stopped) return stopped_by(ranks_, run, mine);
      const Collected all = collect(ranks_, run, config_.duty, mine);
      if (ranks_.rank() == 0) add(run, all);
    }
    return "";
  }

  const Questions& questions() const { return runner_.questions(); }
  const Place& place() const { return runner_.place(); }

  void say() const {
    tally_.say(session_);
    for (const Event event : kEvents) {
      const std::string text = sentence(event, arms_[static_cast<std::size_t>(event)]);
      if (!text.empty()) session_.note(text, {{"event", std::string(text_of(event))}});
    }
  }

 private:
  void add(const Run& run, const Collected& all) {
    tally_.add(run, all);
    if (run.kind == Run::Kind::kStage) return;
    count_events(run, all.came, ranks_.hosts(), arms_);
    Series alone;
    add_run(run, config_, all, headroom_, alone);
    protocol::Note note = note_of(run, config_, all, alone, ranks_.hosts());
    session_.note(std::move(note.text), std::move(note.facts));
  }

  const Config& config_;
  const Ranks& ranks_;
  kit::Session& session_;
  Headroom headroom_;
  Runner runner_;
  Tally tally_;
  std::array<Arms, kEvents.size()> arms_{};
};

void measure(const Config& config, kit::Session& session) {
  session.progress().begin("bringing up the group", 0);
  std::unique_ptr<Ranks> made;
  session.progress().exchange([&] { made = std::make_unique<Ranks>(); });
  const Ranks& ranks = *made;
  if (ranks.size() < 2) {
    throw kit::UsageError("expected at least 2 ranks, as of mpirun -n 2: one alone is in step");
  }
  const bool first = ranks.rank() == 0;
  const Plants plants = plants_of(config.plant, ranks.size());
  const std::vector<Run> runs = runs_of(config, ranks.size());
  const auto base =
      static_cast<std::int64_t>(ranks.from_first(static_cast<double>(wall_seconds())));
  const auto shift = plants.clock.find(ranks.rank());
  const OwnClock clock(base, shift == plants.clock.end() ? 0 : shift->second);
  Questions questions;
  const Clocks clocks = clocks_of(ranks, clock, config, questions);
  if (config.clocks == "own" && clocks.apart() > kMostApart) {
    throw kit::UsageError(fmt::format(
        "--clocks own: the clocks of the ranks are {:.3g} s apart; expected at most {} s",
        clocks.apart(), kMostApart));
  }
  std::unique_ptr<Rapl> rapl;
  Rapl::Lack lack = Rapl::Lack::kNothing;
  if (ranks.local_rank() == 0) {
    rapl = std::make_unique<Rapl>(config.kernel_files);
    lack = rapl->lack();
    if (lack != Rapl::Lack::kNothing) rapl.reset();
  }
  const std::vector<Host> hosts = hosts_of(ranks, clock, config, rapl.get(), lack);
  Measurement measurement(config, ranks, clock, plants, rapl.get(), headroom_of(hosts), session);
  if (first) {
    for (protocol::Note note : {note_of(clocks), note_of(hosts)}) {
      session.note(std::move(note.text), std::move(note.facts));
    }
    session.note(
        fmt::format(
            "threads of rank 0: {}{}", measurement.place().cpus.size(),
            measurement.place().crowded ? "; more threads than processors: they take turns" : ""),
        {{"threads", static_cast<std::int64_t>(measurement.place().cpus.size())},
         {"crowded", measurement.place().crowded}});
  }
  const std::string ended = measurement.run(runs);
  if (!first) return;
  questions.asked += measurement.questions().asked;
  questions.contradicting += measurement.questions().contradicting;
  say_clocks(clocks, config, questions, session);
  measurement.say();
  if (!ended.empty()) throw kit::DeviceError(ended);
  session.phase("done", 1);
}

}  // namespace

kit::Bench host_bench(Config& config) {
  kit::Bench bench;
  bench.name = "swing";
  bench.backend = "host";
  bench.summary =
      "A load that all ranks switch on and off in step: how far in step, and what it does.";
  bench.example = "mpirun -n 4 swing-host --frequencies 0.5,2 --seconds 20";
  bench.declare = [&config](kit::Options& options) { declare(options, config); };
  bench.libraries = [] { return kit::mpi::library(); };
  bench.fault = [&config] { return fault_of(config); };
  bench.run = [&config](kit::Session& session) { measure(config, session); };
  return bench;
}

}  // namespace rackproof::swing
