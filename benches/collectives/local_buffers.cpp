#include "benches/collectives/local_buffers.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "benches/kit/cuda/check.hpp"
#include "benches/kit/cuda/device.hpp"
#include "benches/kit/errors.hpp"
#include "benches/kit/nccl/check.hpp"

namespace rackproof::collectives {
namespace {

// What NCCL makes of a size, and room for what it allocates by itself when an operation first runs.
constexpr std::int64_t kGranule = std::int64_t{2} << 20;
constexpr std::int64_t kSpare = std::int64_t{256} << 20;

std::int64_t in_granules(std::int64_t bytes) {
  return (bytes + kGranule - 1) / kGranule * kGranule;
}

}  // namespace

LocalBuffers::LocalBuffers(kit::nccl::LocalRanks& locals, Registration registration,
                           std::int64_t in_bytes, std::int64_t out_bytes, const std::string& what)
    : locals_(locals), registration_(registration) {
  require_room(in_bytes, out_bytes, what);
  try {
    for (int local = 0; local < locals_.count(); ++local) {
      regions_.push_back({nullptr, static_cast<std::size_t>(in_bytes), nullptr, nullptr});
      regions_.push_back({nullptr, static_cast<std::size_t>(out_bytes), nullptr, nullptr});
    }
    locals_.each([&](int local) {
      allocate(region(local, 0));
      allocate(region(local, 1));
    });
    if (registration_ != Registration::kNone) register_all(what);
  } catch (...) {
    release();
    throw;
  }
}

LocalBuffers::~LocalBuffers() { release(); }

void LocalBuffers::require_room(std::int64_t in_bytes, std::int64_t out_bytes,
                                const std::string& what) {
  std::int64_t free = std::numeric_limits<std::int64_t>::max();
  locals_.each([&](int) { free = std::min(free, kit::cuda::free_bytes()); });
  const std::int64_t need = in_granules(in_bytes) + in_granules(out_bytes);
  std::array<double, 1> lacking{need + kSpare > free ? 1.0 : 0.0};
  // Said by all or by none: a rank that left alone would leave the others waiting.
  locals_.max_over_ranks(lacking);
  if (lacking[0] == 0) return;
  throw kit::Unavailable(fmt::format(
      "{} needs {} B of device memory per rank and {} B beside them, and a device of the group has "
      "not as much (here {} B are free); choose a smaller --end",
      what, need, kSpare, free));
}

void LocalBuffers::allocate(Region& region) {
  if (region.bytes == 0) return;
  if (registration_ == Registration::kNone) {
    RACKPROOF_CUDA(cudaMalloc(&region.data, region.bytes));
  } else {
    RACKPROOF_NCCL(ncclMemAlloc(&region.data, region.bytes));
  }
}

void LocalBuffers::register_all(const std::string& what) {
  for (int part = 0; part < 2; ++part) {
    // Windows are made by all ranks at once, in the same order.
    locals_.together([&](int local) {
      Region& one = region(local, part);
      if (one.data == nullptr) return;
      ncclComm_t group = locals_.communicator(local);
      if (registration_ == Registration::kLocal) {
        RACKPROOF_NCCL(ncclCommRegister(group, one.data, one.bytes, &one.handle));
      } else {
        RACKPROOF_NCCL(ncclCommWindowRegister(group, one.data, one.bytes, &one.window,
                                              NCCL_WIN_COLL_SYMMETRIC));
      }
    });
  }
  const bool taken = std::all_of(regions_.begin(), regions_.end(), [](const Region& region) {
    return region.data == nullptr || region.handle != nullptr || region.window != nullptr;
  });
  std::array<double, 1> refused{taken ? 0.0 : 1.0};
  locals_.max_over_ranks(refused);
  if (refused[0] == 0) return;
  throw kit::Unavailable(
      fmt::format("{}: NCCL does not register buffers here; use --register none", what));
}

void LocalBuffers::release() noexcept {
  for (std::size_t i = 0; i < regions_.size(); ++i) {
    Region& region = regions_[i];
    // An aborted communicator has let go of everything.
    if (locals_.alive()) {
      ncclComm_t group = locals_.communicator(static_cast<int>(i / 2));
      if (region.handle != nullptr) (void)ncclCommDeregister(group, region.handle);
      if (region.window != nullptr) (void)ncclCommWindowDeregister(group, region.window);
    }
    if (region.data == nullptr) continue;
    if (registration_ == Registration::kNone) {
      (void)cudaFree(region.data);
    } else {
      (void)ncclMemFree(region.data);
    }
  }
  regions_.clear();
}

}  // namespace rackproof::collectives
