#include "tests/support/cuda_host/block.hpp"
#include "tests/support/cuda_host/complain.hpp"
#include "tests/support/cuda_host/machine.hpp"
#include "tests/support/cuda_host/memory.hpp"
#include "tests/support/cuda_host/running.hpp"

// What a kernel calls of bulk copies and the barriers that they arrive at.
namespace rackproof::cuda_host {
namespace {

void require_bulk_copies() {
  if (machine().major < 9) complain("bulk copies and their barriers need compute capability 9.0");
}

}  // namespace

void barrier_init(std::uint64_t* barrier) {
  require_bulk_copies();
  const Running me = running_thread();
  me.shared.init(barrier, me.member);
}

void tell_copy_engine() {
  const Running me = running_thread();
  me.shared.tell_copy_engine(me.member);
}

void barrier_expect(std::uint64_t* barrier, std::uint32_t bytes) {
  const Running me = running_thread();
  me.shared.expect(barrier, bytes, me.member);
}

void barrier_wait(std::uint64_t* barrier, std::uint32_t parity) {
  wait_for_copies(barrier, parity, 0);
}

void bulk_fetch(void* to, const void* from, std::uint32_t bytes, std::uint64_t* barrier) {
  const Running me = running_thread();
  me.shared.require_stored(from, bytes);
  touch(from, bytes, me.stamp, Touch::kRead, true);
  me.shared.fetch(to, from, bytes, barrier, me.member);
}

void bulk_store(void* to, const void* from, std::uint32_t bytes) {
  require_bulk_copies();
  const Running me = running_thread();
  me.shared.require_stored(to, bytes);
  touch(to, bytes, me.stamp, Touch::kWrite, true);
  me.shared.store(to, from, bytes, me.member);
}

void bulk_commit() {
  const Running me = running_thread();
  me.shared.commit(me.member);
}

void bulk_wait_read(std::uint32_t left) { wait_for_copies(nullptr, 0, left); }

}  // namespace rackproof::cuda_host
