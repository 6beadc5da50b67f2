#include "benches/align/cuda_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "benches/kit/cuda/check.hpp"
#include "benches/kit/errors.hpp"

namespace rackproof::align {
namespace {

namespace cuda = kit::cuda;

// Of what a database has in residues: all that lies on the device is at most 1.5 times as much.
constexpr double kEdgePart = 0.4;
// So many subjects at once are aligned again in 32 bits where there is memory for their edges.
constexpr std::int64_t kMostAgain = 256;
// For each multiprocessor, those that are aligned to choose a way: more than twice what it holds at
// a time.
constexpr std::int64_t kTrialPairs = 256;
constexpr int kTrials = 2;
// A way that takes this much more than the fastest is not tried again; for longer queries neither,
// once one is so long that ways differ in their speed rather than in how well it fills them.
constexpr double kNearly = 1.15;
constexpr std::int64_t kLongQuery = 1024;
// The longest queries, of which it is told what each way reached.
constexpr std::size_t kMostTold = 16;

std::vector<Way> ways_named(const std::string& name, const Scoring& scoring) {
  std::vector<Way> ways = ways_for(scoring);
  if (name.empty()) return ways;
  std::erase_if(ways, [&](const Way& way) { return name_of(way) != name; });
  if (!ways.empty()) return ways;
  throw kit::UsageError(fmt::format(
      "--tile {}: it cannot compute with these scores and gaps. A table of bytes holds scores that "
      "are from 0 to 127 together with what the first residue of a gap costs, half2 scores up to "
      "2047: expected a tile with words and without half2",
      name));
}

}  // namespace

CudaEngine::Memory::Memory(const Workload& work, const Packed& packed, std::int64_t edges_wanted)
    : resident(work, packed),
      edges(static_cast<std::size_t>(edges_wanted)),
      scores(static_cast<std::size_t>(work.database.size())),
      again(static_cast<std::size_t>(work.database.size())),
      again_count(1) {}

std::int64_t CudaEngine::Memory::bytes() const {
  return static_cast<std::int64_t>(resident.bytes() + edges.bytes() + scores.bytes() +
                                   again.bytes() + again_count.bytes());
}

CudaEngine::CudaEngine(const cuda::Device& device, const std::string& way, const Scoring& scoring,
                       Fault fault, Crew& crew)
    : device_(device),
      scoring_(engine_scoring(scoring, fault)),
      fault_(fault),
      crew_(crew),
      watch_(device.uuid) {
  ways_ = ways_named(way, scoring_);
}

// Two arrays for each stream; as long as the part of the memory allows, but for the longest block
// of pairs, and for the longest subject.
std::int64_t CudaEngine::edges_for(const Packed& packed, std::int64_t longest_query) const {
  constexpr std::int64_t kArrays = 2 * kStreams;
  std::int64_t least = 0;
  for (const Way& way : ways_) {
    if (longest_query <= way.tile.width()) continue;
    const std::int64_t block = std::min(pairs_of_block(way.tile), packed.pairs());
    least = std::max(least, packed.begins[static_cast<std::size_t>(block)]);
  }
  const auto part = static_cast<std::int64_t>(kEdgePart * 2 * static_cast<double>(packed.rows()) /
                                              (kArrays * sizeof(Edge)));
  return kArrays * std::max({least, packed.longest(), part});
}

void CudaEngine::load(const Workload& work) {
  work_ = &work;
  packed_ = pack(work.database);
  if (!memory_) {
    const std::int64_t edges = edges_for(packed_, work.queries.longest());
    try {
      memory_.emplace(work, packed_, edges);
    } catch (const kit::UsageError& error) {
      throw kit::Unavailable(
          fmt::format("a database of {} residues does not fit into the memory of {}: {}",
                      work.database.total(), device_.name, error.what()));
    }
    bytes_ = memory_->bytes();
  }
  memory_->resident.put(work, scoring_.matrix, packed_, crew_);
  if (fault_ == Fault::kLetter) memory_->resident.change(place_to_change(work));
  if (chosen_.empty()) choose();
}

// The pairs in the middle, whose lengths are what most of them are.
void CudaEngine::choose() {
  const std::int64_t pairs = packed_.pairs();
  const std::int64_t count = std::min(pairs, kTrialPairs * device_.multiprocessors);
  const Batch middle = {(pairs - count) / 2, (pairs - count) / 2 + count};
  const auto queries = static_cast<std::size_t>(work_->queries.size());
  chosen_.assign(queries, ways_.front());
  if (ways_.size() == 1) return;
  std::vector<std::int64_t> by_length(queries);
  std::iota(by_length.begin(), by_length.end(), 0);
  std::stable_sort(by_length.begin(), by_length.end(), [&](std::int64_t a, std::int64_t b) {
    return work_->queries.length(a) < work_->queries.length(b);
  });
  // The first launch of a kernel loads its code, for which a pair is enough.
  for (const Way& way : ways_) {
    (void)timed(by_length.front(), way, {middle.first, std::min(middle.first + 1, middle.end)});
  }
  std::vector<Way> ways = ways_;
  for (const std::int64_t query : by_length) {
    const std::vector<double> seconds = trials(query, ways, middle);
    const auto best = std::min_element(seconds.begin(), seconds.end());
    const double least = *best;
    chosen_[static_cast<std::size_t>(query)] =
        ways[static_cast<std::size_t>(best - seconds.begin())];
    if (work_->queries.length(query) < kLongQuery) continue;
    const std::vector<Way> tried = std::exchange(ways, {});
    for (std::size_t i = 0; i < tried.size(); ++i) {
      if (seconds[i] <= kNearly * least) ways.push_back(tried[i]);
    }
  }
}

// The least seconds of each way; keeps their rates for choices().
std::vector<double> CudaEngine::trials(std::int64_t query, const std::vector<Way>& ways,
                                       const Batch& pairs) {
  std::vector<double> least(ways.size(), std::numeric_limits<double>::infinity());
  double limit = std::numeric_limits<double>::infinity();
  for (int trial = 0; trial < kTrials; ++trial) {
    for (std::size_t i = 0; i < ways.size(); ++i) {
      if (trial > 0 && least[i] > limit) continue;
      least[i] = std::min(least[i], timed(query, ways[i], pairs));
    }
    limit = kNearly * *std::min_element(least.begin(), least.end());
  }
  std::int64_t residues = 0;
  for (std::int64_t place = 2 * pairs.first; place < 2 * pairs.end; ++place) {
    const std::int32_t subject = packed_.subjects[static_cast<std::size_t>(place)];
    if (subject >= 0) residues += work_->database.length(subject);
  }
  const auto cells = static_cast<double>(residues * work_->queries.length(query));
  contract::Parameters& rates = rates_[work_->queries.length(query)];
  for (std::size_t i = 0; i < ways.size(); ++i) rates[name_of(ways[i])] = cells / least[i];
  if (rates_.size() > kMostTold) rates_.erase(rates_.begin());
  return least;
}

DeviceTask CudaEngine::task_of(std::int64_t query, Arithmetic arithmetic) const {
  DeviceTask task;
  task.query =
      memory_->resident.queries() + work_->queries.offsets[static_cast<std::size_t>(query)];
  task.columns = static_cast<int>(work_->queries.length(query));
  if (fault_ == Fault::kStop) task.columns = std::max(1, task.columns * 3 / 4);
  task.matrix = memory_->resident.matrix();
  task.letters = static_cast<int>(letters_of(scoring_.matrix.alphabet).size());
  task.numbers = numbers_of(scoring_, arithmetic);
  task.rows = memory_->resident.rows();
  task.row_count = packed_.rows();
  task.longest = packed_.longest();
  task.begins = memory_->resident.begins();
  task.scores = memory_->scores.data();
  task.again = memory_->again.data();
  task.places = static_cast<std::int64_t>(memory_->again.size());
  task.again_count = memory_->again_count.data();
  return task;
}

void CudaEngine::queue_batch(const DeviceTask& task, const Way& way, const Batch& batch) {
  const std::size_t turn = turn_++ % kStreams;
  const std::size_t rows = memory_->edges.size() / (2 * kStreams);
  DeviceTask one = task;
  one.edges[0] = memory_->edges.data() + 2 * turn * rows;
  one.edges[1] = one.edges[0] + rows;
  one.edge_rows = static_cast<std::int64_t>(rows);
  queue_pairs(way, one, batch, streams_[turn].get());
}

void CudaEngine::queue(std::int64_t query, const Way& way, const Batch& pairs) {
  const DeviceTask task = task_of(query, way.arithmetic);
  const auto rows = task.columns > way.tile.width()
                        ? static_cast<std::int64_t>(memory_->edges.size() / (2 * kStreams))
                        : std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = 1; i < kStreams; ++i) {
    RACKPROOF_CUDA(cudaStreamWaitEvent(streams_[i].get(), start_.get(), 0));
  }
  for (const Batch& batch : batches_of(packed_.begins, pairs, way.tile, rows)) {
    queue_batch(task, way, batch);
  }
  for (std::size_t i = 1; i < kStreams; ++i) {
    joined_[i].record(streams_[i]);
    RACKPROOF_CUDA(cudaStreamWaitEvent(streams_[0].get(), joined_[i].get(), 0));
  }
}

