#include "benches/align/cuda_resident.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "benches/align/cuda_kernels.hpp"

namespace rackproof::align {
namespace {

namespace cuda = kit::cuda;

constexpr std::size_t kWord = sizeof(std::uint64_t);
// A few megabytes of rows at a time.
constexpr std::int64_t kRowsOfPiece = std::int64_t{1} << 22;
constexpr unsigned kDigestBlocks = 1024;

static_assert(kRowsTogether * sizeof(std::uint16_t) == kWord);

std::size_t whole_words(std::size_t bytes) { return (bytes + kWord - 1) / kWord * kWord; }

// The queries and as many zeros as make words of them.
std::vector<Residue> padded(const Sequences& queries) {
  std::vector<Residue> all = queries.residues;
  all.resize(whole_words(all.size()));
  return all;
}

// Of some whole words, the first of which is word `place` of its part.
unsigned long long sum_of(const void* from, std::size_t bytes, std::int64_t place) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < bytes / kWord; ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, static_cast<const char*>(from) + i * kWord, kWord);
    sum += digest_of(word, place + static_cast<std::int64_t>(i));
  }
  return sum;
}

std::string letter_of(Alphabet alphabet, unsigned code) {
  const std::string_view letters = letters_of(alphabet);
  if (code < letters.size()) return std::string(1, letters[code]);
  return code == letters.size() ? "no letter" : fmt::format("byte {}", code);
}

void add_wrong(protocol::Check& check, const std::string& where, std::string got,
               std::string want) {
  ++check.wrong;
  if (check.first_wrong) return;
  check.first_wrong = {where + " in the memory of the device", std::move(got), std::move(want)};
}

// Calls `say` with the number of each element that is another on the device.
template <class T, class Say>
void compare_part(const cuda::DeviceBuffer<T>& there, std::span<const T> want, const Say& say) {
  std::vector<T> got(want.size());
  cuda::copy(got.data(), there.data(), want.size_bytes());
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (got[i] != want[i]) say(i, got[i]);
  }
}

}  // namespace

Resident::Resident(const Workload& work, const Packed& packed)
    : queries_(whole_words(work.queries.residues.size())),
      matrix_(std::size_t{kRow} * kRow),
      begins_(packed.begins.size()),
      rows_(static_cast<std::size_t>(packed.rows())),
      sums_(kParts) {}

std::size_t Resident::bytes() const {
  return queries_.bytes() + matrix_.bytes() + begins_.bytes() + rows_.bytes() + sums_.bytes();
}

void Resident::each_piece(
    const std::function<void(std::int64_t row, std::span<const std::uint16_t> rows)>& look) {
  std::vector<std::uint16_t> rows;
  const auto begin_of = [&](std::int64_t pair) {
    return packed_->begins[static_cast<std::size_t>(pair)];
  };
  for (std::int64_t first = 0; first < packed_->pairs();) {
    std::int64_t end = first + 1;
    while (end < packed_->pairs() && begin_of(end + 1) - begin_of(first) <= kRowsOfPiece) ++end;
    rows.resize(static_cast<std::size_t>(begin_of(end) - begin_of(first)));
    pack_rows(work_->database, scores_->alphabet, *packed_, first, end, rows.data(), *crew_);
    look(begin_of(first), rows);
    first = end;
  }
}

void Resident::put(const Workload& work, const Matrix& matrix, const Packed& packed, Crew& crew) {
  work_ = &work;
  scores_ = &matrix;
  packed_ = &packed;
  crew_ = &crew;
  const std::vector<Residue> queries = padded(work.queries);
  cuda::copy(queries_.data(), queries.data(), queries_.bytes());
  cuda::copy(matrix_.data(), matrix.scores.data(), matrix_.bytes());
  cuda::copy(begins_.data(), packed.begins.data(), begins_.bytes());
  wanted_ = {sum_of(queries.data(), queries_.bytes(), 0),
             sum_of(matrix.scores.data(), matrix_.bytes(), 0),
             sum_of(packed.begins.data(), begins_.bytes(), 0), 0};
  each_piece([&](std::int64_t row, std::span<const std::uint16_t> rows) {
    cuda::copy(rows_.data() + row, rows.data(), rows.size_bytes());
    wanted_.back() += sum_of(rows.data(), rows.size_bytes(), row / kRowsTogether);
  });
}

