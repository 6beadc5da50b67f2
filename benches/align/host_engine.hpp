#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "benches/align/kernels.hpp"
#include "benches/align/measure.hpp"
#include "benches/kit/buffer.hpp"

namespace rackproof::align {

/// Aligns as many subjects at once as a vector has lanes, in 8 bits; those whose score does not fit
/// again in 16, and in 32 bits. Subjects of nearly the same length go together, the longest first.
class HostEngine : public Engine {
 public:
  /// `kernels` run on this machine.
  HostEngine(const KernelSet& kernels, const Scoring& scoring, Fault fault, Crew& crew);

  void load(const Workload& work) override;
  double align(std::int64_t query, std::int32_t* scores) override;
  contract::Parameters facts() const override;

  /// Scores that were computed again in 16 and in 32 bits.
  std::int64_t again_in16() const { return again16_; }
  std::int64_t again_in32() const { return again32_; }

 private:
  // Blocks whose scores that do not fit are computed again together, by who ends the last of them.
  struct Group {
    std::atomic<std::int64_t> left{0};
    std::mutex mutex;
    std::vector<std::int64_t> again;
  };
  // What one thread needs for a block.
  struct Place {
    kit::Buffer<std::byte> scratch;
    std::vector<const std::uint8_t*> subjects;
    std::vector<std::int64_t> lengths;
    std::vector<std::int32_t> scores;
  };
  struct Task {
    std::int64_t query = 0;
    std::int32_t* scores = nullptr;
  };

  void block(const Task& task, std::int64_t which, int thread);
  // Aligns `count` subjects, at most one for each lane, and appends those whose score does not fit
  // to `again`.
  void run(const Kernel& kernel, const Task& task, const std::int64_t* subjects, std::int64_t count,
           Place& place, std::vector<std::int64_t>& again) const;
  std::vector<std::int64_t> run_all(const Kernel& kernel, const Task& task,
                                    const std::vector<std::int64_t>& subjects, Place& place) const;
  void once_more(const Task& task, std::vector<std::int64_t> again, Place& place);
  const Kernel& narrowest() const;
  std::int64_t lost_block() const;

  KernelSet kernels_;
  Scoring scoring_;
  Fault fault_;
  Crew& crew_;
  const Workload* work_ = nullptr;
  ResiduePlace changed_at_;          // under Fault::kLetter
  std::vector<Residue> changed_;     // all of that subject
  std::vector<std::int64_t> order_;  // subjects by length, the longest first
  std::int64_t blocks_ = 0;
  std::vector<Group> groups_;
  std::vector<Place> places_;
  std::atomic<std::int64_t> again16_{0};
  std::atomic<std::int64_t> again32_{0};
};

}  // namespace rackproof::align
