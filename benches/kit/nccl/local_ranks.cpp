#include "benches/kit/nccl/local_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "benches/kit/cuda/check.hpp"
#include "benches/kit/nccl/check.hpp"

namespace rackproof::kit::nccl {

LocalRanks::LocalRanks(std::vector<Communicator> members, double patience_seconds,
                       std::string program, ProgressWriter& word)
    : members_(std::move(members)),
      patience_seconds_(patience_seconds),
      progress_(word),
      host_patience_(
          patience_seconds, [this, program = std::move(program)](const std::string& what) {
            end_process(program, fmt::format("{} on rank {} of {}", what, first_rank(), size()),
                        patience_seconds_);
          }) {
  scratch_.resize(members_.size());
  each([&](int) {
    streams_.emplace_back();
    reached_.emplace_back();
    aligned_.emplace_back(2);
    cuda::fill_async(aligned_.back().data(), 0, aligned_.back().bytes(), streams_.back());
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
  await(
      members_,
      [&] {
        // What is asked for here was queued behind all of that.
        if (!progress_.look()) return false;
        return std::all_of(reached_.begin(), reached_.end(),
                           [](const cuda::Event& event) { return event.done(); });
      },
      what, patience_seconds_, [this] { abort(); });
  progress_.all_over();
}

void LocalRanks::abort() {
  if (const auto release = std::exchange(before_abort_, nullptr)) release();
  for (Communicator& member : members_) member.abort();
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
    if (scratch.size() < values) scratch = cuda::DeviceBuffer<double>(values);
  });
}

void LocalRanks::max_over_ranks(std::span<double> values) {
  if (values.empty()) return;
  progress_.exchange();
  reserve(values.size());
  each([&](int local) {
    // On the local rank's stream: a plain copy may return before its data have arrived.
    cuda::copy_async(scratch_[at(local)].data(), values.data(), values.size_bytes(), stream(local));
  });
  together([&](int local) {
    double* const data = scratch_[at(local)].data();
    RACKPROOF_NCCL(ncclAllReduce(data, data, values.size(), ncclFloat64, ncclMax,
                                 communicator(local), stream(local).get()));
  });
  wait("agreeing with the other ranks");
  cuda::copy(values.data(), scratch_.front().data(), values.size_bytes());
}

std::vector<double> LocalRanks::gather(const std::vector<std::vector<double>>& rows) {
  const std::size_t values = rows.front().size();
  progress_.exchange();
  reserve(values * (1 + static_cast<std::size_t>(size())));
  each([&](int local) {
    cuda::copy_async(scratch_[at(local)].data(), rows[at(local)].data(), values * sizeof(double),
                     stream(local));
  });
  together([&](int local) {
    double* const data = scratch_[at(local)].data();
    RACKPROOF_NCCL(ncclAllGather(data, data + values, values, ncclFloat64, communicator(local),
                                 stream(local).get()));
  });
  wait("gathering from the other ranks");
  std::vector<double> all(values * static_cast<std::size_t>(size()));
  cuda::copy(all.data(), scratch_.front().data() + values, all.size() * sizeof(double));
  return all;
}

}  // namespace rackproof::kit::nccl