Resident::Sums Resident::sums_there() {
  cuda::fill_async(sums_.data(), 0, sums_.bytes(), stream_);
  const auto add = [&](const void* from, std::size_t bytes, std::size_t part) {
    const auto blocks = static_cast<unsigned>(
        std::clamp<std::size_t>(bytes / kWord / kAlignThreads, 1, kDigestBlocks));
    queue_digest(from, bytes, sums_.data() + part, blocks, stream_.get());
  };
  add(queries_.data(), queries_.bytes(), 0);
  add(matrix_.data(), matrix_.bytes(), 1);
  add(begins_.data(), begins_.bytes(), 2);
  add(rows_.data(), rows_.bytes(), 3);
  stream_.synchronize();
  Sums sums = {};
  cuda::copy(sums.data(), sums_.data(), sums_.bytes());
  return sums;
}

void Resident::check(protocol::Check& check) {
  const Sums sums = sums_there();
  check.compared += static_cast<std::int64_t>(
      (queries_.bytes() + matrix_.bytes() + begins_.bytes() + rows_.bytes()) / kWord);
  if (sums == wanted_) return;
  const Alphabet alphabet = scores_->alphabet;
  const std::vector<Residue> queries = padded(work_->queries);
  compare_part<std::uint8_t>(queries_, queries, [&](std::size_t i, std::uint8_t got) {
    const auto& offsets = work_->queries.offsets;
    const auto at = static_cast<std::int64_t>(i);
    const std::int64_t query =
        std::upper_bound(offsets.begin(), offsets.end() - 1, at) - offsets.begin() - 1;
    add_wrong(check,
              fmt::format("query {}, residue {}", work_->queries.name(query),
                          at - offsets[static_cast<std::size_t>(query)]),
              letter_of(alphabet, got), letter_of(alphabet, queries[i]));
  });
  compare_part<std::int8_t>(matrix_, scores_->scores, [&](std::size_t i, std::int8_t got) {
    add_wrong(
        check,
        fmt::format("score of {} and {}", letter_of(alphabet, static_cast<unsigned>(i / kRow)),
                    letter_of(alphabet, static_cast<unsigned>(i % kRow))),
        std::to_string(got), std::to_string(scores_->scores[i]));
  });
  compare_part<std::int64_t>(begins_, packed_->begins, [&](std::size_t i, std::int64_t got) {
    add_wrong(check, fmt::format("first row of pair {}", i), std::to_string(got),
              std::to_string(packed_->begins[i]));
  });
  compare_rows(check);
  if (check.wrong > 0) return;
  // The device reads other bits than the host, or cannot add.
  check.wrong = 1;
  for (std::size_t part = 0; part < kParts; ++part) {
    if (sums[part] == wanted_[part]) continue;
    check.first_wrong = {fmt::format("digest of part {} of the memory of the device", part),
                         fmt::format("{:016x}", sums[part]), fmt::format("{:016x}", wanted_[part])};
    return;
  }
}

std::string Resident::place_of_row(std::int64_t row, unsigned half) const {
  const auto& begins = packed_->begins;
  const std::int64_t pair =
      std::upper_bound(begins.begin(), begins.end() - 1, row) - begins.begin() - 1;
  const std::int32_t subject = packed_->subjects[2 * static_cast<std::size_t>(pair) + half];
  if (subject < 0) return "the place of no subject";
  return fmt::format("subject {} ({} residues), residue {}", work_->database.name(subject),
                     work_->database.length(subject), row - begins[static_cast<std::size_t>(pair)]);
}

void Resident::compare_rows(protocol::Check& check) {
  std::vector<std::uint16_t> got;
  each_piece([&](std::int64_t first, std::span<const std::uint16_t> want) {
    got.resize(want.size());
    cuda::copy(got.data(), rows_.data() + first, want.size_bytes());
    for (std::size_t i = 0; i < want.size(); ++i) {
      for (unsigned half = 0; half < 2 && got[i] != want[i]; ++half) {
        const unsigned is = got[i] >> (8 * half) & 0xFFU;
        const unsigned was = want[i] >> (8 * half) & 0xFFU;
        if (is == was) continue;
        add_wrong(check, place_of_row(first + static_cast<std::int64_t>(i), half),
                  letter_of(scores_->alphabet, is), letter_of(scores_->alphabet, was));
      }
    }
  });
}

void Resident::change(const ResiduePlace& place) {
  const auto& subjects = packed_->subjects;
  const auto at = static_cast<std::size_t>(
      std::find(subjects.begin(), subjects.end(), place.subject) - subjects.begin());
  std::uint16_t* const row = rows_.data() + packed_->begins[at / 2] + place.residue;
  auto both = cuda::read_one(row);
  const unsigned shift = 8 * (at % 2);
  const unsigned other = other_letter(scores_->alphabet, both >> shift & 0xFFU);
  both = static_cast<std::uint16_t>((both & ~(0xFFU << shift)) | other << shift);
  cuda::copy(row, &both, sizeof(both));
}

}  // namespace rackproof::align
