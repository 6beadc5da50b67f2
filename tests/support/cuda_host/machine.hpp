#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace rackproof::cuda_host {

/// Something that goes wrong: on which device or rank (-1: nowhere), and at which of its kernels,
/// allocations or operations, counted from 1; for `slow` microseconds.
struct Fault {
  int who = -1;
  std::int64_t when = 0;
};

/// The machine that this process plays, from RACKPROOF_CUDA_HOST: words with commas between them,
/// such as "devices=8,major=9,memory=600M,seed=7,chaos,mig=3,ecc=0:5". Those for this host and
/// program in the file that CUDA_HOST_PLAY names come after them. Docs: docs/gpu-on-cpu.md.
struct Machine {
  int host = 0;  ///< whose GPUs these are: part of their UUIDs
  int devices = 1;
  int major = 9;
  int minor = 0;
  int code = 0;  ///< major capability that programs have kernels for; 0: whatever the devices have
  int multiprocessors = 4;
  int mig = 0;  ///< instances of device 0, which is then seen through them alone
  std::size_t memory = std::size_t{256} << 20;
  std::size_t l2 = std::size_t{64} << 10;
  std::uint64_t seed = 1;
  int driver = 13000;
  int algorithms = 3;     ///< that cuBLASLt offers
  int refusing = 0;       ///< of them, how many refuse when they are used
  bool chaos = false;     ///< work on streams is late now and then
  bool blocking = false;  ///< a launch returns when the kernel has ended
  int peers = 64;         ///< so many devices, from the first on, can reach each other
  int timer = 1;          ///< how many times faster the timer of the devices goes
  Fault ecc;              ///< an uncorrectable memory error in a kernel
  Fault fault;            ///< an illegal address in a kernel
  Fault alloc;            ///< an allocation that fails
  Fault flip;             ///< from then on a bit of what each operation writes, but NCCL's
  Fault slow;
  Fault wrong;  ///< a bit of an NCCL operation's output
  Fault hang;
  Fault die;
  Fault lost;  ///< NCCL says that a member is gone
  Fault stop;  ///< a signal stops the process before it queues the operation
};

/// Read once. Ends the program with exit code 2 and one line when a word cannot be understood.
const Machine& machine();

/// The UUID of a GPU, or of an instance of MIG, as the driver has it and as it is written.
std::array<unsigned char, 16> uuid_of(bool instance, int index);
std::string uuid_text(bool instance, int index);

}  // namespace rackproof::cuda_host