double CudaEngine::timed(std::int64_t query, const Way& way, const Batch& pairs) {
  cuda::fill_async(memory_->again_count.data(), 0, memory_->again_count.bytes(), streams_[0]);
  start_.record(streams_[0]);
  queue(query, way, pairs);
  stop_.record(streams_[0]);
  stop_.synchronize();
  return cuda::seconds_between(start_, stop_);
}

double CudaEngine::align(std::int64_t query, std::int32_t* scores) {
  const cuda::Stream& stream = streams_[0];
  const Way& way = chosen_[static_cast<std::size_t>(query)];
  const std::int64_t pairs = packed_.pairs();
  // Nothing of an earlier query may be taken for a score of this one.
  cuda::fill_async(memory_->scores.data(), 0xFF, memory_->scores.bytes(), stream);
  cuda::fill_async(memory_->again.data(), 0xFF, memory_->again.bytes(), stream);
  cuda::fill_async(memory_->again_count.data(), 0, memory_->again_count.bytes(), stream);
  start_.record(stream);
  if (fault_ == Fault::kTile && query == 0) {
    const Batch lost = lost_block(way);
    queue(query, way, {0, lost.first});
    queue(query, way, {lost.end, pairs});
  } else {
    queue(query, way, {0, pairs});
  }
  DeviceTask task = task_of(query, Arithmetic::kIntegers);
  const auto edges = static_cast<std::int64_t>(memory_->edges.size() / 2);
  task.edges[0] = memory_->edges.data();
  task.edges[1] = memory_->edges.data() + edges;
  task.edge_rows = edges;
  queue_again(task, static_cast<unsigned>(std::min(kMostAgain, edges / packed_.longest())),
              stream.get());
  stop_.record(stream);
  watch_.look();
  stop_.synchronize();
  const double seconds = cuda::seconds_between(start_, stop_);
  again_ += static_cast<std::int64_t>(cuda::read_one(memory_->again_count.data()));
  by_place_.resize(memory_->scores.size());
  cuda::copy(by_place_.data(), memory_->scores.data(), memory_->scores.bytes());
  for (std::size_t place = 0; place < by_place_.size(); ++place) {
    scores[packed_.subjects[place]] = by_place_[place];
  }
  return seconds;
}

