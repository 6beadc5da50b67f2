#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "benches/align/align.hpp"

namespace rackproof::align {

/// What aligns: the vector units of a host, or a GPU.
class Engine {
 public:
  virtual ~Engine() = default;

  /// Takes the sequences to where they are aligned. Called before the first pass, and again when
  /// they have changed. `work` stays where it is.
  virtual void load(const Workload& work) = 0;
  /// Aligns one query with every subject, writes a score for each and gives back the seconds that
  /// the alignment took.
  virtual double align(std::int64_t query, std::int32_t* scores) = 0;
  /// Compares what load() put into memory of the engine's own with what it should still be, and
  /// names what is not. Compares nothing where the engine reads the work itself.
  virtual void check_memory(protocol::Check&) {}
  /// Between which ways load() has chosen: a sentence, and what each of them reached.
  struct Choice {
    std::string text;
    contract::Parameters rates;
  };
  virtual std::vector<Choice> choices() const { return {}; }
  /// What was seen of the device since the last call: `power_w` is its mean power, where it tells.
  virtual contract::Parameters state() { return {}; }
  /// What a reader of the record should know: kernels, how many scores were computed again in more
  /// bits.
  virtual contract::Parameters facts() const = 0;
};

/// Times passes over the work, proves their scores by the four oracles and says it: checks
/// align.scores (each score of each pass is that of the first pass, with the digest), align.copies,
/// align.sample, align.memory where the engine has memory of its own and, unless they are only
/// sampled, align.reversed; then the metrics, which are
/// `like` in subject and conditions; and in a note what the proof took beside the passes. The work
/// is turned round and back.
void measure(const Settings& settings, const Scoring& scoring, std::uint64_t seed, Workload& work,
             Engine& engine, Crew& crew, protocol::Metric like, kit::Session& session);

}  // namespace rackproof::align
