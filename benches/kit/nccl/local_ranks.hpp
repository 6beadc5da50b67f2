#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "benches/kit/cuda/memory.hpp"
#include "benches/kit/cuda/stream.hpp"
#include "benches/kit/nccl/communicator.hpp"
#include "benches/kit/nccl/host_patience.hpp"
#include "benches/kit/nccl/local_progress.hpp"

namespace rackproof::kit::nccl {

/// The ranks of this process, each with its device, its communicator and a stream: one in a
/// supervised group, one for each device by hand. All are driven by the calling thread, whose
/// current device is the first local rank's between calls.
class LocalRanks {
 public:
  /// Takes the communicators over. A wait of more than `patience_seconds` aborts them; `program` is
  /// who says so where the process has to end for it. How far they are is told in `word`.
  LocalRanks(std::vector<Communicator> members, double patience_seconds, std::string program,
             ProgressWriter& word);

  /// What is queued inside `body` may be the first of its kind, for which NCCL connects: a call of
  /// it that does not come back ends the process, and says that it was for `what`.
  void first_of_kind(const std::string& what, const std::function<void()>& body);

  /// What is queued now may be.
  bool is_first_of_kind() const { return !first_of_.empty(); }

  int count() const { return static_cast<int>(members_.size()); }
  int first_rank() const { return members_.front().rank(); }
  int size() const { return members_.front().size(); }  ///< ranks of the whole group
  int rank(int local) const { return members_[at(local)].rank(); }
  ncclComm_t communicator(int local) const { return members_[at(local)].get(); }
  const cuda::Stream& stream(int local) const { return streams_[at(local)]; }
  /// Of what is queued: to be told before it is.
  LocalProgress& progress() { return progress_; }
  /// False once the communicators were aborted.
  bool alive() const { return members_.front().get() != nullptr; }

  /// Calls `body(local rank)` for every local rank, with its device current.
  void each(const std::function<void(int local)>& body) const;

  /// The same as one group of NCCL, so that calls of several local ranks do not wait for each
  /// other.
  void together(const std::function<void(int local)>& body);

  /// Waits for everything queued on every local rank. Throws DeviceError, after an abort, when
  /// that takes too long or NCCL reports an error.
  void wait(const std::string& what);

  /// Calls `body`. When it throws, ends all that runs on this side before the exception goes on:
  /// what waits for other ranks would hold up the freeing of every buffer. So the buffers that
  /// `body` uses belong outside of it.
  void guard(const std::function<void()>& body);

  /// What has to be done before the communicators are aborted, once: a graph that has captured work
  /// of theirs must go first, since their abort waits for that. Null takes it back.
  void before_abort(std::function<void()> release) { before_abort_ = std::move(release); }

  /// Queues an operation that no rank's stream leaves before all have come to it.
  void align();

  /// Replaces each value by its maximum over the processes of the group. Waits.
  void max_over_ranks(std::span<double> values);

  /// The values of all ranks, rank by rank, where `rows` has those of each local rank. Waits.
  std::vector<double> gather(const std::vector<std::vector<double>>& rows);

 private:
  static std::size_t at(int local) { return static_cast<std::size_t>(local); }
  void queue_together(const std::function<void(int local)>& body) const;
  void reserve(std::size_t values);
  void abort();

  std::vector<Communicator> members_;
  double patience_seconds_;
  LocalProgress progress_;
  HostPatience host_patience_;
  std::string first_of_;  ///< what is queued for the first time; empty: nothing is
  std::function<void()> before_abort_;
  std::vector<cuda::Stream> streams_;
  std::vector<cuda::Event> reached_;
  std::vector<cuda::DeviceBuffer<double>>
      scratch_;  // of each local rank: own values, then those of all
  std::vector<cuda::DeviceBuffer<int>> aligned_;
};

}  // namespace rackproof::kit::nccl