// One that holds a copy, where there is one.
Batch CudaEngine::lost_block(const Way& way) const {
  const std::int64_t subject = work_->copies.empty() ? 0 : work_->copies.front().subject;
  const auto& subjects = packed_.subjects;
  const auto place = std::find(subjects.begin(), subjects.end(), subject) - subjects.begin();
  const std::int64_t block = pairs_of_block(way.tile);
  const std::int64_t first = place / 2 / block * block;
  return {first, std::min(first + block, packed_.pairs())};
}

std::vector<Engine::Choice> CudaEngine::choices() const {
  std::vector<Choice> all;
  for (const auto& [length, rates] : rates_) {
    all.push_back({fmt::format("query of {} residues: {} ways were tried on {}, in cells/s", length,
                               rates.size(), device_.name),
                   rates});
  }
  return all;
}

contract::Parameters CudaEngine::facts() const {
  contract::Parameters facts;
  std::string tiles;
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    tiles += fmt::format("{}{}: {}", i == 0 ? "" : ", ",
                         work_->queries.length(static_cast<std::int64_t>(i)), name_of(chosen_[i]));
  }
  facts["tiles"] = tiles;
  facts["again_in_32_bits"] = again_;
  facts["device_bytes"] = bytes_;
  facts["timer"] = std::string("device events");
  return facts;
}

}  // namespace rackproof::align
