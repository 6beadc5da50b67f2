#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

#include "tests/support/cuda_host/complain.hpp"
#include "tests/support/cuda_host/memory.hpp"
#include "tests/support/cuda_host/nccl_room.hpp"
#include "tests/support/cuda_host/play.hpp"
#include "tests/unit/kit_reduction/arithmetic.hpp"

namespace rackproof::cuda_host::nccl {
namespace {

using reduction::Dtype;
using reduction::RedOp;

Dtype dtype_of(ncclDataType_t type) {
  switch (type) {
    case ncclInt8:
      return Dtype::kInt8;
    case ncclUint8:
      return Dtype::kUint8;
    case ncclInt32:
      return Dtype::kInt32;
    case ncclUint32:
      return Dtype::kUint32;
    case ncclInt64:
      return Dtype::kInt64;
    case ncclUint64:
      return Dtype::kUint64;
    case ncclFloat16:
      return Dtype::kHalf;
    case ncclFloat32:
      return Dtype::kFloat;
    case ncclBfloat16:
      return Dtype::kBfloat16;
    case ncclFloat8e4m3:
      return Dtype::kFloat8E4M3;
    case ncclFloat8e5m2:
      return Dtype::kFloat8E5M2;
    default:
      return Dtype::kDouble;
  }
}

RedOp redop_of(ncclRedOp_t op) {
  switch (op) {
    case ncclSum:
      return RedOp::kSum;
    case ncclProd:
      return RedOp::kProd;
    case ncclMax:
      return RedOp::kMax;
    case ncclMin:
      return RedOp::kMin;
    default:
      return RedOp::kAvg;
  }
}

// Types that the processor has, in the order of the ranks as the general way below.
template <class T>
void reduce_native(const ncclComm& comm, char* to, std::size_t count, ncclRedOp_t op) {
  for (std::size_t i = 0; i < count; ++i) {
    T all{};
    for (int rank = 0; rank < comm.ranks; ++rank) {
      T one;
      std::memcpy(&one, comm.room->chunk[rank] + i * sizeof(T), sizeof(T));
      if (rank == 0) {
        all = one;
      } else if (op == ncclSum) {
        all = static_cast<T>(all + one);
      } else if (op == ncclProd) {
        all = static_cast<T>(all * one);
      } else {
        all = op == ncclMin ? std::min(all, one) : std::max(all, one);
      }
    }
    std::memcpy(to + i * sizeof(T), &all, sizeof(T));
  }
}

void reduce(const ncclComm& comm, char* to, std::size_t count, ncclDataType_t type,
            ncclRedOp_t op) {
  if (op != ncclAvg && type == ncclFloat32) return reduce_native<float>(comm, to, count, op);
  if (op != ncclAvg && type == ncclFloat64) return reduce_native<double>(comm, to, count, op);
  if (op != ncclAvg && type == ncclUint32) return reduce_native<std::uint32_t>(comm, to, count, op);
  const Dtype dtype = dtype_of(type);
  const RedOp redop = redop_of(op);
  const std::size_t width = size_of_type(type);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t all = 0;
    for (int rank = 0; rank < comm.ranks; ++rank) {
      std::uint64_t one = 0;
      std::memcpy(&one, comm.room->chunk[rank] + i * width, width);
      if (redop == RedOp::kAvg) one = reduction::scaled_before(one, dtype, comm.ranks);
      all = rank == 0 ? one : reduction::combined(all, one, dtype, redop);
    }
    if (redop == RedOp::kAvg) all = reduction::divided_after(all, dtype, comm.ranks);
    std::memcpy(to + i * width, &all, width);
  }
}

bool by_block(Kind kind) { return kind == Kind::kReduceScatter || kind == Kind::kAllToAll; }

// A piece of this rank's input lies in the room of every rank: what this rank makes of it.
void take_piece(ncclComm& comm, const Collective& one, std::size_t block, std::size_t from,
                std::size_t count) {
  const Call& call = one.call;
  const std::size_t width = size_of_type(call.type);
  char* const out = one.out + from * width;
  const bool mine = block == static_cast<std::size_t>(comm.rank);
  const auto gather = [&] {
    for (int rank = 0; rank < comm.ranks; ++rank) {
      const std::size_t at = static_cast<std::size_t>(rank) * call.count + from;
      std::memcpy(one.out + at * width, comm.room->chunk[rank], count * width);
    }
  };
  switch (call.kind) {
    case Kind::kAllReduce:
      return reduce(comm, out, count, call.type, call.redop);
    case Kind::kReduce:
      if (comm.rank == call.root) reduce(comm, out, count, call.type, call.redop);
      return;
    case Kind::kReduceScatter:
      if (mine) reduce(comm, out, count, call.type, call.redop);
      return;
    case Kind::kBroadcast:
      std::memcpy(out, comm.room->chunk[call.root], count * width);
      return;
    case Kind::kAllGather:
      return gather();
    case Kind::kAllToAll:
      if (mine) gather();
      return;
  }
}

// Every member has to call the same; a real library would hang or mix the data up.
bool agree(ncclComm& comm, const Call& call) {
  comm.room->calls[comm.rank] = call;
  if (!barrier(comm)) return false;
  for (int rank = 0; rank < comm.ranks; ++rank) {
    if (comm.room->calls[rank] == call) continue;
    complain(fmt::format("rank {} and rank {} of a communicator called different collectives",
                         comm.rank, rank));
  }
  return barrier(comm);
}

// True when a part of the message moved.
bool move_part(ncclComm& comm, Message& message) {
  Room& room = *comm.room;
  Mailbox& box =
      message.send ? room.box[comm.rank][message.peer] : room.box[message.peer][comm.rank];
  const std::size_t left = message.bytes - message.done;
  if (message.send) {
    if (box.sent != box.taken) return false;
    const std::size_t part = std::min(kMessage, left);
    std::memcpy(box.data, message.from + message.done, part);
    box.bytes = part;
    message.done += part;
    ++box.sent;
    return true;
  }
  if (box.sent == box.taken) return false;
  static std::mutex one_at_a_time;
  const std::size_t part = box.bytes;
  if (part > left) complain("a message is longer than what it is received into");
  const std::lock_guard lock(one_at_a_time);
  const bool carried = !play().carries || play().carries(message.peer, comm.rank, message.bytes);
  if (carried) std::memcpy(message.to + message.done, box.data, part);
  message.done += part;
  ++box.taken;
  if (carried && message.done == message.bytes && play().arrived) {
    play().arrived(message.peer, comm.rank, message.to, message.bytes);
  }
  return true;
}

}  // namespace

