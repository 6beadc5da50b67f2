#include <fmt/format.h>
#include <parasail.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "benches/align/align.hpp"
#include "benches/align/crew.hpp"
#include "benches/align/proof.hpp"
#include "benches/kit/clock.hpp"

// What align-host aligns, aligned by parasail on as many threads: for each query by that of its
// functions that was the fastest on a part of the database. Prints one JSON object: cells, seconds,
// the digest of all scores as align-host forms it, and the functions.
//
//   align_parasail SUBJECTS SEED
using namespace rackproof;
using namespace rackproof::align;

namespace {

constexpr std::int64_t kPart = 8;  // each eighth subject chooses
constexpr std::int64_t kBlock = 16;

using Result = std::unique_ptr<parasail_result_t, decltype(&parasail_result_free)>;
using Profile = std::unique_ptr<parasail_profile_t, decltype(&parasail_profile_free)>;

struct Job {
  const Scoring& scoring;
  const parasail_matrix_t* matrix;
  const std::string& query;
  const std::vector<std::string>& subjects;
  Crew& crew;
};

using Plain = parasail_result_t* (*)(const char*, int, const char*, int, int, int,
                                     const parasail_matrix_t*);
using Create = parasail_profile_t* (*)(const char*, int, const parasail_matrix_t*);
using Profiled = parasail_result_t* (*)(const parasail_profile_t*, const char*, int, int, int);

struct Function {
  const char* name;
  Plain plain;
  Create create;
  Profiled profiled;
};

// Of those that give any score right: 8 bits and then 16 (sat), or 16 at once.
constexpr std::array kFunctions = {
    Function{"striped_profile_sat", nullptr, parasail_profile_create_sat,
             parasail_sw_striped_profile_sat},
    Function{"striped_profile_16", nullptr, parasail_profile_create_16,
             parasail_sw_striped_profile_16},
    Function{"scan_profile_sat", nullptr, parasail_profile_create_sat,
             parasail_sw_scan_profile_sat},
    Function{"scan_profile_16", nullptr, parasail_profile_create_16, parasail_sw_scan_profile_16},
    Function{"diag_sat", parasail_sw_diag_sat, nullptr, nullptr},
    Function{"diag_16", parasail_sw_diag_16, nullptr, nullptr}};

int length(const std::string& text) { return static_cast<int>(text.size()); }

// Seconds for each `step`th subject, whose scores it writes.
double align_all(const Job& job, const Function& function, std::int64_t step,
                 std::int32_t* scores) {
  const double began = kit::now_seconds();
  const Profile profile(function.create == nullptr
                            ? nullptr
                            : function.create(job.query.data(), length(job.query), job.matrix),
                        parasail_profile_free);
  const auto subjects = static_cast<std::int64_t>(job.subjects.size());
  const int first = job.scoring.gap.first();
  const int next = job.scoring.gap.next();
  const std::int64_t stride = kBlock * step;
  job.crew.run((subjects + stride - 1) / stride, [&](std::int64_t block, int) {
    const std::int64_t end = std::min(subjects, (block + 1) * stride);
    for (std::int64_t i = block * stride; i < end; i += step) {
      const std::string& subject = job.subjects[static_cast<std::size_t>(i)];
      const Result result(
          profile ? function.profiled(profile.get(), subject.data(), length(subject), first, next)
                  : function.plain(job.query.data(), length(job.query), subject.data(),
                                   length(subject), first, next, job.matrix),
          parasail_result_free);
      if (parasail_result_is_saturated(result.get()) != 0) {
        std::cerr << function.name << ": a score does not fit\n";
        std::exit(1);
      }
      scores[i] = result->score;
    }
  });
  return kit::now_seconds() - began;
}

// The 16 bits of diag in parasail 2.6.0 give -32755 for any score, so that the diag functions can't
// be trusted: one that does not say what the first one does is not chosen.
bool gives_the_scores(const Job& job, const std::int32_t* scores, const std::int32_t* right) {
  for (std::size_t block = 0; block < job.subjects.size(); block += kBlock * kPart) {
    const std::size_t end = std::min<std::size_t>(job.subjects.size(), block + kBlock * kPart);
    for (std::size_t i = block; i < end; i += kPart) {
      if (scores[i] != right[i]) return false;
    }
  }
  return true;
}

const Function& fastest(const Job& job) {
  std::vector<std::int32_t> right(job.subjects.size());
  std::vector<std::int32_t> scores(job.subjects.size());
  const Function* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const Function& function : kFunctions) {
    std::int32_t* const own = best == nullptr ? right.data() : scores.data();
    const double seconds = align_all(job, function, kPart, own);
    if (seconds >= least || !gives_the_scores(job, own, right.data())) continue;
    least = seconds;
    best = &function;
  }
  return *best;
}

// Its BLOSUM62 is of an older file, in which X is worth more or less than -1 against some letters.
parasail_matrix_t* newer_blosum62() {
  parasail_matrix_t* const matrix = parasail_matrix_copy(parasail_matrix_lookup("blosum62"));
  const int unknown = matrix->mapper[static_cast<unsigned char>('X')];
  for (const char letter : letters_of(Alphabet::kProtein)) {
    const int other = matrix->mapper[static_cast<unsigned char>(letter)];
    parasail_matrix_set_value(matrix, unknown, other, -1);
    parasail_matrix_set_value(matrix, other, unknown, -1);
  }
  return matrix;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: align_parasail SUBJECTS SEED\n";
    return 2;
  }
  Settings settings;
  const Scoring scoring = scoring_of(settings);
  Crew crew(crew_cpus(0));
  Workload work = workload_of(settings, scoring, std::stoll(argv[1]), std::stoull(argv[2]), crew);
  std::vector<std::string> subjects;
  for (std::int64_t i = 0; i < work.database.size(); ++i) {
    subjects.push_back(work.database.text(i, Alphabet::kProtein));
  }
  const parasail_matrix_t* const matrix = newer_blosum62();  // until the program ends
  Scores scores(work.queries.size(), work.database.size());
  double seconds = 0;
  std::string names;
  for (std::int64_t i = 0; i < work.queries.size(); ++i) {
    const std::string query = work.queries.text(i, Alphabet::kProtein);
    const Job job{scoring, matrix, query, subjects, crew};
    const Function& function = fastest(job);
    seconds += align_all(job, function, 1, scores.of_query(i));
    names += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", function.name);
  }
  std::cout << fmt::format(
      "{{\"cells\": {:.0f}, \"seconds\": {}, \"threads\": {}, \"digest\": \"{}\", \"functions\": "
      "[{}]}}\n",
      work.cells(), seconds, crew.threads(), digest(scores, scores.subjects()), names);
  return 0;
}
