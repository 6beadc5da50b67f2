#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "benches/protocol/record.hpp"
#include "harness/ingest/record_reader.hpp"
#include "harness/journal/entry.hpp"
#include "reports/model/attempt.hpp"
#include "reports/model/cell_key.hpp"

namespace rackproof::ingest {

/// A bench that says more is broken, and a broken bench must not fill the memory of rank 0.
inline constexpr std::size_t kMaxSeriesValues = 4'000'000;

/// Turns the journal lines of one attempt into an Attempt. The transcript is held to the protocol:
/// the first thing wrong (not JSON, no `hello` first, a stale or foreign nonce, a unit that is no
/// base unit, the same cell or check twice, a second token or one of another form, a member other
/// than the first that speaks for its group, a series without samples or with samples that come
/// late, a value that is not the statistic of its samples, records after `end`, an exit code that
/// is not the one in `end`, more than may be held) makes the ending Garbled; no `end` makes it
/// Truncated. Measurements said before stay in the attempt, for the evidence; the judge does not
/// count them.
class Transcript {
 public:
  /// Take what the journal has of this attempt.
  void take(const journal::Begin& begin);
  void take(const journal::Out& out);
  void take(const journal::End& end);
  /// The same for one of these; entries of other kinds say nothing here.
  void take(const journal::Entry& entry);

  const std::string& nonce() const { return attempt_.nonce; }
  bool over() const { return over_; }
  /// What the bench said it was doing last, with the fraction done.
  const std::optional<protocol::Phase>& phase() const { return phase_; }
  /// The first token that the bench gave, of whatever form.
  const std::optional<protocol::Token>& token() const { return token_; }
  bool dropped_output() const { return dropped_ > 0; }
  int leftovers() const { return leftovers_; }
  /// Notes with a fact `event`: what a recorder told.
  const std::vector<protocol::Note>& events() const { return events_; }
  /// Processes that the kernel killed for want of memory meanwhile.
  int oom_kills() const { return oom_kills_; }

  /// The attempt so far. Before its `end` the ending is RankLost: nothing more will come.
  model::Attempt attempt() const;
  /// The same, for who asks no more: its measurements are given away.
  model::Attempt take_attempt();

 private:
  /// What it keeps of all that was said: each has its bound.
  struct Held {
    std::size_t series_values = 0;
    std::size_t samples = 0;  ///< by the measurements, whoever else names them
    std::size_t bytes = 0;    ///< about what all that it said takes, the samples included
    std::size_t note_bytes = 0;
    int notes_left_out = 0;
    bool too_much = false;
  };

  void take_record(const Incoming& incoming);
  void take_note(std::string text);
  void take(const protocol::Hello& hello);
  void take(const protocol::Metric& metric);
  void take(const protocol::Check& check);
  void take(const protocol::Sample& sample);
  void blame(const std::string& what);
  static std::size_t bytes_of(const model::CheckResult& check);
  void hold(const protocol::Metric& metric);
  void hold(std::size_t samples, std::size_t bytes);
  void settle();
  void take(const protocol::Token& token);
  model::Subject subject_of(const protocol::Subject& subject);
  model::Subject link_of(const protocol::Subject& subject);
  model::Ending classify(const journal::End& end) const;
  void prove(std::vector<model::Measurement>& measurements) const;

  model::Attempt attempt_;
  journal::Ends ends_;
  std::vector<std::pair<model::Measurement, std::string>>
      measurements_;  ///< each with its check's name
  std::map<std::string, std::size_t> check_places_;
  std::set<model::CellKey> answered_;  ///< of what was measured
  std::map<std::int64_t, std::vector<double>> series_;
  std::set<std::int64_t> named_series_;  ///< those that a metric owns: nothing more may come
  Held held_;
  std::optional<protocol::Phase> phase_;
  std::optional<protocol::Token> token_;
  std::vector<protocol::Note> events_;
  std::optional<protocol::End> end_record_;
  std::string garbled_;
  int records_ = 0;
  bool over_ = false;
  std::int64_t dropped_ = 0;
  int leftovers_ = 0;
  int oom_kills_ = 0;
};

}  // namespace rackproof::ingest