std::size_t size_of_type(ncclDataType_t type) { return reduction::size_of(dtype_of(type)); }

void do_collective(ncclComm& comm, const Collective& one) {
  const Call& call = one.call;
  const std::size_t width = size_of_type(call.type);
  const std::size_t piece = kChunk / width;
  const std::size_t ranks = static_cast<std::size_t>(comm.ranks);
  const std::size_t blocks = by_block(call.kind) ? ranks : 1;
  const bool brings = call.kind != Kind::kBroadcast || comm.rank == call.root;
  const bool takes = call.kind != Kind::kReduce || comm.rank == call.root;
  const bool spreads = call.kind == Kind::kAllGather || call.kind == Kind::kAllToAll;
  if (!agree(comm, call)) return;
  // An output in place may not overwrite what is still to be read: inputs are taken whole first.
  std::vector<char> in;
  if (brings) {
    touch_range(one.in, call.count * width * blocks, Touch::kRead, true);
    in.assign(one.in, one.in + call.count * width * blocks);
  }
  if (takes) touch_range(one.out, call.count * width * (spreads ? ranks : 1), Touch::kWrite);
  for (std::size_t block = 0; block < blocks; ++block) {
    for (std::size_t from = 0; from < call.count; from += piece) {
      const std::size_t count = std::min(piece, call.count - from);
      if (brings) {
        std::memcpy(comm.room->chunk[comm.rank], in.data() + (block * call.count + from) * width,
                    count * width);
      }
      if (!barrier(comm)) return;
      take_piece(comm, one, block, from, count);
      if (!barrier(comm)) return;
    }
  }
}

void do_messages(ncclComm& comm, std::vector<Message> all) {
  for (const Message& one : all) {
    touch_range(one.send ? one.from : one.to, one.bytes, one.send ? Touch::kRead : Touch::kWrite,
                one.send);
  }
  for (bool left = true; left && !comm.stopped();) {
    left = false;
    bool moved = false;
    std::map<std::pair<bool, int>, bool> busy;
    for (Message& one : all) {
      if (one.done == one.bytes) continue;
      left = true;
      bool& taken = busy[{one.send, one.peer}];
      if (!taken && move_part(comm, one)) moved = true;
      taken = true;
    }
    if (left && !moved) nap();
  }
}

}  // namespace rackproof::cuda_host::nccl
