#include "benches/align/host_engine.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "benches/kit/clock.hpp"

namespace rackproof::align {
namespace {

constexpr std::int64_t kBlocksOfGroup = 64;

std::int64_t parts_of(std::int64_t count, std::int64_t part) { return (count + part - 1) / part; }

}  // namespace

HostEngine::HostEngine(const KernelSet& kernels, const Scoring& scoring, Fault fault, Crew& crew)
    : kernels_(kernels), scoring_(engine_scoring(scoring, fault)), fault_(fault), crew_(crew) {}

const Kernel& HostEngine::narrowest() const {
  if (kernels_.in8.run != nullptr && scoring_.gap.first() <= kMostGapIn8) return kernels_.in8;
  return kernels_.in16.run != nullptr ? kernels_.in16 : kernels_.in32;
}

void HostEngine::load(const Workload& work) {
  work_ = &work;
  order_.resize(static_cast<std::size_t>(work.database.size()));
  std::iota(order_.begin(), order_.end(), std::int64_t{0});
  std::stable_sort(order_.begin(), order_.end(), [&](std::int64_t a, std::int64_t b) {
    return work.database.length(a) > work.database.length(b);
  });
  if (fault_ == Fault::kLetter) {
    changed_at_ = place_to_change(work);
    const auto subject = work.database.at(changed_at_.subject);
    changed_.assign(subject.begin(), subject.end());
    Residue& letter = changed_[static_cast<std::size_t>(changed_at_.residue)];
    letter = other_letter(scoring_.matrix.alphabet, letter);
  }
  blocks_ = parts_of(work.database.size(), narrowest().lanes);
  groups_ = std::vector<Group>(static_cast<std::size_t>(parts_of(blocks_, kBlocksOfGroup)));
  places_.clear();
  const std::size_t lanes = static_cast<std::size_t>(
      std::max({kernels_.in8.lanes, kernels_.in16.lanes, kernels_.in32.lanes}));
  for (int thread = 0; thread < crew_.threads(); ++thread) {
    places_.push_back({kit::Buffer<std::byte>(scratch_bytes(work.queries.longest())),
                       std::vector<const std::uint8_t*>(lanes), std::vector<std::int64_t>(lanes),
                       std::vector<std::int32_t>(lanes)});
  }
}

double HostEngine::align(std::int64_t query, std::int32_t* scores) {
  const double start = kit::now_seconds();
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const std::int64_t before = static_cast<std::int64_t>(i) * kBlocksOfGroup;
    groups_[i].left = std::min(kBlocksOfGroup, blocks_ - before);
    groups_[i].again.clear();
  }
  const Task task{query, scores};
  crew_.run(blocks_, [&](std::int64_t which, int thread) { block(task, which, thread); });
  return kit::now_seconds() - start;
}

void HostEngine::block(const Task& task, std::int64_t which, int thread) {
  Place& place = places_[static_cast<std::size_t>(thread)];
  const Kernel& kernel = narrowest();
  const std::int64_t begin = which * kernel.lanes;
  const std::int64_t count = std::min<std::int64_t>(kernel.lanes, work_->database.size() - begin);
  const bool lost = fault_ == Fault::kTile && task.query == 0 && which == lost_block();
  std::vector<std::int64_t> again;
  if (!lost) run(kernel, task, order_.data() + begin, count, place, again);
  Group& group = groups_[static_cast<std::size_t>(which / kBlocksOfGroup)];
  if (!again.empty()) {
    const std::lock_guard lock(group.mutex);
    group.again.insert(group.again.end(), again.begin(), again.end());
  }
  if (--group.left > 0) return;
  std::vector<std::int64_t> all;
  {
    const std::lock_guard lock(group.mutex);
    all = std::move(group.again);
  }
  if (!all.empty()) once_more(task, std::move(all), place);
}

void HostEngine::once_more(const Task& task, std::vector<std::int64_t> again, Place& place) {
  // Blocks may have ended in any order.
  std::sort(again.begin(), again.end(), [&](std::int64_t a, std::int64_t b) {
    return work_->database.length(a) > work_->database.length(b);
  });
  if (&narrowest() == &kernels_.in8) {
    again16_ += static_cast<std::int64_t>(again.size());
    again = run_all(kernels_.in16, task, again, place);
  }
  again32_ += static_cast<std::int64_t>(again.size());
  run_all(kernels_.in32, task, again, place);
}

std::vector<std::int64_t> HostEngine::run_all(const Kernel& kernel, const Task& task,
                                              const std::vector<std::int64_t>& subjects,
                                              Place& place) const {
  std::vector<std::int64_t> again;
  const auto all = static_cast<std::int64_t>(subjects.size());
  for (std::int64_t begin = 0; begin < all; begin += kernel.lanes) {
    run(kernel, task, subjects.data() + begin, std::min<std::int64_t>(kernel.lanes, all - begin),
        place, again);
  }
  return again;
}

void HostEngine::run(const Kernel& kernel, const Task& task, const std::int64_t* subjects,
                     std::int64_t count, Place& place, std::vector<std::int64_t>& again) const {
  Job job;
  job.query = work_->queries.at(task.query).data();
  job.rows = work_->queries.length(task.query);
  if (fault_ == Fault::kStop) job.rows = std::max<std::int64_t>(1, job.rows * 3 / 4);
  job.table = scoring_.matrix.scores.data();
  job.letters = static_cast<int>(letters_of(scoring_.matrix.alphabet).size());
  job.first = scoring_.gap.first();
  job.next = scoring_.gap.next();
  for (std::int64_t lane = 0; lane < kernel.lanes; ++lane) {
    const auto at = static_cast<std::size_t>(lane);
    const std::int64_t subject = subjects[lane < count ? lane : 0];
    const bool changed = fault_ == Fault::kLetter && subject == changed_at_.subject;
    place.subjects[at] = changed ? changed_.data() : work_->database.at(subject).data();
    place.lengths[at] = lane < count ? work_->database.length(subject) : 0;
    job.columns = std::max(job.columns, place.lengths[at]);
  }
  job.subjects = place.subjects.data();
  job.lengths = place.lengths.data();
  job.scratch = place.scratch.data();
  job.scores = place.scores.data();
  kernel.run(job);
  for (std::int64_t lane = 0; lane < count; ++lane) {
    const std::int32_t score = place.scores[static_cast<std::size_t>(lane)];
    if (score == kTooMuch) {
      again.push_back(subjects[lane]);
    } else {
      task.scores[subjects[lane]] = score;
    }
  }
}

// One that holds a copy, where there is one.
std::int64_t HostEngine::lost_block() const {
  const std::int64_t subject = work_->copies.empty() ? 0 : work_->copies.front().subject;
  const auto at = std::find(order_.begin(), order_.end(), subject) - order_.begin();
  return at / narrowest().lanes;
}

contract::Parameters HostEngine::facts() const {
  return {{"kernels", std::string(kernels_.name)},
          {"again_in_16_bits", again16_.load()},
          {"again_in_32_bits", again32_.load()}};
}

}  // namespace rackproof::align
