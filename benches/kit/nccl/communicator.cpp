#include "benches/kit/nccl/communicator.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <thread>
#include <utility>

#include "benches/kit/clock.hpp"
#include "benches/kit/cuda/check.hpp"
#include "benches/kit/errors.hpp"
#include "benches/kit/nccl/check.hpp"
#include "benches/kit/nccl/library.hpp"

static_assert(NCCL_VERSION_CODE >= NCCL_VERSION(2, 28, 0), "NCCL 2.28 or newer is needed");
static_assert(rackproof::kit::nccl::kIdBytes == NCCL_UNIQUE_ID_BYTES);

namespace rackproof::kit::nccl {
namespace {

// The device that is current in this thread, made so again at the end.
class KeepDevice {
 public:
  KeepDevice() { RACKPROOF_CUDA(cudaGetDevice(&device_)); }
  ~KeepDevice() { (void)cudaSetDevice(device_); }
  KeepDevice(const KeepDevice&) = delete;
  KeepDevice& operator=(const KeepDevice&) = delete;

 private:
  int device_ = 0;
};

// A call that may still be going on when it returns.
void require_begun(ncclResult_t result, const char* call, const char* file, int line) {
  if (result != ncclInProgress) require(result, call, file, line);
}
#define RACKPROOF_NCCL_BEGUN(call) require_begun((call), #call, __FILE__, __LINE__)

std::vector<ncclUniqueId> unique_ids(const std::vector<Id>& ids) {
  std::vector<ncclUniqueId> unique(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    std::memcpy(unique[i].internal, ids[i].data(), kIdBytes);
  }
  return unique;
}

void begin_init(ncclComm_t* handle, int rank, int ranks, std::vector<ncclUniqueId>& ids) {
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 0;
  if (ids.size() == 1) {
    RACKPROOF_NCCL_BEGUN(ncclCommInitRankConfig(handle, ranks, ids.front(), rank, &config));
  } else {
    RACKPROOF_NCCL_BEGUN(ncclCommInitRankScalable(handle, ranks, rank, static_cast<int>(ids.size()),
                                                  ids.data(), &config));
  }
}

// Waits for what a call on communicators that do not block has begun.
void finish(const std::vector<ncclComm_t>& handles, double end, const std::string& late) {
  for (;;) {
    bool going_on = false;
    for (ncclComm_t handle : handles) {
      ncclResult_t state = ncclInProgress;
      RACKPROOF_NCCL(ncclCommGetAsyncError(handle, &state));
      if (state == ncclInProgress) {
        going_on = true;
      } else {
        require(state, "bringing up the group", __FILE__, __LINE__);
      }
    }
    if (!going_on) return;
    if (now_seconds() > end) throw GaveUp(late);
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

std::string members_text(int first_rank, std::size_t here, int ranks) {
  const int last = first_rank + static_cast<int>(here) - 1;
  return here == 1 ? fmt::format("rank {} of {}", first_rank, ranks)
                   : fmt::format("ranks {} to {} of {}", first_rank, last, ranks);
}

}  // namespace

std::map<std::string, std::string> libraries() {
  if (!library_is_here()) return {};
  int version = 0;
  RACKPROOF_NCCL(ncclGetVersion(&version));
  return {{"nccl", fmt::format("{}.{}.{}", version / 10'000, version / 100 % 100, version % 100)}};
}

std::vector<Id> make_ids(int count) {
  std::vector<Id> ids(static_cast<std::size_t>(count));
  for (Id& id : ids) {
    ncclUniqueId unique;
    RACKPROOF_NCCL(ncclGetUniqueId(&unique));
    std::memcpy(id.data(), unique.internal, kIdBytes);
  }
  return ids;
}

Communicator::Communicator(Communicator&& other) noexcept
    : base_(std::exchange(other.base_, nullptr)),
      work_(std::exchange(other.work_, nullptr)),
      rank_(other.rank_),
      size_(other.size_),
      device_(other.device_),
      exceptions_(other.exceptions_) {}

Communicator& Communicator::operator=(Communicator&& other) noexcept {
  std::swap(base_, other.base_);
  std::swap(work_, other.work_);
  std::swap(rank_, other.rank_);
  std::swap(size_, other.size_);
  std::swap(device_, other.device_);
  std::swap(exceptions_, other.exceptions_);
  return *this;
}

Communicator::~Communicator() {
  // A good end waits for the others, who may be gone when something failed here.
  if (std::uncaught_exceptions() > exceptions_) abort();
  if (work_ != nullptr) (void)ncclCommDestroy(work_);
  if (base_ != nullptr) (void)ncclCommDestroy(base_);
}

void Communicator::abort() {
  if (work_ != nullptr) (void)ncclCommAbort(std::exchange(work_, nullptr));
  if (base_ != nullptr) (void)ncclCommAbort(std::exchange(base_, nullptr));
}

ncclResult_t Communicator::asynchronous_error() const {
  ncclResult_t state = ncclSuccess;
  if (work_ == nullptr) return ncclInvalidUsage;
  const ncclResult_t asked = ncclCommGetAsyncError(work_, &state);
  return asked == ncclSuccess ? state : asked;
}

std::vector<Communicator> bring_up(const std::vector<int>& devices, int first_rank, int ranks,
                                   const std::vector<Id>& ids, double seconds, BringUp* times) {
  if (std::getenv("NCCL_COMM_BLOCKING") != nullptr) {
    throw UsageError("NCCL_COMM_BLOCKING is set: take it away, this program needs both kinds");
  }
  const KeepDevice keep;
  const double begun = now_seconds();
  const double end = begun + seconds;
  const std::string who = members_text(first_rank, devices.size(), ranks);
  std::vector<ncclUniqueId> unique = unique_ids(ids);
  std::vector<Communicator> members;
  members.reserve(devices.size());
  for (std::size_t i = 0; i < devices.size(); ++i) {
    members.push_back(Communicator(first_rank + static_cast<int>(i), ranks, devices[i]));
    members.back().exceptions_ = std::uncaught_exceptions();
  }

  RACKPROOF_NCCL(ncclGroupStart());
  for (Communicator& member : members) {
    RACKPROOF_CUDA(cudaSetDevice(member.device_));
    begin_init(&member.base_, member.rank_, ranks, unique);
  }
  RACKPROOF_NCCL_BEGUN(ncclGroupEnd());
  std::vector<ncclComm_t> handles;
  for (const Communicator& member : members) handles.push_back(member.base_);
  finish(
      handles, end,
      fmt::format("the group did not come together within {:g} s: {} waited here for the others; "
                  "NCCL does not tell which of them did not come",
                  seconds, who));
  const double joined = now_seconds();

  RACKPROOF_NCCL(ncclGroupStart());
  for (Communicator& member : members) {
    RACKPROOF_CUDA(cudaSetDevice(member.device_));
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 1;
    RACKPROOF_NCCL_BEGUN(ncclCommSplit(member.base_, 0, member.rank_, &member.work_, &config));
  }
  RACKPROOF_NCCL_BEGUN(ncclGroupEnd());
  finish(handles, end,
         fmt::format("the group came together, and then did not split off its working communicator "
                     "within {:g} s of bring-up: {} waited here",
                     seconds, who));
  for (const Communicator& member : members) {
    if (member.work_ == nullptr) {
      throw DeviceError("ncclCommSplit reported success and made no communicator");
    }
  }
  if (times != nullptr) *times = {begun, joined, now_seconds()};
  return members;
}

void await(const std::vector<Communicator>& members, const std::function<bool()>& done,
           const std::string& what, double seconds, const std::function<void()>& abort) {
  constexpr double kShort = 2e-3;
  const double begun = now_seconds();
  // Who waits for another member, and who is told of one, is not the one to look at.
  const auto give_up = [&](const std::string& why, bool for_another) {
    const std::string who =
        members_text(members.front().rank(), members.size(), members.front().size());
    // Before anything else: a kernel that waits for a peer holds up every other call.
    abort();
    const std::string text =
        fmt::format("{}: {}; {} waited here, and the communicator was aborted", what, why, who);
    if (for_another) throw GaveUp(text);
    throw DeviceError(text);
  };
  while (!done()) {
    for (const Communicator& member : members) {
      const ncclResult_t error = member.asynchronous_error();
      if (error != ncclSuccess && error != ncclInProgress) {
        give_up(fmt::format("{} ({}; NCCL says: {})", name_of(error), ncclGetErrorString(error),
                            ncclGetLastError(nullptr)),
                error == ncclRemoteError);
      }
    }
    const double waited = now_seconds() - begun;
    if (waited > seconds) give_up(fmt::format("not done after {:g} s", seconds), true);
    if (waited > kShort) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    } else {
      std::this_thread::yield();
    }
  }
}

}  // namespace rackproof::kit::nccl
