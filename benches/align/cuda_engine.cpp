#include "benches/align/cuda_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
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

template <class T>
void upload(const cuda::DeviceBuffer<T>& to, const T* from, std::size_t count) {
  if (count > 0) cuda::copy(to.data(), from, count * sizeof(T));
}

std::vector<Way> ways_named(const std::string& name, const Numbers& numbers) {
  std::vector<Way> ways = ways_for(numbers);
  if (name.empty()) return ways;
  std::erase_if(ways, [&](const Way& way) { return name_of(way) != name; });
  if (!ways.empty()) return ways;
  throw kit::UsageError(fmt::format(
      "--tile {}: no table of bytes can hold these scores, which are from 0 to 127 only together "
      "with what a gap costs first: expected a tile with words",
      name));
}

}  // namespace

CudaEngine::Memory::Memory(const Workload& work, const Packed& packed, std::int64_t edges_wanted)
    : queries(work.queries.residues.size()),
      matrix(std::size_t{kRow} * kRow),
      rows(packed.rows.size()),
      begins(packed.begins.size()),
      edges(static_cast<std::size_t>(edges_wanted)),
      scores(static_cast<std::size_t>(work.database.size())),
      again(static_cast<std::size_t>(work.database.size())),
      again_count(1) {}

std::int64_t CudaEngine::Memory::bytes() const {
  return static_cast<std::int64_t>(queries.bytes() + matrix.bytes() + rows.bytes() +
                                   begins.bytes() + edges.bytes() + scores.bytes() + again.bytes() +
                                   again_count.bytes());
}

CudaEngine::CudaEngine(const cuda::Device& device, const std::string& way, const Scoring& scoring,
                       Fault fault, Crew& crew)
    : device_(device),
      scoring_(engine_scoring(scoring, fault)),
      numbers_(numbers_of(scoring_)),
      fault_(fault),
      crew_(crew),
      watch_(device.uuid) {
  ways_ = ways_named(way, numbers_);
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
  const std::int64_t longest = packed.begins[std::min<std::size_t>(1, packed.begins.size() - 1)];
  const auto part = static_cast<std::int64_t>(
      kEdgePart * 2 * static_cast<double>(packed.begins.back()) / (kArrays * sizeof(Edge)));
  return kArrays * std::max({least, longest, part});
}

void CudaEngine::load(const Workload& work) {
  work_ = &work;
  const Packed packed = pack(work.database, scoring_.matrix.alphabet, crew_);
  if (!memory_) {
    const std::int64_t edges = edges_for(packed, work.queries.longest());
    try {
      memory_.emplace(work, packed, edges);
    } catch (const kit::UsageError& error) {
      throw kit::Unavailable(
          fmt::format("a database of {} residues does not fit into the memory of {}: {}",
                      work.database.total(), device_.name, error.what()));
    }
    bytes_ = memory_->bytes();
  }
  put_there(packed);
  begins_ = packed.begins;
  subjects_ = packed.subjects;
  if (chosen_.empty()) choose();
}

void CudaEngine::put_there(const Packed& packed) {
  upload(memory_->queries, work_->queries.residues.data(), work_->queries.residues.size());
  upload(memory_->matrix, scoring_.matrix.scores.data(), scoring_.matrix.scores.size());
  upload(memory_->rows, packed.rows.data(), packed.rows.size());
  upload(memory_->begins, packed.begins.data(), packed.begins.size());
}

// The pairs in the middle, whose lengths are what most of them are.
void CudaEngine::choose() {
  const auto pairs = static_cast<std::int64_t>(begins_.size()) - 1;
  const std::int64_t count = std::min(pairs, kTrialPairs * device_.multiprocessors);
  const Batch middle = {(pairs - count) / 2, (pairs - count) / 2 + count};
  for (std::int64_t query = 0; query < work_->queries.size(); ++query) {
    Way best = ways_.front();
    double least = std::numeric_limits<double>::infinity();
    // The first trial loads the code; its times say nothing.
    for (int trial = 0; ways_.size() > 1 && trial <= kTrials; ++trial) {
      for (const Way& way : ways_) {
        const double seconds = timed(query, way, middle);
        if (trial == 0 || seconds >= least) continue;
        least = seconds;
        best = way;
      }
    }
    chosen_.push_back(best);
  }
}

DeviceTask CudaEngine::task_of(std::int64_t query) const {
  DeviceTask task;
  task.query = memory_->queries.data() + work_->queries.offsets[static_cast<std::size_t>(query)];
  task.columns = static_cast<int>(work_->queries.length(query));
  if (fault_ == Fault::kStop) task.columns = std::max(1, task.columns * 3 / 4);
  task.matrix = memory_->matrix.data();
  task.letters = static_cast<int>(letters_of(scoring_.matrix.alphabet).size());
  task.numbers = numbers_;
  task.rows = memory_->rows.data();
  task.begins = memory_->begins.data();
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
  queue_pairs(way, one, batch, streams_[turn].get());
}

void CudaEngine::queue(std::int64_t query, const Way& way, const Batch& pairs) {
  const DeviceTask task = task_of(query);
  const auto rows = task.columns > way.tile.width()
                        ? static_cast<std::int64_t>(memory_->edges.size() / (2 * kStreams))
                        : std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = 1; i < kStreams; ++i) {
    RACKPROOF_CUDA(cudaStreamWaitEvent(streams_[i].get(), start_.get(), 0));
  }
  for (const Batch& batch : batches_of(begins_, pairs, way.tile, rows)) {
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
  const auto pairs = static_cast<std::int64_t>(begins_.size()) - 1;
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
  DeviceTask task = task_of(query);
  const auto edges = static_cast<std::int64_t>(memory_->edges.size() / 2);
  const std::int64_t longest = begins_[1];
  task.edges[0] = memory_->edges.data();
  task.edges[1] = memory_->edges.data() + edges;
  queue_again(task, static_cast<unsigned>(std::min(kMostAgain, edges / longest)), longest,
              stream.get());
  stop_.record(stream);
  watch_.look();
  stop_.synchronize();
  const double seconds = cuda::seconds_between(start_, stop_);
  again_ += static_cast<std::int64_t>(cuda::read_one(memory_->again_count.data()));
  by_place_.resize(memory_->scores.size());
  cuda::copy(by_place_.data(), memory_->scores.data(), memory_->scores.bytes());
  for (std::size_t place = 0; place < by_place_.size(); ++place) {
    scores[subjects_[place]] = by_place_[place];
  }
  return seconds;
}

// One that holds a copy, where there is one.
Batch CudaEngine::lost_block(const Way& way) const {
  const std::int64_t subject = work_->copies.empty() ? 0 : work_->copies.front().subject;
  const auto place = std::find(subjects_.begin(), subjects_.end(), subject) - subjects_.begin();
  const std::int64_t block = pairs_of_block(way.tile);
  const std::int64_t first = place / 2 / block * block;
  return {first, std::min(first + block, static_cast<std::int64_t>(begins_.size()) - 1)};
}

protocol::Parameters CudaEngine::facts() const {
  protocol::Parameters facts;
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
