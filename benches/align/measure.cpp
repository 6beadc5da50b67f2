#include "benches/align/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "benches/align/scores_file.hpp"
#include "benches/kit/clock.hpp"
#include "benches/kit/inject.hpp"
#include "benches/kit/results.hpp"

namespace rackproof::align {
namespace {

constexpr const char* kEachScore = "align.scores";

class Measurement {
 public:
  Measurement(const Settings& settings, const Scoring& scoring, std::uint64_t seed, Workload& work,
              Engine& engine, Crew& crew, kit::Session& session)
      : settings_(settings),
        scoring_(scoring),
        seed_(seed),
        work_(work),
        engine_(engine),
        crew_(crew),
        session_(session),
        first_(work.queries.size(), work.database.size()),
        other_(work.queries.size(), work.database.size()),
        file_(settings.scores),
        each_(kit::check_of(kEachScore, "")) {}

  void run(protocol::Metric like) {
    say_work();
    session_.phase("loading", 0);
    engine_.load(work_);
    passes();
    state_ = engine_.state();
    prove();
    if (settings_.verify == "full") turn_round();
    file_.write(work_, first_);
    say_costs();
    like.check = kEachScore;
    say_rates(settings_, scoring_, work_, seconds_, like, session_);
    if (const auto power = state_.find("power_w"); power != state_.end()) {
      say_efficiency(
          settings_, scoring_, work_,
          {timed_, static_cast<std::int64_t>(seconds_.size()), std::get<double>(power->second)},
          like, session_);
    }
    session_.phase("done", 1);
  }

 private:
  void say_work() {
    session_.note(
        fmt::format("{} queries against {} subjects of {} residues, seed {}", work_.queries.size(),
                    work_.database.size(), work_.database.total(), seed_),
        {{"queries", work_.queries.size()},
         {"subjects", work_.database.size()},
         {"residues", work_.database.total()},
         {"longest_subject", work_.database.longest()},
         {"cells", work_.cells()},
         {"gap_first", std::int64_t{scoring_.gap.first()}},
         {"gap_next", std::int64_t{scoring_.gap.next()}},
         {"seed", static_cast<std::int64_t>(seed_)}});
  }

  // Nothing of an earlier pass may be taken for a score of this one.
  double pass(Scores& scores, std::vector<double>* times) {
    scores.forget();
    double sum = 0;
    for (std::int64_t query = 0; query < work_.queries.size(); ++query) {
      const double seconds = engine_.align(query, scores.of_query(query));
      sum += seconds;
      if (times != nullptr) times->push_back(seconds);
    }
    return sum;
  }

  bool another() const {
    return static_cast<std::int64_t>(seconds_.size()) < settings_.passes ||
           timed_ < settings_.seconds;
  }

  void passes() {
    while (another()) {
      const double done =
          static_cast<double>(seconds_.size()) / static_cast<double>(settings_.passes);
      const double part = settings_.seconds > 0 ? timed_ / settings_.seconds : 1;
      session_.phase("aligning", 0.6 * std::min({done, part, 1.0}));
      const bool begins = seconds_.empty();
      Scores& scores = begins ? first_ : other_;
      seconds_.emplace_back();
      timed_ += pass(scores, &seconds_.back());
      if (const auto fault = session_.injection(); fault && !another()) {
        kit::flip(*fault, scores.data(), scores.size(), sizeof(std::int32_t));
      }
      const double start = kit::now_seconds();
      if (begins) {
        check_written(work_, first_, each_);
      } else {
        check_equal(work_, first_, other_, fmt::format("pass {}, ", seconds_.size()), each_);
      }
      proof_seconds_ += kit::now_seconds() - start;
    }
  }

  // Machines with different numbers of cores draw different numbers of subjects, and vote on those
  // that all of them have.
  std::int64_t voted() const {
    const bool by_machine = settings_.subjects == 0 && !from_files(settings_);
    return by_machine ? std::min(kFewestDrawn, work_.database.size()) : work_.database.size();
  }

  void prove() {
    session_.phase("proving", 0.6);
    const double start = kit::now_seconds();
    each_.digest = digest(first_, voted());
    each_.detail = fmt::format("every score of {} passes is there and that of the first pass",
                               seconds_.size());
    if (voted() < work_.database.size()) {
      each_.detail += fmt::format("; the digest is of the first {} subjects", voted());
    }
    kit::decide(each_);
    session_.check(each_);
    if (!work_.copies.empty()) {
      protocol::Check copies = kit::check_of(
          "align.copies", "subjects that hold a whole query score what its residues are worth");
      check_copies(work_, first_, copies);
      kit::decide(copies);
      session_.check(copies);
    }
    const std::vector<Pair> sample = draw_sample(work_, seed_, settings_.sample_cells);
    protocol::Check sampled = kit::check_of(
        "align.sample",
        fmt::format(
            "a scalar program in 32 bits gives the same scores for {} pairs of {:.0f} cells",
            sample.size(), cells_of(work_, sample)));
    check_sample(work_, scoring_, sample, first_, crew_, sampled);
    kit::decide(sampled);
    session_.check(sampled);
    check_memory();
    proof_seconds_ += kit::now_seconds() - start;
  }

  // Scores tell of a wrong letter only where it is worth another score.
  void check_memory() {
    protocol::Check memory = kit::check_of(
        "align.memory", "sequences and scores are in the engine's memory as they were put there");
    engine_.check_memory(memory);
    if (memory.compared == 0) return;
    kit::decide(memory);
    session_.check(memory);
  }

  // Best alignments are the same read from the other end, but all that leads to them is different.
  void turn_round() {
    session_.phase("aligning all of it turned round", 0.7);
    const double start = kit::now_seconds();
    reverse_each(work_.queries);
    reverse_each(work_.database);
    engine_.load(work_);
    pass(other_, nullptr);
    reverse_each(work_.queries);
    reverse_each(work_.database);
    protocol::Check reversed = kit::check_of(
        "align.reversed", "with each sequence read from its end every score is the same");
    check_equal(work_, other_, first_, "", reversed);
    kit::decide(reversed);
    session_.check(reversed);
    reversed_seconds_ = kit::now_seconds() - start;
  }

  void say_costs() {
    for (const Engine::Choice& choice : engine_.choices()) {
      session_.note(choice.text, choice.rates);
    }
    contract::Parameters facts = engine_.facts();
    facts.insert(state_.begin(), state_.end());
    facts["timed_seconds"] = timed_;
    facts["proof_seconds"] = proof_seconds_;
    facts["reversed_seconds"] = reversed_seconds_;
    session_.note(fmt::format("proof of the scores {:.2f} % of the timed {:.2f} s, and {:.2f} s "
                              "all of it turned round",
                              100 * proof_seconds_ / timed_, timed_, reversed_seconds_),
                  std::move(facts));
  }

  const Settings& settings_;
  const Scoring& scoring_;
  std::uint64_t seed_;
  Workload& work_;
  Engine& engine_;
  Crew& crew_;
  kit::Session& session_;
  Scores first_;
  Scores other_;
  ScoresFile file_;
  protocol::Check each_;
  PassSeconds seconds_;
  contract::Parameters state_;
  double timed_ = 0;
  double proof_seconds_ = 0;
  double reversed_seconds_ = 0;
};

}  // namespace

void measure(const Settings& settings, const Scoring& scoring, std::uint64_t seed, Workload& work,
             Engine& engine, Crew& crew, protocol::Metric like, kit::Session& session) {
  Measurement(settings, scoring, seed, work, engine, crew, session).run(std::move(like));
}

}  // namespace rackproof::align
