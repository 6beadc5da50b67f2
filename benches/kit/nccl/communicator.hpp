#pragma once

#include <nccl.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "benches/kit/nccl/ids.hpp"

namespace rackproof::kit::nccl {

/// {"nccl": "2.28.9"}: the library as loaded, nothing where it cannot be. Starts nothing.
std::map<std::string, std::string> libraries();

/// New ids; each names a listener in this process, which must outlive the bring-up of the group.
std::vector<Id> make_ids(int count);

/// Times of a bring-up, in seconds of kit::now_seconds().
struct BringUp {
  double begun = 0;   ///< when the ids were at hand
  double joined = 0;  ///< when every local member had its communicator
  double ready = 0;   ///< when each had the second one too
};

/// One member of a group. Move-only; used by one thread, with its device current.
///
/// It is brought up without blocking, so that a member which never comes ends the wait and not the
/// program. Such a communicator launches each operation from a new thread, which short operations
/// would be measured with, so the work is done by a second, blocking one that is split off. Both
/// belong to this object. When it goes while an exception passes it aborts what still runs;
/// otherwise it ends in good order.
class Communicator {
 public:
  Communicator(Communicator&& other) noexcept;
  Communicator& operator=(Communicator&& other) noexcept;
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  /// What operations are called on. Calls on it enqueue and return.
  ncclComm_t get() const { return work_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  int device() const { return device_; }  ///< as this process counts them

  /// What NCCL found wrong with it, in the background, since it came up; ncclSuccess for nothing.
  ncclResult_t asynchronous_error() const;

  /// Ends all that runs on it, at once and on this side alone. It cannot be used after that.
  void abort();

 private:
  friend std::vector<Communicator> bring_up(const std::vector<int>& devices, int first_rank,
                                            int ranks, const std::vector<Id>& ids, double seconds,
                                            BringUp* times);
  Communicator(int rank, int size, int device) : rank_(rank), size_(size), device_(device) {}

  ncclComm_t base_ = nullptr;
  ncclComm_t work_ = nullptr;
  int rank_ = 0;
  int size_ = 1;
  int device_ = 0;
  int exceptions_ = 0;
};

/// The members `first_rank` and on of a group of `ranks`, one on each of `devices`, all driven by
/// the calling thread: one device for a process of a supervised group, all of them by hand. With
/// more than one member here, calls of NCCL for several of them stand between ncclGroupStart and
/// ncclGroupEnd.
///
/// Throws GaveUp when not all have come after `seconds`, or NCCL says that one is gone, and
/// DeviceError when it reports another error, after an abort. NCCL does not tell which member is
/// missing; the message tells how many of how many are here and how long was waited. UsageError
/// when NCCL_COMM_BLOCKING would decide for it. The device that was current stays current.
std::vector<Communicator> bring_up(const std::vector<int>& devices, int first_rank, int ranks,
                                   const std::vector<Id>& ids, double seconds,
                                   BringUp* times = nullptr);

/// Waits until `done` says so, looking at every communicator for asynchronous errors. On an error,
/// or after `seconds`, calls `abort`, which is to abort them all, and throws GaveUp (the time is
/// over, or NCCL says that a member is gone) or DeviceError (any other error): `what` was waited
/// for, what is known, and this member's rank. What was captured of a communicator's work must be
/// gone before its abort, which waits for that. Sleeps between looks only once the wait has become
/// long, so that short ones end promptly.
void await(const std::vector<Communicator>& members, const std::function<bool()>& done,
           const std::string& what, double seconds, const std::function<void()>& abort);

}  // namespace rackproof::kit::nccl
