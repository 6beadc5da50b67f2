#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>

/// How long each device that is played has been at work, in a file that CUDA_HOST_BUSY names: the
/// devices write it, in any process of a machine, and the stand-in for NVML reads it.
namespace rackproof::cuda_host {

inline constexpr std::size_t kBusyHosts = 16;
inline constexpr std::size_t kBusyDevices = 64;

struct BusySlot {
  std::atomic<std::int64_t> total{0};  ///< nanoseconds, of what is over
  std::atomic<std::int64_t> since{0};  ///< on CLOCK_MONOTONIC; 0: idle
};
using BusyTable = std::array<BusySlot, kBusyHosts * kBusyDevices>;

inline std::int64_t busy_clock() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

/// The table, or null where no file is named or it cannot be mapped.
inline BusyTable* busy_table() {
  static BusyTable* const table = []() -> BusyTable* {
    const char* const path = std::getenv("CUDA_HOST_BUSY");
    if (path == nullptr) return nullptr;
    const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return nullptr;
    void* at = MAP_FAILED;
    if (ftruncate(file, sizeof(BusyTable)) == 0) {
      at = mmap(nullptr, sizeof(BusyTable), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    close(file);
    return at == MAP_FAILED ? nullptr : static_cast<BusyTable*>(at);
  }();
  return table;
}

inline BusySlot* busy_slot(std::size_t host, std::size_t device) {
  BusyTable* const table = busy_table();
  if (table == nullptr || host >= kBusyHosts || device >= kBusyDevices) return nullptr;
  return &(*table)[host * kBusyDevices + device];
}

}  // namespace rackproof::cuda_host
