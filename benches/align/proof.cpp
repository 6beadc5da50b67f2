#include "benches/align/proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "benches/align/draw.hpp"
#include "benches/align/reference.hpp"

namespace rackproof::align {
namespace {

std::string shown(std::int32_t score) {
  return score == kUnwritten ? "no score" : std::to_string(score);
}

std::string place(const Workload& work, const Pair& pair) {
  return fmt::format("query {} ({} residues), subject {} ({} residues)",
                     work.queries.name(pair.query), work.queries.length(pair.query),
                     work.database.name(pair.subject), work.database.length(pair.subject));
}

void compare_pair(const Workload& work, const Pair& pair, std::int32_t got, std::int32_t want,
                  std::string_view what, protocol::Check& check) {
  ++check.compared;
  if (got == want && got != kUnwritten) return;
  ++check.wrong;
  if (check.first_wrong) return;
  check.first_wrong = {fmt::format("{}{}", what, place(work, pair)), shown(got),
                       want == kUnwritten ? "a score" : shown(want)};
}

}  // namespace

void check_copies(const Workload& work, const Scores& scores, protocol::Check& check) {
  for (const Copy& copy : work.copies) {
    compare_pair(work, {copy.query, copy.subject}, scores.at(copy.query, copy.subject), copy.score,
                 "", check);
  }
}

void check_equal(const Workload& work, const Scores& want, const Scores& got, std::string_view what,
                 protocol::Check& check) {
  for (std::int64_t query = 0; query < work.queries.size(); ++query) {
    for (std::int64_t subject = 0; subject < got.subjects(); ++subject) {
      compare_pair(work, {query, subject}, got.at(query, subject), want.at(query, subject), what,
                   check);
    }
  }
}

void check_written(const Workload& work, const Scores& scores, protocol::Check& check) {
  check_equal(work, scores, scores, "", check);
}

std::vector<Pair> draw_sample(const Workload& work, std::uint64_t seed, std::int64_t cells) {
  std::vector<Pair> sample;
  Draw draw(kit::pattern::key_of(seed, 0x5a3b1e));
  const std::int64_t part = cells / work.queries.size();
  for (std::int64_t query = 0; query < work.queries.size(); ++query) {
    std::int64_t left = part;
    do {
      const Pair pair{query, draw.below(work.database.size())};
      sample.push_back(pair);
      left -= work.queries.length(query) * work.database.length(pair.subject);
    } while (left > 0);
  }
  return sample;
}

double cells_of(const Workload& work, const std::vector<Pair>& sample) {
  double cells = 0;
  for (const Pair& pair : sample) {
    cells += static_cast<double>(work.queries.length(pair.query)) *
             static_cast<double>(work.database.length(pair.subject));
  }
  return cells;
}

void check_sample(const Workload& work, const Scoring& scoring, const std::vector<Pair>& sample,
                  const Scores& scores, Crew& crew, protocol::Check& check) {
  std::vector<std::int32_t> want(sample.size());
  // Those with many cells first, so that none is begun when the others are done.
  std::vector<std::size_t> order(sample.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return cells_of(work, {sample[a]}) > cells_of(work, {sample[b]});
  });
  crew.run(static_cast<std::int64_t>(sample.size()), [&](std::int64_t item, int) {
    const std::size_t at = order[static_cast<std::size_t>(item)];
    want[at] = reference_score(scoring, work.queries.at(sample[at].query),
                               work.database.at(sample[at].subject));
  });
  for (std::size_t i = 0; i < sample.size(); ++i) {
    compare_pair(work, sample[i], scores.at(sample[i].query, sample[i].subject), want[i], "",
                 check);
  }
}

std::string digest(const Scores& scores, std::int64_t subjects) {
  const std::int64_t queries = scores.subjects() > 0 ? scores.size() / scores.subjects() : 0;
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  std::uint64_t place = 0;
  for (std::int64_t query = 0; query < queries; ++query) {
    for (std::int64_t subject = 0; subject < std::min(subjects, scores.subjects()); ++subject) {
      const std::uint64_t mixed = kit::pattern::scramble(
          (place++ << 32U) ^ static_cast<std::uint32_t>(scores.at(query, subject)));
      low += mixed;
      high += kit::pattern::scramble(mixed ^ 0x9e3779b97f4a7c15ULL);
    }
  }
  return fmt::format("{:016x}{:016x}", high, low);
}

}  // namespace rackproof::align
