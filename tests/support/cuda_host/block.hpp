#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

// A block of threads on one thread of the host: its threads are fibers, resumed in an order drawn
// anew for each.
namespace rackproof::cuda_host {

/// How a kernel was launched.
struct Grid {
  dim3 blocks;
  dim3 threads;
  std::size_t shared = 0;
};

/// Runs every block of a grid on the calling thread, inside an operation.
void run_grid(const Grid& grid, const std::function<void()>& body, std::uint64_t seed);

/// ", block (0,0,0), thread (1,0,0)" in a kernel, else nothing.
std::string place_in_block();

// What a kernel calls; each of the thread that runs.
uint3 thread_index();
uint3 block_index();
dim3 block_dimensions();
dim3 grid_dimensions();
/// `site` is one for each place in the program, and for each instantiation of it.
void block_barrier(const void* site);
/// Every lane of `mask` brings 8 bytes and takes those of lane `from`.
std::uint64_t exchange(std::uint32_t mask, std::uint64_t mine, int from, const void* site);
int lane();
void* dynamic_shared();
void* static_shared(const void* site, std::size_t bytes, std::size_t alignment);
std::uint64_t nanoseconds();
void barrier_init(std::uint64_t* barrier);
void tell_copy_engine();
void barrier_expect(std::uint64_t* barrier, std::uint32_t bytes);
void barrier_wait(std::uint64_t* barrier, std::uint32_t parity);
void bulk_fetch(void* to, const void* from, std::uint32_t bytes, std::uint64_t* barrier);
void bulk_store(void* to, const void* from, std::uint32_t bytes);
void bulk_commit();
void bulk_wait_read(std::uint32_t left);

/// Enters an access that a thread of a kernel makes; does nothing outside of one.
void kernel_touch(const void* address, std::size_t bytes, bool writes);
/// One of `bytes` by the path for what no thread of the kernel writes, aligned to as many.
void kernel_touch_constant(const void* address, std::size_t bytes);
/// An atomic one.
void kernel_touch_atomic(const void* address, std::size_t bytes);

}  // namespace rackproof::cuda_host
