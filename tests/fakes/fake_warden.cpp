#include "tests/fakes/fake_warden.hpp"

#include <algorithm>
#include <csignal>
#include <limits>
#include <utility>

#include "tests/fakes/journal_lines.hpp"

namespace rackproof::fakes {

using warden::WardenError;

FakeWarden::FakeWarden(support::Clock& clock, std::shared_ptr<FakeDisk> disk, Script script)
    : clock_(clock), disk_(std::move(disk)), script_(std::move(script)) {}

void FakeWarden::refuse_when_gone() const {
  if (!there_) throw WardenError("the warden process is gone");
}

void FakeWarden::open_journal(const std::string& path) {
  refuse_when_gone();
  if (disk_->files.contains(path)) throw WardenError(path + ": cannot create: File exists");
  try {
    disk_->append(path, "");
  } catch (const support::StoreError& error) {
    throw WardenError(error.what());
  }
  journal_ = path;
  seal_ = {};
  opened_ = clock_.now();
}

void FakeWarden::write(const std::string& line) {
  lines_.push_back(line);
  if (journal_.empty()) return;
  try {
    if (!failing_) disk_->append(journal_, seal_.sealed(line) + "\n");
  } catch (const support::StoreError&) {
    failing_ = true;
  }
}

void FakeWarden::sync() {
  if (journal_.empty() || failing_) return;
  try {
    disk_->sync(journal_);
  } catch (const support::StoreError&) {
    failing_ = true;
  }
}

void FakeWarden::on_recorded(const std::string& /*attempt*/, const std::string& /*line*/,
                             bool /*last*/) {}

void FakeWarden::note(std::string_view line, bool durable) {
  refuse_when_gone();
  write(std::string(line));
  if (durable) sync();
  // As with the real one, only who waits for the disk learns at once that it failed.
  if (durable && failing_) throw WardenError(journal_ + ": cannot write: No space left on device");
}

void FakeWarden::record(const std::string& attempt, const std::string& line, bool last) {
  write(line);
  if (last) sync();
  on_recorded(attempt, line, last);
  events_.push_back({attempt, line, last});
}

// A program that would take longer than its deadline is ended there.
void FakeWarden::bound(Running& running) {
  Performance& performance = running.performance;
  const double deadline = running.launch.deadline_seconds;
  if (performance.seconds <= deadline) return;
  performance.seconds = deadline + (performance.ignores_term ? running.launch.grace_seconds : 0);
  performance.facts = journal::End{};
  performance.facts.timed_out = true;
  performance.facts.killed = performance.ignores_term;
  performance.facts.signal = performance.ignores_term ? SIGKILL : SIGTERM;
  performance.facts.state = model::ProcessState::kSleeping;
}

void FakeWarden::start(const warden::Launch& launch) {
  refuse_when_gone();
  launches_.push_back(launch);
  Running running{launch, script_(launch), clock_.now(), 0, 0};
  bound(running);
  running.ends = clock_.now() + running.performance.seconds;
  record(launch.attempt,
         journal::begin_line(launch.attempt, since_open(), launch.head, launch.deadline_seconds,
                             static_cast<std::int64_t>(1000 + launches_.size())),
         false);
  running_[launch.attempt] = std::move(running);
}

void FakeWarden::cancel(const std::string& attempt, const model::Reason<model::CancelReason>& by) {
  refuse_when_gone();
  const auto found = running_.find(attempt);
  if (found == running_.end()) return;
  Running& running = found->second;
  const double grace = running.performance.ignores_term ? running.launch.grace_seconds : 0;
  running.performance.facts = journal::End{};
  running.performance.facts.cancelled_by = by;
  running.performance.facts.signal = grace > 0 ? SIGKILL : SIGTERM;
  running.performance.facts.killed = grace > 0;
  running.ends = std::min(running.ends, clock_.now() + grace);
}

double FakeWarden::next_due() const {
  double due = std::numeric_limits<double>::infinity();
  for (const auto& [attempt, running] : running_) {
    const auto& lines = running.performance.lines;
    due = std::min(due, running.ends);
    if (running.said < lines.size()) due = std::min(due, running.began + lines[running.said].at);
  }
  return due;
}

void FakeWarden::finish(Running& running) {
  journal::End facts = running.performance.facts;
  facts.seconds = clock_.now() - running.began;
  if (facts.signal != 0 || facts.exit_code != 0) facts.progress = running.performance.progress;
  record(running.launch.attempt, end_line(running.launch.attempt, since_open(), facts), true);
}

void FakeWarden::perform_due() {
  for (auto entry = running_.begin(); entry != running_.end();) {
    Running& running = entry->second;
    const auto& lines = running.performance.lines;
    while (running.said < lines.size()) {
      const Line& line = lines[running.said];
      if (running.began + line.at > std::min(clock_.now(), running.ends)) break;
      ++running.said;
      record(running.launch.attempt, out_line(running.launch.attempt, line.text, line.whole),
             false);
    }
    if (running.ends > clock_.now()) {
      ++entry;
      continue;
    }
    finish(running);
    entry = running_.erase(entry);
  }
}

std::vector<warden::Event> FakeWarden::wait(double seconds) {
  refuse_when_gone();
  perform_due();
  if (events_.empty()) {
    clock_.sleep(std::min(seconds, std::max(0.0, next_due() - clock_.now())));
    perform_due();
  }
  std::vector<warden::Event> events(events_.begin(), events_.end());
  events_.clear();
  if (failing_) {
    throw WardenError(journal_ + ": cannot write: No space left on device");
  }
  return events;
}

void FakeWarden::guard(const std::string& attempt, const std::string& head, double deadline) {
  refuse_when_gone();
  guarded_ = attempt;
  guard_began_ = clock_.now();
  guard_deadline_ = guard_began_ + deadline;
  record(attempt, journal::begin_line(attempt, since_open(), head, deadline, 1000), false);
}

void FakeWarden::say(const std::string& attempt, const std::string& line) {
  refuse_when_gone();
  if (attempt == guarded_) record(attempt, out_line(attempt, line), false);
}

void FakeWarden::release(const std::string& attempt, int exit_code) {
  refuse_when_gone();
  if (attempt != guarded_) return;
  journal::End facts;
  facts.seconds = clock_.now() - guard_began_;
  facts.exit_code = exit_code;
  facts.load = guard_load_;
  if (clock_.now() > guard_deadline_) {
    expire_guard();
    throw RankKilled("killed by its warden: it did not come back in time");
  }
  record(attempt, end_line(attempt, since_open(), facts), true);
  guarded_.clear();
}

void FakeWarden::expire_guard() {
  journal::End facts;
  facts.seconds = clock_.now() - guard_began_;
  facts.signal = SIGKILL;
  facts.timed_out = true;
  facts.killed = true;
  facts.state = model::ProcessState::kRunning;
  const std::string attempt = std::exchange(guarded_, "");
  record(attempt, end_line(attempt, since_open(), facts), true);
  vanish();
}

void FakeWarden::end_everything(model::CancelReason by) {
  perform_due();
  for (auto& [attempt, running] : running_) {
    running.performance.facts = journal::End{};
    running.performance.facts.cancelled_by = by;
    running.performance.facts.signal = SIGKILL;
    finish(running);
  }
  running_.clear();
  if (guarded_.empty()) return;
  journal::End facts;
  facts.seconds = clock_.now() - guard_began_;
  facts.cancelled_by = by;
  facts.signal = SIGKILL;
  const std::string attempt = std::exchange(guarded_, "");
  record(attempt, end_line(attempt, since_open(), facts), true);
}

void FakeWarden::close(const model::Reason<model::CloseReason>& reason) {
  if (!there_) return;
  end_everything(model::CancelReason::kRunEnded);
  write(journal::to_json(journal::Close{since_open(), clock_.utc(), reason}));
  sync();
  there_ = false;
  // The real one is asked to close durably.
  if (failing_) throw WardenError(journal_ + ": cannot write: No space left on device");
}

void FakeWarden::vanish() {
  if (!there_) return;
  end_everything(model::CancelReason::kRankGone);
  write(
      journal::to_json(journal::Close{since_open(), clock_.utc(), model::CloseReason::kRankGone}));
  sync();
  there_ = false;
}

void FakeWarden::lose_power(std::size_t torn) {
  there_ = false;
  if (journal_.empty()) return;
  disk_->files[journal_] += out_line("torn", "a line that was being written").substr(0, torn);
}

}  // namespace rackproof::fakes
