#pragma once

#include <nccl.h>

#include <cstdint>
#include <string>
#include <vector>

#include "benches/collectives/kinds.hpp"
#include "benches/kit/nccl/local_ranks.hpp"

namespace rackproof::collectives {

/// The memory of one cell on every local rank: one region for the inputs of all slots and one for
/// their outputs, made known to NCCL as asked. With a registration it comes from ncclMemAlloc, as
/// windows and NVLS need it, else from cudaMalloc.
class LocalBuffers {
 public:
  /// Zero bytes of input: none. Every process of the group must make its own at the same time.
  /// Throws kit::Unavailable on all of them when one lacks the memory, telling how much is free
  /// here, or when NCCL does not take the registration. `what` names the cell.
  LocalBuffers(kit::nccl::LocalRanks& locals, Registration registration, std::int64_t in_bytes,
               std::int64_t out_bytes, const std::string& what);
  ~LocalBuffers();
  LocalBuffers(const LocalBuffers&) = delete;
  LocalBuffers& operator=(const LocalBuffers&) = delete;

  char* in(int local) const { return static_cast<char*>(region(local, 0).data); }
  char* out(int local) const { return static_cast<char*>(region(local, 1).data); }

 private:
  struct Region {
    void* data = nullptr;
    std::size_t bytes = 0;
    void* handle = nullptr;         // of a local registration
    ncclWindow_t window = nullptr;  // of a symmetric one
  };

  // Part 0 is the input, 1 the output.
  static std::size_t place(int local, int part) {
    return 2 * static_cast<std::size_t>(local) + static_cast<std::size_t>(part);
  }
  Region& region(int local, int part) { return regions_[place(local, part)]; }
  const Region& region(int local, int part) const { return regions_[place(local, part)]; }

  void require_room(std::int64_t in_bytes, std::int64_t out_bytes, const std::string& what);
  void allocate(Region& region);
  void register_all(const std::string& what);
  void release() noexcept;

  kit::nccl::LocalRanks& locals_;
  Registration registration_;
  std::vector<Region> regions_;  // of each local rank: input, output
};

}  // namespace rackproof::collectives
