#include "benches/swing/measure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <utility>

#include "benches/kit/errors.hpp"
#include "benches/kit/results.hpp"
#include "benches/swing/collect.hpp"
#include "benches/swing/notes.hpp"
#include "benches/swing/page.hpp"
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

// What has a sensor of its own, on rank 0. While power is read all ranks wait for it.
std::vector<Sensed> sensed_of(const Ranks& ranks, const OwnClock& clock, const Parts& parts,
                              const std::vector<std::string>& names) {
  std::optional<double> idle;
  if (parts.sensor != nullptr) idle = idle_watts(*parts.sensor, clock, kIdleSeconds);
  const auto limit =
      parts.sensor == nullptr ? std::optional<double>() : parts.sensor->limit_watts();
  const EventCounts counts = parts.counters->read();
  std::vector<double> mine{parts.looks ? 1.0 : 0.0, static_cast<double>(parts.lack),
                           idle.value_or(-1), limit.value_or(-1)};
  for (const auto& count : counts) mine.push_back(count ? 1 : 0);
  std::vector<Sensed> all;
  const auto rows = ranks.gather(mine);
  for (std::size_t rank = 0; rank < rows.size(); ++rank) {
    const auto& row = rows[rank];
    if (row[0] == 0) continue;
    Sensed& one = all.emplace_back();
    one.name = names[rank];
    one.lack = static_cast<Lack>(static_cast<int>(row[1]));
    if (row[2] >= 0) one.idle_watts = row[2];
    if (row[3] >= 0) one.limit_watts = row[3];
    for (std::size_t event = 0; event < kEvents.size(); ++event) {
      one.counted[event] = row[4 + event] != 0;
    }
  }
  return all;
}

// What smoothing each rank's GPU is set to, on rank 0.
std::vector<Smoothing> smoothing_of(const Ranks& ranks, const Smoothing& mine) {
  constexpr double kNone = -1;
  const std::array told{mine.enabled ? static_cast<double>(*mine.enabled) : kNone,
                        mine.profile.value_or(kNone),
                        mine.floor_watts.value_or(kNone),
                        mine.rise_watts_a_second.value_or(kNone),
                        mine.fall_watts_a_second.value_or(kNone),
                        mine.hysteresis_seconds.value_or(kNone)};
  std::vector<Smoothing> all;
  for (const auto& row : ranks.gather(told)) {
    Smoothing& one = all.emplace_back();
    const auto at = [&](std::size_t field) {
      return row[field] < 0 ? std::optional<double>() : row[field];
    };
    if (const auto enabled = at(0)) one.enabled = *enabled != 0;
    one.profile = at(1);
    one.floor_watts = at(2);
    one.rise_watts_a_second = at(3);
    one.fall_watts_a_second = at(4);
    one.hysteresis_seconds = at(5);
  }
  return all;
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
std::string stopped_by(const Ranks& ranks, const std::vector<std::string>& names, Event stop,
                       const Run& run, const RunResult& mine) {
  const auto rows =
      ranks.gather(std::vector<double>{mine.came[static_cast<std::size_t>(stop)] ? 1.0 : 0.0});
  std::set<std::string> places;
  for (std::size_t rank = 0; rank < rows.size(); ++rank) {
    if (rows[rank].front() != 0) places.insert(names[rank]);
  }
  return fmt::format(
      "stopped by {} on {} ({}); nothing was run after that. Whether it takes a load in step shows "
      "--on-limit go-on",
      text_of(stop), fmt::join(places, ", "), title_of(run, ranks.size()));
}

bool can_be_written(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::exists(file, error)) return access(file.c_str(), W_OK) == 0;
  const std::filesystem::path folder = file.parent_path();
  return access(folder.empty() ? "." : folder.c_str(), W_OK) == 0;
}

// Before hours are spent on what could not be drawn. Collective.
void require_page(const Config& config, const Ranks& ranks) {
  const bool draws = ranks.rank() == 0 && !config.page.empty();
  if (!ranks.any(draws && !can_be_written(config.page))) return;
  throw kit::UsageError(fmt::format("--page {}: it cannot be written", config.page));
}

// What all ranks know of each other before anything is run; on rank 0.
struct Ground {
  std::vector<std::string> names;
  std::vector<Sensed> sensed;
  std::vector<Smoothing> smoothing;
};

