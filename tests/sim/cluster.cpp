#include "tests/sim/cluster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/evidence/disturbance.hpp"

namespace rackproof::sim {
namespace {

constexpr double kNever = 1e8;

// As cli/run.cpp does for a run that cannot begin.
void clear_away(SimWarden& warden) {
  try {
    warden.close(rackproof::model::CloseReason::kRefused);
  } catch (const warden::WardenError&) {
    // What could not be written is not needed.
  }
}

}  // namespace

std::vector<assemble::JournalFile> journals_on(fakes::FakeDisk& disk) {
  std::vector<assemble::JournalFile> files;
  const std::string root = "/run/";
  for (const auto& [path, bytes] : disk.files) {
    if (path.starts_with(root + "journals/")) files.push_back({path.substr(root.size()), bytes});
  }
  return files;
}

Cluster::Cluster(const Scenario& scenario, Ledger& ledger, Disks& disks, Time& time)
    : scenario_(scenario),
      ledger_(ledger),
      disks_(disks),
      time_(time),
      draw_(Draw::about(scenario.seed, fmt::format("segment {}", ledger.segments.size()))),
      began_(time.now),
      segment_(static_cast<int>(ledger.segments.size())),
      net_(time, scenario.ranks(), Draw::about(scenario.seed, "net")) {
  for (int host = 0; host < scenario.hosts; ++host) {
    clocks_.push_back(std::make_unique<HostClock>(time));
  }
  for (int rank = 0; rank < scenario.ranks(); ++rank) add_rank(rank);
  time_.sleep = [this](double seconds) { sleep(seconds); };
}

void Cluster::add_rank(int rank) {
  auto one = std::make_unique<SimRank>();
  SimRank& self = *one;
  self.rank = rank;
  self.host = rank / scenario_.ranks_per_host;
  HostClock& clock = *clocks_[static_cast<std::size_t>(self.host)];
  const auto disk = disks_[static_cast<std::size_t>(self.host)];
  const auto before = [this, &self] { before_call(self); };
  self.warden = std::make_unique<SimWarden>(
      clock, disk, [this, &self](const warden::Launch& launch) { return start(self, launch); },
      before,
      [this, &self](const std::string& attempt, const std::string& line, bool last,
                    const std::string& journal) { take_line(self, attempt, line, last, journal); });
  self.team = std::make_unique<NetTeam>(net_, rank, before);
  const auto in_rank = [this, &self](const std::vector<std::string>& /*arguments*/,
                                     const std::function<void(const std::string&)>& say,
                                     const std::string& nonce, contract::ProgressPage* /*page*/) {
    return run_in_rank(self, say, nonce);
  };
  self.local = std::make_unique<crew::Local>(*self.warden, "/bench", "/bin/rackproof",
                                             std::vector<crew::InRank>{{"ring-mpi", in_rank}});
  if (rank != 0) {
    const auto open_store = [disk](const std::string& directory) {
      return std::make_unique<fakes::FakeStore>(disk, directory);
    };
    self.follower = std::make_unique<crew::Follower>(
        *self.team, *self.warden, clock, open_store, *self.local,
        crew::Arrival{rank, scenario_.host_of(rank), 100 + rank, "1", "c"});
  }
  ranks_.push_back(std::move(one));
}

void Cluster::note(const std::string& what) {
  if (ledger_.tracing) {
    ledger_.trace += fmt::format("{:9.2f}  {}\n", time_.now - began_, what);
  }
}

// Rank 0 sleeps: time passes, the world goes on, everybody else takes a turn.
void Cluster::sleep(double seconds) {
  if (turning_) return;
  time_.now += std::max(seconds, scenario_.quantum);
  turning_ = true;
  while (!due_.empty() && due_.begin()->first <= time_.now) {
    const auto what = std::move(due_.begin()->second);
    due_.erase(due_.begin());
    what();
  }
  turn();
  turning_ = false;
  if (over_) return;
  if (at(0).dead || at(0).frozen) throw Gone{};
  if (time_.now > limit_) throw Overrun{};
}

void Cluster::turn() {
  const auto first = static_cast<std::size_t>(draw_.below(static_cast<int>(ranks_.size())));
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    take_turn(*ranks_[(first + i) % ranks_.size()]);
  }
}

// A turn of a rank that nothing happens to changes nothing; thousands of them cost minutes.
bool Cluster::is_due(SimRank& one) {
  const bool due = net_.has_mail(one.rank) || one.warden->has_news() ||
                   one.warden->next_due() <= time_.now || time_.now - one.looked_at >= 0.5;
  if (due) one.looked_at = time_.now;
  return due;
}

void Cluster::take_turn(SimRank& one) {
  if (one.dead || one.left) return;
  if (one.frozen) {
    if (!one.warden->stands_still()) one.warden->elapse();
    return;
  }
  if (one.rank == 0 || time_.now < one.arrives_at || !is_due(one)) return;
  try {
    if (one.waits) {
      await_dismissal(one);
    } else {
      one.left = !one.follower->step();
    }
  } catch (const Gone&) {
    if (!one.dead) freeze(one);
  } catch (const fakes::RankKilled&) {
    end_rank(one);
  } catch (const warden::WardenError& error) {
    note(fmt::format("rank {}: {}", one.rank, error.what()));
    one.waits = true;
    net_.post(one.rank, 0, fleet::MessageKind::kFailed, error.what());
  } catch (const std::exception& error) {
    ledger_.blame(fmt::format("rank {} ended by an exception: {}", one.rank, error.what()));
    end_rank(one);
  }
}

