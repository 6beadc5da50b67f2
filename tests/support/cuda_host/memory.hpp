#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>

#include "tests/support/cuda_host/shadow.hpp"

// Memory of devices, and of the host where devices may reach it.
namespace rackproof::cuda_host {

/// One allocation. It stays known when it is given back, so that a later use can be told as such.
struct Area {
  char* data = nullptr;
  std::size_t bytes = 0;
  int device = 0;  ///< -1: page-locked memory of the host
  char* pages = nullptr;
  std::size_t length = 0;
  std::atomic<bool> freed{false};
  std::unique_ptr<Shadow> shadow;

  bool on_device() const { return device >= 0; }
};

/// Full of noise, ending at a page that nobody may touch; nullptr when there is no room.
char* take(std::size_t bytes, int device);
/// False when nothing begins there, or what does was given back already.
bool give(void* data);
std::size_t used_on(int device);
/// Pieces that were not given back, of devices and of the host.
std::size_t pieces_held();
/// Where this address is, also in what was given back; nullptr: not in memory that CUDA gave.
const Area* area_of(const void* address);

/// While one lives, the memory of devices can be reached. Once the host has waited (close_memory),
/// a touch by the host ends the program, until there is work again.
class AtWork {
 public:
  AtWork();
  ~AtWork();
  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;
};

/// Closes the memory of devices to everybody, unless there is work going on.
void close_memory();

/// Enters an access by the operation that runs. Complains of what is out of bounds, freed, another
/// device's that was not opened to this one, not ordered, or (`want_written`) read and not written
/// before.
void touch(const void* address, std::size_t bytes, const Stamp& who, Touch how, bool want_written);
/// The same of a whole range by an operation that has no threads, such as a copy. Memory of the
/// host that CUDA does not know is left alone.
void touch_range(const void* address, std::size_t bytes, Touch how, bool want_written = false);

/// Where the operation that this thread executes has written memory of a device last; nullptr:
/// nowhere yet.
char*& last_written();

/// Of the operation that this thread executes: what it read and wrote last, and where it wrote. The
/// host's memory that CUDA gave counts too.
struct Trail {
  const Area* read = nullptr;
  const Area* wrote = nullptr;
  char* written = nullptr;
};
Trail& trail();

/// Opens the memory of `peer` to kernels of `device`; false: it is open already.
bool open_peer(int device, int peer);

}  // namespace rackproof::cuda_host
