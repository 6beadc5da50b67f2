#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "benches/swing/alignment.hpp"
#include "benches/swing/own_clock.hpp"

namespace rackproof::swing {

/// How many clocks were asked how often, and how often an answer contradicted what was found.
struct Questions {
  std::int64_t asked = 0;
  std::int64_t contradicting = 0;
};

/// All ranks of MPI, and what they do together: every rank calls the same in the same order. A rank
/// that waits for others tests, and soon sleeps between tests. Throws kit::DeviceError when MPI
/// reports an error.
class Ranks {
 public:
  Ranks();
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  std::int64_t rank() const;
  std::int64_t size() const;
  /// The host of each rank, as MPI names it.
  const std::vector<std::string>& hosts() const { return hosts_; }
  /// This rank among those of its host, and how many they are.
  std::int64_t local_rank() const { return local_rank_; }
  std::int64_t local_size() const { return local_size_; }

  /// What each rank calls itself, on rank 0; at most 255 letters of each.
  std::vector<std::string> names(const std::string& mine) const;
  /// On rank 0 the values of each rank, equally many, in a row; nothing elsewhere.
  std::vector<std::vector<double>> gather(std::span<const double> values) const;
  /// The values of all ranks, one after the other, on every rank.
  std::vector<double> share(double value) const;
  /// On rank 0 the sums over the ranks; zeros elsewhere.
  std::vector<double> sum(std::span<const double> values) const;
  /// The value of rank 0.
  double from_first(double value) const;
  /// Whether it is so on any rank.
  bool any(bool here) const;

  /// Rank 0 asks each rank for the time, `exchanges` times, and tells it what came of that: how far
  /// the clock of this rank is ahead of rank 0's, on rank 0's clock. `questions` is filled on rank
  /// 0.
  Reading align(const OwnClock& clock, std::int64_t exchanges, Questions& questions) const;

 private:
  struct World;
  Reading ask(int rank, const OwnClock& clock, std::int64_t exchanges, Questions& questions) const;
  Reading answer(const OwnClock& clock, std::int64_t exchanges) const;

  std::unique_ptr<World> world_;
  std::vector<std::string> hosts_;
  std::int64_t local_rank_ = 0;
  std::int64_t local_size_ = 0;
};

}  // namespace rackproof::swing