// As cli/run.cpp does for a rank whose journal failed.
void Cluster::await_dismissal(SimRank& one) {
  while (const auto message = one.team->receive()) {
    if (message->kind != fleet::MessageKind::kFinish &&
        message->kind != fleet::MessageKind::kDisband)
      continue;
    one.team->send(0, fleet::MessageKind::kBye, "");
    one.left = true;
    return;
  }
  // Who is never called ends with the job.
  if (over_) one.left = true;
}

// The longest that rank 0 may take, by what the run promises: see docs/reliability.md.
double Cluster::run_bound(const resume::Request& request) const {
  double steps = 0;
  double longest = 0;
  double roll_calls = 0;
  for (const config::Step& step : request.suite.steps) {
    // Before it is repeated a host may be listened to, in vain.
    const double listening = 15 + 40;
    const int attempts = evidence::attempts_when_disturbed(step.attempts);
    const double one = step.deadline_seconds + step.grace_seconds + 40 + listening;
    longest = std::max(longest, one);
    steps += one * attempts;
    if (step.backend == "mpi") roll_calls += crew::kArrivalSeconds * attempts;
  }
  const double before = 2 * crew::kArrivalSeconds + 60 + crew::kSilenceSeconds + 40;
  const double in_steps =
      std::min(steps + roll_calls, request.time_budget_seconds + crew::kArrivalSeconds + longest);
  return before + in_steps + request.suite.quiet_wait_seconds + crew::kSilenceSeconds + 10 +
         40 * scenario_.quantum;
}

std::optional<std::vector<assemble::JournalFile>> Cluster::lead(const resume::Request& request) {
  SimRank& first = at(0);
  fakes::FakeDisk& disk = *disks_.front();
  fakes::FakeStore store(disks_.front());
  run::Progress progress(*clocks_.front(),
                         [this](const std::string& text) { note("rank 0 says: " + text); });
  crew::Keepsake keepsake;
  run::Coordinator coordinator(
      request,
      run::Surroundings{*first.team, *first.warden, *clocks_.front(), store, *first.local, progress,
                        [this] { return interrupts_; }, &keepsake},
      crew::Arrival{0, scenario_.host_of(0), 100, "1", "c"});
  const auto send_home = [&](const std::string& why) {
    for (int rank = 1; rank < scenario_.ranks(); ++rank)
      net_.post(0, rank, fleet::MessageKind::kFinish, why);
  };
  try {
    coordinator.prepare(true);
    coordinator.perform();
    coordinator.dismiss();
    over_ = true;
    auto seen = journals_on(disk);
    live_.emplace().account = coordinator.account();
    const std::string& own = first.warden->path();
    live_->heard.push_back({own.substr(own.find("journals/")), disk.files.at(own)});
    for (const auto& [name, bytes] : keepsake.journals()) live_->heard.push_back({name, bytes});
    first.warden->close(coordinator.interrupted() ? model::CloseReason::kInterrupted
                                                  : model::CloseReason::kFinished);
    return seen;
  } catch (const warden::WardenError& error) {
    note(std::string("rank 0 cannot go on: ") + error.what());
    ledger_.now().rescued = true;
    send_home("rank 0 cannot go on");
    return journals_on(disk);
  } catch (const support::StoreError& error) {
    note(std::string("rank 0 cannot go on: ") + error.what());
    ledger_.now().rescued = true;
    send_home("rank 0 cannot go on");
    return journals_on(disk);
  } catch (const resume::Refused& error) {
    note(std::string("refused: ") + error.what());
    ledger_.now().refused = true;
    send_home("refused");
    clear_away(*first.warden);
  } catch (const Gone&) {
    ledger_.now().rank0_gone = true;
  } catch (const fakes::RankKilled&) {
    ledger_.now().rank0_gone = true;
    end_rank(first);
  } catch (const Overrun&) {
    ledger_.blame(fmt::format("the run was not over after {:.0f} s", limit_ - began_));
  } catch (const std::exception& error) {
    ledger_.blame(std::string("rank 0 ended by an exception: ") + error.what());
  }
  return std::nullopt;
}

// The others leave by themselves, rank 0 or not; what stands still is ended with the job.
void Cluster::let_all_leave() {
  over_ = true;
  double longest = 0;
  for (const config::Step& step : scenario_.suite.steps) {
    longest = std::max(longest, step.deadline_seconds + step.grace_seconds);
  }
  const double until = time_.now + crew::kArrivalSeconds + longest + 10 + 10 * scenario_.quantum;
  const auto stays = [&](const std::unique_ptr<SimRank>& one) {
    return one->rank != 0 && !one->dead && !one->left && !one->frozen && one->arrives_at < kNever &&
           !one->warden->stands_still();
  };
  while (std::any_of(ranks_.begin(), ranks_.end(), stays) && time_.now < until) sleep(0.25);
  for (const auto& one : ranks_) {
    if (stays(one) && !at(0).dead && net_.weather(one->rank).loss == 0) {
      ledger_.blame(fmt::format("rank {} did not leave", one->rank));
    }
    if (!one->dead && !one->left && !one->warden->stands_still()) one->warden->vanish();
  }
}

std::optional<std::vector<assemble::JournalFile>> Cluster::play(const resume::Request& request,
                                                                const std::vector<Fault>& faults) {
  limit_ = began_ + run_bound(request);
  for (const Fault& fault : faults) arm(fault);
  turning_ = false;
  auto seen = lead(request);
  let_all_leave();
  ledger_.now().ended = at(0).warden->has_ended();
  for (const auto& one : ranks_) {
    // Of a journal without its first line nobody can know whose it is.
    const auto& files = disks_[static_cast<std::size_t>(one->host)]->files;
    const auto journal = files.find(one->warden->path());
    if (journal != files.end() && journal->second.find(R"("j":"open")") != std::string::npos) {
      ledger_.now().came.insert(one->rank);
    }
  }
  return seen;
}

}  // namespace rackproof::sim
