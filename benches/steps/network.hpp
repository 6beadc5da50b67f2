#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace rackproof::steps {

/// Who drives messages that are under way while a rank computes: nobody, or a thread of its own
/// that keeps testing them.
enum class Progress { kNone, kThread };

/// A message that was started. Its buffers must stay until it was waited for.
class Pending;
using Message = std::shared_ptr<Pending>;

class Network;

/// Ranks that talk with each other: a communicator. Counts are elements of float. All throw
/// kit::DeviceError when the library reports an error, and kit::UsageError for a count beyond what
/// MPI takes. Every member has to start the same operations in the same order.
class Group {
 public:
  int rank() const { return rank_; }
  int size() const { return size_; }

  /// data = the sum over the members, in place.
  Message all_reduce(float* data, std::int64_t count) const;
  /// Block r of `out` (`count` elements) = the input of member r.
  Message all_gather(const float* in, float* out, std::int64_t count) const;
  /// `in` has a block of `count` elements for each member; out = the sum of this member's.
  Message reduce_scatter(const float* in, float* out, std::int64_t count) const;
  /// Block r of `out` = this member's block of the input of member r.
  Message all_to_all(const float* in, float* out, std::int64_t count) const;
  Message send(const float* data, std::int64_t count, int to, int tag) const;
  Message receive(float* data, std::int64_t count, int from, int tag) const;

  /// The members are in step afterwards.
  void barrier() const;
  /// The values of all members, member by member; all must bring equally many.
  std::vector<double> gather(std::span<const double> values) const;

 private:
  friend class Network;
  struct Communicator;
  Network* network_ = nullptr;
  std::shared_ptr<Communicator> communicator_;
  int rank_ = 0;
  int size_ = 1;
};

/// MPI as this bench uses it: nothing blocks inside of the library. A rank that waits tests, and
/// leaves its core to others where there are more ranks than cores. The library is called by one
/// thread at a time.
class Network {
 public:
  /// A communicator of its own over all ranks. Throws kit::Unavailable where a progress thread is
  /// asked for and MPI was started for one thread alone.
  explicit Network(Progress progress);
  ~Network();
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  const Group& world() const { return world_; }
  /// Ranks on this machine, this one included.
  int local_size() const { return local_size_; }
  /// The host of each rank, by the lowest rank that is there.
  const std::vector<int>& hosts() const { return hosts_; }
  /// The ranks that bring the same color, in the order of their keys.
  Group split(int color, int key);
  /// Whether ranks, and the threads that drive their messages, are more than the cores of this
  /// machine.
  bool crowded() const;

  /// Returns when the message is over, and says when it was seen to be: as now_seconds.
  double wait(const Message& message);

 private:
  friend class Group;
  struct Engine;
  std::unique_ptr<Engine> engine_;
  Group world_;
  int local_size_ = 1;
  std::vector<int> hosts_;
};

}  // namespace rackproof::steps
