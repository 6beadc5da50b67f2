#include "benches/align/align.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "benches/align/fasta.hpp"
#include "benches/align/matrix_file.hpp"
#include "benches/kit/errors.hpp"
#include "benches/kit/host.hpp"
#include "benches/kit/results.hpp"
#include "benches/kit/statistics.hpp"

namespace rackproof::align {
namespace {

Alphabet alphabet_of(const Settings& settings) {
  return settings.alphabet == "dna" ? Alphabet::kDna : Alphabet::kProtein;
}

Matrix matrix_of(const Settings& settings) {
  const Alphabet alphabet = alphabet_of(settings);
  if (!settings.matrix_file.empty()) return read_matrix_file(settings.matrix_file, alphabet);
  if (alphabet == Alphabet::kProtein) return matrix_named(settings.matrix);
  return dna_matrix(static_cast<int>(settings.match), static_cast<int>(settings.mismatch));
}

// Residues and where they lie; and the scores, twice, for two passes are compared.
void demand_memory(std::int64_t residues, std::int64_t subjects, std::int64_t queries) {
  const double needed =
      static_cast<double>(residues) + 8.0 * static_cast<double>(subjects) +
      2.0 * sizeof(std::int32_t) * static_cast<double>(subjects) * static_cast<double>(queries);
  const std::int64_t available = kit::available_memory_bytes();
  if (needed <= static_cast<double>(available)) return;
  throw kit::Unavailable(
      fmt::format("{} subjects of {} residues and their scores against {} queries take {:.0f} "
                  "bytes, and {} bytes "
                  "of memory are available",
                  subjects, residues, queries, needed, available));
}

}  // namespace

void declare(kit::Options& options, Settings& settings) {
  options.choice("alphabet", settings.alphabet, {"protein", "dna"},
                 "what the sequences are made of");
  options.choice("matrix", settings.matrix, matrix_names(), "scores of two amino acids");
  options.text("matrix-file", settings.matrix_file, "scores of two letters, as NCBI writes them");
  options.integer("match", settings.match, 1, 127, "dna: score of two equal bases");
  options.integer("mismatch", settings.mismatch, -127, -1, "dna: score of two others");
  options.text(
      "gap", settings.gap,
      "EXISTENCE,EXTENSION as BLAST has it: a gap of k residues costs EXISTENCE + k * EXTENSION; "
      "11,1 for proteins and 5,2 for dna where it is not given");
  options.text("query", settings.query, "FASTA file of the queries, together with --database");
  options.text("database", settings.database, "FASTA file of the subjects, together with --query");
  options.integer("queries", settings.queries, 1, kDrawnQueries,
                  "queries that are drawn, the shortest ones");
  options.integer("subjects", settings.subjects, 0, std::int64_t{1} << 30,
                  "subjects that are drawn; 0: as many as keep all threads, or the GPU, busy");
  options.integer("threads", settings.threads, 0, 65536,
                  "threads of the host; 0: one for each core allowed");
  options.number("seconds", settings.seconds, 0, 86400, "least time of the timed passes");
  options.integer("passes", settings.passes, 1, 1'000'000, "least number of timed passes");
  options.integer("seed", settings.seed, 0, INT64_MAX,
                  "what sequences and sample are drawn from; 0: others in each run");
  options.integer("sample-cells", settings.sample_cells, 1, INT64_MAX / 2,
                  "cells that are computed again by a scalar reference");
  options.choice("verify", settings.verify, {"full", "sampled"},
                 "full: all again with each sequence turned round, which takes as long as a pass");
  options.text("scores", settings.scores,
               "file to write: a line of query, subject and score, with tabs, for each of them");
  options.choice(
      "fault", settings.fault, {"none", "table", "tile", "stop", "letter"},
      "test only: a wrong entry in the table of scores, subjects left out, queries cut, or a wrong "
      "letter of a subject");
}

Fault fault_of(const Settings& settings) {
  if (settings.fault == "table") return Fault::kTable;
  if (settings.fault == "tile") return Fault::kTile;
  if (settings.fault == "stop") return Fault::kStop;
  if (settings.fault == "letter") return Fault::kLetter;
  return Fault::kNone;
}

std::string fault_name(const Settings& settings) {
  return fault_of(settings) == Fault::kNone ? "" : "fault:" + settings.fault;
}

Scoring scoring_of(const Settings& settings) {
  const bool protein = alphabet_of(settings) == Alphabet::kProtein;
  const std::string usual = protein ? "11,1" : "5,2";
  return {matrix_of(settings), parse_gap(settings.gap.empty() ? usual : settings.gap)};
}

Scoring engine_scoring(const Scoring& scoring, Fault fault) {
  Scoring used = scoring;
  if (fault != Fault::kTable) return used;
  const bool protein = scoring.matrix.alphabet == Alphabet::kProtein;
  const Residue frequent = *residue_of(scoring.matrix.alphabet, protein ? 'L' : 'A');
  used.matrix.set(frequent, frequent, scoring.matrix.score(frequent, frequent) - 1);
  return used;
}

ResiduePlace place_to_change(const Workload& work) {
  if (work.copies.empty()) return {};
  const Copy& copy = work.copies.front();
  const auto query = work.queries.at(copy.query);
  const auto subject = work.database.at(copy.subject);
  const auto begin = std::search(subject.begin(), subject.end(), query.begin(), query.end());
  const auto middle = begin - subject.begin() + static_cast<std::ptrdiff_t>(query.size()) / 2;
  return {copy.subject, std::min<std::int64_t>(middle, work.database.length(copy.subject) - 1)};
}

Residue other_letter(Alphabet alphabet, Residue residue) {
  const auto known = static_cast<unsigned>(unknown_of(alphabet));
  return static_cast<Residue>((residue + 1U) % known);
}

Workload workload_of(const Settings& settings, const Scoring& scoring, std::int64_t subjects,
                     std::uint64_t seed, Crew& crew) {
  if (settings.database.empty() != settings.query.empty()) {
    throw kit::UsageError("--database and --query belong together: expected both or none of them");
  }
  const Alphabet alphabet = scoring.matrix.alphabet;
  if (from_files(settings)) {
    const std::int64_t available = kit::available_memory_bytes();
    Sequences queries = read_fasta_file(settings.query, alphabet, kMostQueryResidues, available);
    Sequences database =
        read_fasta_file(settings.database, alphabet, kMostSubjectResidues, available);
    demand_memory(0, database.size(), queries.size());
    return given_workload(scoring.matrix, std::move(queries), std::move(database));
  }
  const std::int64_t count = settings.subjects == 0 ? subjects : settings.subjects;
  if (count < kLeastSubjects) {
    throw kit::UsageError(
        fmt::format("--subjects {}: expected at least {}", count, kLeastSubjects));
  }
  constexpr std::int64_t kMeanLength = 370;  // whole queries among them
  demand_memory(count * kMeanLength, count, settings.queries);
  return drawn_workload(scoring.matrix, seed, count, crew, settings.queries);
}

contract::Parameters parameters(const Settings& settings, const Scoring& scoring,
                                const Workload& work, std::int64_t query) {
  return {{"matrix", scoring.matrix.name},
          {"gap_existence", std::int64_t{scoring.gap.existence}},
          {"gap_extension", std::int64_t{scoring.gap.extension}},
          {"data", std::string(from_files(settings) ? "given" : "drawn")},
          {"query", query < 0 ? "all" : std::to_string(work.queries.length(query))}};
}

void say_rates(const Settings& settings, const Scoring& scoring, const Workload& work,
               const PassSeconds& seconds, const protocol::Metric& like, kit::Session& session) {
  const auto say = [&](std::int64_t query, double cells, const std::vector<double>& times) {
    protocol::Metric metric = like;
    metric.name = "align.rate";
    metric.unit = "cells/s";
    kit::put_samples(metric, contract::Statistic::kMedian, kit::rates(cells, times));
    metric.parameters = parameters(settings, scoring, work, query);
    session.metric(std::move(metric));
  };
  std::vector<double> whole;
  for (const std::vector<double>& pass : seconds) {
    double sum = 0;
    for (const double time : pass) sum += time;
    whole.push_back(sum);
  }
  say(-1, work.cells(), whole);
  // Lengths of given queries need not differ.
  if (from_files(settings)) return;
  for (std::int64_t query = 0; query < work.queries.size(); ++query) {
    std::vector<double> times;
    for (const std::vector<double>& pass : seconds)
      times.push_back(pass[static_cast<std::size_t>(query)]);
    say(query, work.cells(query), times);
  }
}

void say_efficiency(const Settings& settings, const Scoring& scoring, const Workload& work,
                    const Cost& cost, const protocol::Metric& like, kit::Session& session) {
  const double joules = cost.watts * cost.seconds;
  if (!(joules > 0)) return;
  protocol::Metric metric = like;
  metric.name = "align.efficiency";
  metric.unit = "cells/J";
  kit::put_samples(metric, contract::Statistic::kMean,
                   {work.cells() * static_cast<double>(cost.passes) / joules});
  metric.parameters = parameters(settings, scoring, work, -1);
  session.metric(std::move(metric));
}

}  // namespace rackproof::align