class Measurement {
 public:
  Measurement(const Config& config, const Ranks& ranks, const OwnClock& clock, const Plants& plants,
              const Kind& kind, const Parts& parts, Ground ground, kit::Session& session)
      : config_(config),
        ranks_(ranks),
        session_(session),
        kind_(kind),
        parts_(parts),
        ground_(std::move(ground)),
        headroom_(headroom_of(ground_.sensed)),
        runner_(ranks, config, plants, clock, parts, kind.stop),
        tally_(config, ranks.size(), headroom_, parts.load->proof()),
        swung_(ground_.names.size()) {}

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
      if (mine.stopped) return stopped_by(ranks_, ground_.names, kind_.stop, run, mine);
      const Collected all = collect(ranks_, run, config_.duty, parts_.load->element(), mine);
      if (ranks_.rank() == 0) add(run, all);
    }
    return "";
  }

  const Questions& questions() const { return runner_.questions(); }

  void say_ground(const Clocks& clocks) {
    const std::string fault = fault_of(config_);
    if (!fault.empty()) about_.push_back("test-only faults: " + fault);
    for (const protocol::Note& note :
         {note_of(clocks), note_of(ground_.sensed, kind_.sensed, kind_.power),
          parts_.load->note()}) {
      about_.push_back(note.text);
      say(note);
    }
  }

  void say() {
    tally_.say(session_);
    for (const Event event : kEvents) {
      const std::string text = sentence(event, arms_[static_cast<std::size_t>(event)]);
      if (text.empty()) continue;
      about_.push_back(text);
      session_.note(text, {{"event", std::string(text_of(event))}});
    }
    if (!kind_.smooths) return;
    for (const protocol::Note& note : notes_of(ground_.names, ground_.smoothing, swung_)) {
      about_.push_back(note.text);
      say(note);
    }
  }

  /// Draws what was run, where that was asked for.
  void draw() const {
    if (config_.page.empty()) return;
    std::ofstream file(config_.page);
    file << page_of(drawn_, about_) << std::flush;
    if (!file) throw kit::UsageError(fmt::format("--page {}: it cannot be written", config_.page));
  }

 private:
  void say(protocol::Note note) const {
    session_.note(std::move(note.text), std::move(note.facts));
  }

  void add(const Run& run, const Collected& all) {
    tally_.add(run, all);
    if (run.kind == Run::Kind::kStage) return;
    count_events(run, all.came, ground_.names, ranks_.hosts(), arms_);
    for (std::size_t rank = 0; rank < swung_.size(); ++rank) {
      if (all.swung[rank]) swung_[rank].push_back(*all.swung[rank]);
    }
    Series alone;
    add_run(run, config_, all, headroom_, alone);
    const protocol::Note note = note_of(run, config_, all, alone, ground_.names);
    drawn_.push_back(drawn_of(run, config_, ranks_.size(), all, note.text));
    say(note);
  }

  const Config& config_;
  const Ranks& ranks_;
  kit::Session& session_;
  const Kind& kind_;
  const Parts& parts_;
  Ground ground_;
  Headroom headroom_;
  Runner runner_;
  Tally tally_;
  std::vector<std::vector<Swung>> swung_;
  std::array<Arms, kEvents.size()> arms_{};
  std::vector<Drawn> drawn_;
  std::vector<std::string> about_;
};

}  // namespace

void measure(const Config& config, const Kind& kind, kit::Session& session) {
  session.progress().begin("bringing up the group", 0);
  std::unique_ptr<Ranks> made;
  session.progress().exchange([&] { made = std::make_unique<Ranks>(); });
  const Ranks& ranks = *made;
  if (ranks.size() < 2) {
    throw kit::UsageError("expected at least 2 ranks, as of mpirun -n 2: one alone is in step");
  }
  require_page(config, ranks);
  const Plants plants = plants_of(config.plant, ranks.size());
  const std::vector<Run> runs = runs_of(config, ranks.size());
  const Parts parts = kind.make(ranks, config);
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
  Ground ground;
  ground.names = ranks.names(parts.name);
  ground.sensed = sensed_of(ranks, clock, parts, ground.names);
  ground.smoothing = smoothing_of(ranks, parts.smoothing);
  Measurement measurement(config, ranks, clock, plants, kind, parts, std::move(ground), session);
  const bool first = ranks.rank() == 0;
  if (first) measurement.say_ground(clocks);
  const std::string ended = measurement.run(runs);
  if (!first) return;
  questions.asked += measurement.questions().asked;
  questions.contradicting += measurement.questions().contradicting;
  say_clocks(clocks, config, questions, session);
  measurement.say();
  measurement.draw();
  if (!ended.empty()) throw kit::DeviceError(ended);
  session.phase("done", 1);
}

}  // namespace rackproof::swing
