#pragma once

#include <cstdint>
#include <functional>

namespace rackproof::collectives {

/// Devices and an NCCL that are no such things: the functions of the CUDA runtime and of NCCL that
/// the bench calls, by host memory and at once, linked in the place of the real ones. It is there
/// to try everything around the kernels and the library without a GPU; what it measures means
/// nothing. All ranks of a group must be in this process.
struct FakeGpu {
  int devices = 1;
  std::int64_t free_bytes = std::int64_t{1} << 32;
  bool members_missing = false;  ///< no group ever comes together
  bool registers = true;         ///< false: registrations are passed over
  int broken_after = -1;  ///< after so many operations NCCL reports an error in the background
  bool stuck = false;     ///< nothing queued is ever done
  /// Called after each operation of a rank with its number, counted by rank, and its output.
  std::function<void(int rank, std::int64_t operation, void* out)> spoil;

  std::int64_t memory_in_use = 0;
  int registrations = 0;  ///< in force
  int communicators = 0;  ///< neither destroyed nor aborted
  int aborted = 0;
  int graphs = 0;                ///< that were not destroyed
  int aborted_under_graphs = 0;  ///< NCCL would wait in these for ever
  std::int64_t graph_launches = 0;
};

/// The one that the functions use; set it anew for each test.
FakeGpu& fake_gpu();

}  // namespace rackproof::collectives
