#pragma once

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

// The NCCL that processes of a host play with each other over shared memory: the data really move.
namespace rackproof::cuda_host::nccl {

constexpr int kMostRanks = 16;
constexpr std::size_t kChunk = std::size_t{256} << 10;   // of a collective, of each rank
constexpr std::size_t kMessage = std::size_t{64} << 10;  // of a mailbox

enum class Kind { kAllReduce, kAllGather, kReduceScatter, kBroadcast, kReduce, kAllToAll };

/// What all members of a collective must say alike.
struct Call {
  Kind kind;
  ncclDataType_t type;
  ncclRedOp_t redop;
  int root;
  std::uint64_t count;
  bool operator==(const Call&) const = default;
};

struct Mailbox {
  std::atomic<std::uint64_t> sent, taken;  // parts
  std::atomic<std::uint64_t> bytes;
  char data[kMessage];
};

/// What the members of a communicator have in common.
struct Room {
  std::atomic<int> ready, joined, aborted;
  std::atomic<std::uint64_t> arrived, generation;  // of the barrier
  Call calls[kMostRanks];
  char chunk[kMostRanks][kChunk];
  Mailbox box[kMostRanks][kMostRanks];  // [from][to]
};

/// nullptr while it is not there yet.
Room* map_room(const std::string& name, bool make);
void unmap_room(Room* room);
void remove_room(const std::string& name);
void nap();

}  // namespace rackproof::cuda_host::nccl

struct ncclComm {
  std::string name;
  rackproof::cuda_host::nccl::Room* room = nullptr;
  int rank = 0;
  int ranks = 1;
  int device = 0;
  std::atomic<int> state{ncclInProgress};
  std::atomic<bool> abort{false};
  std::thread joiner;
  int splits = 0;
  ncclComm* child = nullptr;    // that is being split off
  ncclComm** wanted = nullptr;  // where it is wanted
  std::int64_t operations = 0;
  std::int64_t queued = 0;  ///< operations that its host has queued
  // A graph that holds work of this communicator has a copy.
  std::shared_ptr<int> captured = std::make_shared<int>(0);

  bool stopped() const { return abort || room->aborted != 0; }
};
struct ncclWindow_vidmem {};

namespace rackproof::cuda_host::nccl {

/// A communicator, whose members it waits for on a thread of its own.
ncclComm* make(const std::string& name, int rank, int ranks);
/// All ranks, or false when the communicator is over.
bool barrier(ncclComm& comm);
/// A line of the library's log, where its environment asks for one.
void log(const char* part, const std::string& text);

struct Collective {
  Call call;
  const char* in;
  char* out;
};
struct Message {
  bool send;
  const char* from;
  char* to;
  std::size_t bytes;
  int peer;
  std::size_t done = 0;
};

std::size_t size_of_type(ncclDataType_t type);
/// In pieces that fit the room.
void do_collective(ncclComm& comm, const Collective& one);
/// Of several between two ranks the first goes first.
void do_messages(ncclComm& comm, std::vector<Message> all);

}  // namespace rackproof::cuda_host::nccl
