#pragma once

#include <barrier>
#include <cstdint>
#include <functional>
#include <vector>

#include "benches/collectives/transport.hpp"

namespace rackproof::collectives {

/// What the members of a group of threads share. `spoil`, when set, is called on each rank after
/// each operation with that rank, the number of the operation, and its output: a fault to be found.
struct ThreadGroup {
  explicit ThreadGroup(int ranks) : size(ranks), meet(ranks), in(ranks), numbers(ranks) {}

  using Spoil = std::function<void(int rank, std::int64_t operation, void* out)>;

  int size;
  std::barrier<> meet;
  std::vector<const void*> in;
  std::vector<std::vector<double>> numbers;
  Spoil spoil;
  std::function<bool(int rank, std::int64_t operation)> skip;  ///< true: nothing is written
  int dropped_rank = -1;  ///< its contribution to reductions is left out
  bool reversed = false;  ///< reduce from the last rank to the first
};

/// A rank that is a thread: each operation reads the others' buffers between two meetings.
class ThreadTransport final : public Transport {
 public:
  ThreadTransport(ThreadGroup& group, int rank) : group_(group), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return group_.size; }
  int local_size() const override { return group_.size; }
  TransportFacts facts() const override { return {"threads", "1", "one process"}; }

  void all_reduce(const void* in, void* out, std::int64_t count, Dtype dtype, RedOp redop) override;
  void all_gather(const void* in, void* out, std::int64_t count, Dtype dtype) override;
  void reduce_scatter(const void* in, void* out, std::int64_t count, Dtype dtype,
                      RedOp redop) override;
  void broadcast(const void* in, void* out, std::int64_t count, Dtype dtype) override;
  void reduce(const void* in, void* out, std::int64_t count, Dtype dtype, RedOp redop) override;
  void all_to_all(const void* in, void* out, std::int64_t count, Dtype dtype) override;
  void send_recv(const void* in, void* out, std::int64_t count, Dtype dtype) override;
  void barrier() override { group_.meet.arrive_and_wait(); }
  void max_over_ranks(std::span<double> values) override;
  std::vector<double> gather(std::span<const double> values) override;

  std::int64_t operations() const { return operations_; }

 private:
  // Shows `in` to the others, builds the output aside while all inputs stand, then writes it.
  using Build = std::function<std::vector<char>()>;
  void exchange(const void* in, void* out, const Build& build);
  std::vector<char> reduced(std::int64_t first, std::int64_t count, Dtype dtype, RedOp redop) const;

  ThreadGroup& group_;
  int rank_;
  std::int64_t operations_ = 0;
};

/// Runs `body` on every rank of a group at once; the first exception is thrown again here.
void run_group(ThreadGroup& group, const std::function<void(ThreadTransport&)>& body);

}  // namespace rackproof::collectives
