#include "benches/collectives/local_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "benches/collectives/transport.hpp"
#include "benches/kit/cuda/check.hpp"
#include "benches/kit/nccl/check.hpp"

namespace rackproof::collectives {

LocalRanks::LocalRanks(std::vector<kit::nccl::Communicator> members, double patience_seconds,
                       kit::ProgressWriter& word)
    : members_(std::move(members)),
      patience_seconds_(patience_seconds),
      progress_(word),
      host_patience_(patience_seconds, [this](const std::string& what) {
        kit::nccl::end_process("collectives-nccl",
                               fmt::format("{} on rank {} of {}", what, first_rank(), size()),
                               patience_seconds_);
      }) {
  scratch_.resize(members_.size());
  each([&](int) {
    streams_.emplace_back();
    reached_.emplace_back();
    aligned_.emplace_back(2);
    kit::cuda::fill_async(aligned_.back().data(), 0, aligned_.back().bytes(), streams_.back());
    streams_.back().synchronize();
  });
}

void LocalRanks::each(const std::function<void(int local)>& body) const {
  if (count() == 1) return body(0);
  for (int local = 0; local < count(); ++local) {
    RACKPROOF_CUDA(cudaSetDevice(members_[at(local)].device()));
    body(local);
  }
  RACKPROOF_CUDA(cudaSetDevice(members_.front().device()));
}

void LocalRanks::first_of_kind(const std::string& what, const std::function<void()>& body) {
  first_of_ = what;
  body();
  first_of_.clear();
}

void LocalRanks::together(const std::function<void(int local)>& body) {
  if (first_of_.empty()) return queue_together(body);
  host_patience_.guard(first_of_, [&] { queue_together(body); });
}

void LocalRanks::queue_together(const std::function<void(int local)>& body) const {
  if (count() == 1) return body(0);
  RACKPROOF_NCCL(ncclGroupStart());
  each(body);
  RACKPROOF_NCCL(ncclGroupEnd());
}

void LocalRanks::wait(const std::string& what) {
  each([&](int local) { reached_[at(local)].record(stream(local)); });
  kit::nccl::await(
      members_,
      [&] {
        // What is asked for here was queued behind all of that.
        if (!progress_.look()) return false;
        return std::all_of(reached_.begin(), reached_.end(),
                           [](const kit::cuda::Event& event) { return event.done(); });
      },
      what, patience_seconds_, [this] { abort(); });
  progress_.all_over();
}

void LocalRanks::abort() {
  if (const auto release = std::exchange(before_abort_, nullptr)) release();
  for (kit::nccl::Communicator& member : members_) member.abort();
}

void LocalRanks::guard(const std::function<void()>& body) {
  try {
    body();
  } catch (...) {
    abort();
    throw;
  }
}

void LocalRanks::align() {
  together([&](int local) {
    int* const data = aligned_[at(local)].data();
    RACKPROOF_NCCL(ncclAllReduce(data, data + 1, 1, ncclInt32, ncclSum, communicator(local),
                                 stream(local).get()));
  });
}

void LocalRanks::reserve(std::size_t values) {
  each([&](int local) {
    auto& scratch = scratch_[at(local)];
    if (scratch.size() < values) scratch = kit::cuda::DeviceBuffer<double>(values);
  });
}

void LocalRanks::max_over_ranks(std::span<double> values) {
  if (values.empty()) return;
  progress_.exchange();
  reserve(values.size());
  each([&](int local) {
    // On the local rank's stream: a plain copy may return before its data have arrived.
    kit::cuda::copy_async(scratch_[at(local)].data(), values.data(), values.size_bytes(),
                          stream(local));
  });
  together([&](int local) {
    double* const data = scratch_[at(local)].data();
    RACKPROOF_NCCL(ncclAllReduce(data, data, values.size(), ncclFloat64, ncclMax,
                                 communicator(local), stream(local).get()));
  });
  wait("agreeing with the other ranks");
  kit::cuda::copy(values.data(), scratch_.front().data(), values.size_bytes());
}

std::vector<double> LocalRanks::gather(const std::vector<std::vector<double>>& rows) {
  const std::size_t values = rows.front().size();
  progress_.exchange();
  reserve(values * (1 + static_cast<std::size_t>(size())));
  each([&](int local) {
    kit::cuda::copy_async(scratch_[at(local)].data(), rows[at(local)].data(),
                          values * sizeof(double), stream(local));
  });
  together([&](int local) {
    double* const data = scratch_[at(local)].data();
    RACKPROOF_NCCL(ncclAllGather(data, data + values, values, ncclFloat64, communicator(local),
                                 stream(local).get()));
  });
  wait("gathering from the other ranks");
  std::vector<double> all(values * static_cast<std::size_t>(size()));
  kit::cuda::copy(all.data(), scratch_.front().data() + values, all.size() * sizeof(double));
  return all;
}

ncclDataType_t nccl_type(Dtype dtype) {
  switch (dtype) {
    case Dtype::kInt8:
      return ncclInt8;
    case Dtype::kUint8:
      return ncclUint8;
    case Dtype::kInt32:
      return ncclInt32;
    case Dtype::kUint32:
      return ncclUint32;
    case Dtype::kInt64:
      return ncclInt64;
    case Dtype::kUint64:
      return ncclUint64;
    case Dtype::kFloat:
      return ncclFloat32;
    case Dtype::kHalf:
      return ncclFloat16;
    case Dtype::kBfloat16:
      return ncclBfloat16;
    case Dtype::kFloat8E4M3:
      return ncclFloat8e4m3;
    case Dtype::kFloat8E5M2:
      return ncclFloat8e5m2;
    case Dtype::kDouble:
      break;
  }
  return ncclFloat64;
}

ncclRedOp_t nccl_op(RedOp redop) {
  switch (redop) {
    case RedOp::kSum:
      return ncclSum;
    case RedOp::kProd:
      return ncclProd;
    case RedOp::kMin:
      return ncclMin;
    case RedOp::kMax:
      return ncclMax;
    case RedOp::kAvg:
      break;
  }
  return ncclAvg;
}

void enqueue(const LocalRanks& locals, int local, Operation operation, const void* in, void* out,
             std::int64_t count, Dtype dtype, RedOp redop) {
  const auto elements = static_cast<std::size_t>(count);
  const ncclDataType_t type = nccl_type(dtype);
  const ncclRedOp_t op = nccl_op(redop);
  const int rank = locals.rank(local);
  const int size = locals.size();
  ncclComm_t group = locals.communicator(local);
  cudaStream_t stream = locals.stream(local).get();
  switch (operation) {
    case Operation::kAllReduce:
      RACKPROOF_NCCL(ncclAllReduce(in, out, elements, type, op, group, stream));
      return;
    case Operation::kAllGather:
      RACKPROOF_NCCL(ncclAllGather(in, out, elements, type, group, stream));
      return;
    case Operation::kReduceScatter:
      RACKPROOF_NCCL(ncclReduceScatter(in, out, elements, type, op, group, stream));
      return;
    case Operation::kBroadcast:
      RACKPROOF_NCCL(ncclBroadcast(in, out, elements, type, kRoot, group, stream));
      return;
    case Operation::kReduce:
      RACKPROOF_NCCL(ncclReduce(in, out, elements, type, op, kRoot, group, stream));
      return;
    case Operation::kAllToAll:
      RACKPROOF_NCCL(ncclAlltoAll(in, out, elements, type, group, stream));
      return;
    case Operation::kSendRecv:
      RACKPROOF_NCCL(ncclGroupStart());
      RACKPROOF_NCCL(ncclSend(in, elements, type, (rank + 1) % size, group, stream));
      RACKPROOF_NCCL(ncclRecv(out, elements, type, (rank + size - 1) % size, group, stream));
      RACKPROOF_NCCL(ncclGroupEnd());
      return;
  }
}

}  // namespace rackproof::collectives
