#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "benches/align/proof.hpp"
#include "benches/align/scoring.hpp"
#include "benches/align/workload.hpp"
#include "benches/kit/options.hpp"
#include "benches/kit/session.hpp"

namespace rackproof::align {

/// A test-only fault of the alignment itself (a bit of a score is --inject's).
enum class Fault {
  kNone,
  kTable,   ///< one entry of the engine's table of scores is another
  kTile,    ///< a block of subjects is never aligned with the first query
  kStop,    ///< the last quarter of each query is never reached
  kLetter,  ///< one residue of a subject is another where the engine has it
};

/// What both programs can be asked for.
struct Settings {
  std::string alphabet = "protein";
  std::string matrix = "BLOSUM62";
  std::string matrix_file;
  std::int64_t match = 2;
  std::int64_t mismatch = -3;
  std::string gap;  ///< empty: 11,1 for proteins and 5,2 for DNA
  std::string query;
  std::string database;
  std::int64_t queries = kDrawnQueries;  ///< that are drawn, the shortest
  std::int64_t subjects = 0;             ///< 0: the program chooses
  std::int64_t threads = 0;              ///< of the host; 0: one for each core allowed
  double seconds = 5;                    ///< least time of the timed passes
  std::int64_t passes = 3;               ///< least number of them
  std::int64_t seed = 1;                 ///< 0: a new one
  std::int64_t sample_cells = 100'000'000;
  std::string verify = "full";
  std::string scores;  ///< file that every score is written to; empty for none
  std::string fault = "none";
};

void declare(kit::Options& options, Settings& settings);

/// Whether the sequences are read rather than drawn.
inline bool from_files(const Settings& settings) { return !settings.database.empty(); }

Fault fault_of(const Settings& settings);
/// As `hello` has it; empty for none.
std::string fault_name(const Settings& settings);

/// The scoring that was asked for, files read. Throws UsageError.
Scoring scoring_of(const Settings& settings);

/// The scoring with which an engine works under a fault: Fault::kTable changes what the most
/// frequent residue is worth against itself.
Scoring engine_scoring(const Scoring& scoring, Fault fault);

/// What Fault::kLetter changes.
struct ResiduePlace {
  std::int64_t subject = 0;
  std::int64_t residue = 0;
};
/// The middle of the first copy of a query; the first residue of all where there is none.
ResiduePlace place_to_change(const Workload& work);
/// Another letter than `residue`.
Residue other_letter(Alphabet alphabet, Residue residue);

/// Queries and database that were asked for, read or drawn; `subjects` stands for
/// Settings::subjects 0. Throws UsageError for files that are not as they should be, and
/// Unavailable where all of it would not fit into memory.
Workload workload_of(const Settings& settings, const Scoring& scoring, std::int64_t subjects,
                     std::uint64_t seed, Crew& crew);

/// What tells the metric of one query (-1: all of them) from that of another: matrix, gap, query,
/// data.
contract::Parameters parameters(const Settings& settings, const Scoring& scoring,
                                const Workload& work, std::int64_t query);

/// Seconds of the timed passes: of each pass for each query.
using PassSeconds = std::vector<std::vector<double>>;

/// Says the metrics align.rate, in cells/s: of all queries together and of each where they were
/// drawn. Each pass is a sample; `check` is the name of the check of every score.
void say_rates(const Settings& settings, const Scoring& scoring, const Workload& work,
               const PassSeconds& seconds, const protocol::Metric& like, kit::Session& session);

/// What all timed passes took.
struct Cost {
  double seconds = 0;
  std::int64_t passes = 0;
  double watts = 0;  ///< mean power
};

/// Says align.efficiency: cells for each joule, in all passes with all queries.
void say_efficiency(const Settings& settings, const Scoring& scoring, const Workload& work,
                    const Cost& cost, const protocol::Metric& like, kit::Session& session);

}  // namespace rackproof::align
