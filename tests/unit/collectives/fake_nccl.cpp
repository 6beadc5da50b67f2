// The NCCL of FakeGpu: operations of all ranks of this process are collected until their group ends
// and then done at once.
#include <nccl.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include "benches/collectives/verifiable.hpp"
#include "benches/kit/nccl/library.hpp"
#include "tests/unit/collectives/arithmetic.hpp"
#include "tests/unit/collectives/fake_gpu.hpp"
#include "tests/unit/collectives/fake_stream.hpp"

using namespace rackproof::collectives;

struct ncclComm {
  int rank = 0;
  int ranks = 1;
  int device = 0;
  bool blocking = false;
  std::int64_t operations = 0;
};
struct ncclWindow_vidmem {};

namespace {

enum class Kind {
  kAllReduce,
  kAllGather,
  kReduceScatter,
  kBroadcast,
  kReduce,
  kAllToAll,
  kSend,
  kReceive
};

struct Op {
  Kind kind = Kind::kAllReduce;
  ncclComm_t comm = nullptr;
  const char* in = nullptr;
  char* out = nullptr;
  std::size_t count = 0;
  ncclDataType_t type = ncclInt8;
  ncclRedOp_t redop = ncclSum;
  int peer = 0;
  cudaStream_t stream = nullptr;
};

int depth = 0;
std::vector<Op> pending;

Dtype dtype_of_nccl(ncclDataType_t type) {
  static const std::map<int, Dtype> kTypes{{ncclInt8, Dtype::kInt8},
                                           {ncclUint8, Dtype::kUint8},
                                           {ncclInt32, Dtype::kInt32},
                                           {ncclUint32, Dtype::kUint32},
                                           {ncclInt64, Dtype::kInt64},
                                           {ncclUint64, Dtype::kUint64},
                                           {ncclFloat16, Dtype::kHalf},
                                           {ncclFloat32, Dtype::kFloat},
                                           {ncclFloat64, Dtype::kDouble},
                                           {ncclBfloat16, Dtype::kBfloat16},
                                           {ncclFloat8e4m3, Dtype::kFloat8E4M3},
                                           {ncclFloat8e5m2, Dtype::kFloat8E5M2}};
  return kTypes.at(type);
}

RedOp redop_of_nccl(ncclRedOp_t redop) {
  static const std::map<int, RedOp> kOps{{ncclSum, RedOp::kSum},
                                         {ncclProd, RedOp::kProd},
                                         {ncclMax, RedOp::kMax},
                                         {ncclMin, RedOp::kMin},
                                         {ncclAvg, RedOp::kAvg}};
  return kOps.at(redop);
}

std::vector<char> reduced(const std::vector<Op>& ops, std::size_t first) {
  const Dtype dtype = dtype_of_nccl(ops.front().type);
  const RedOp redop = redop_of_nccl(ops.front().redop);
  const int ranks = static_cast<int>(ops.size());
  const std::size_t width = size_of(dtype);
  std::vector<char> result(ops.front().count * width);
  for (std::size_t i = 0; i < ops.front().count; ++i) {
    std::uint64_t all = 0;
    for (std::size_t rank = 0; rank < ops.size(); ++rank) {
      std::uint64_t one = bits_at(ops[rank].in, static_cast<std::int64_t>(first + i), dtype);
      if (redop == RedOp::kAvg) one = scaled_before(one, dtype, ranks);
      all = rank == 0 ? one : combined(all, one, dtype, redop);
    }
    if (redop == RedOp::kAvg) all = divided_after(all, dtype, ranks);
    std::memcpy(result.data() + i * width, &all, width);
  }
  return result;
}

std::vector<char> block(const Op& op, std::size_t index) {
  const std::size_t bytes = op.count * size_of(dtype_of_nccl(op.type));
  return {op.in + index * bytes, op.in + (index + 1) * bytes};
}

void append(std::vector<char>& to, const std::vector<char>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

// What comes out at one rank; empty where its output is left alone.
std::vector<char> result_for(const std::vector<Op>& ops, std::size_t rank) {
  std::vector<char> result;
  switch (ops[rank].kind) {
    case Kind::kAllReduce:
      return reduced(ops, 0);
    case Kind::kReduceScatter:
      return reduced(ops, rank * ops[rank].count);
    case Kind::kReduce:
      return static_cast<int>(rank) == ops[rank].peer ? reduced(ops, 0) : result;
    case Kind::kBroadcast:
      return block(ops[static_cast<std::size_t>(ops[rank].peer)], 0);
    case Kind::kAllGather:
      for (const Op& op : ops) append(result, block(op, 0));
      return result;
    case Kind::kAllToAll:
      for (const Op& op : ops) append(result, block(op, rank));
      return result;
    case Kind::kSend:
    case Kind::kReceive:
      break;
  }
  return result;
}

void deliver(const std::vector<Op>& ops, const std::vector<std::vector<char>>& results) {
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (!results[i].empty()) std::memmove(ops[i].out, results[i].data(), results[i].size());
    const std::int64_t number = ops[i].comm->operations++;
    if (fake_gpu().spoil && !results[i].empty()) {
      fake_gpu().spoil(ops[i].comm->rank, number, ops[i].out);
    }
  }
}

void do_collective(const std::vector<Op>& ops) {
  std::vector<std::vector<char>> results;
  for (std::size_t rank = 0; rank < ops.size(); ++rank) results.push_back(result_for(ops, rank));
  deliver(ops, results);
}

void do_messages(const std::vector<Op>& ops) {
  std::vector<Op> receives;
  std::vector<std::vector<char>> results;
  for (const Op& op : ops) {
    if (op.kind != Kind::kReceive) continue;
    const auto sent = std::find_if(ops.begin(), ops.end(), [&](const Op& other) {
      return other.kind == Kind::kSend && other.comm->rank == op.peer &&
             other.peer == op.comm->rank;
    });
    if (sent == ops.end()) std::abort();
    receives.push_back(op);
    results.push_back(block(*sent, 0));
  }
  deliver(receives, results);
}

// Every rank of the group must have brought the same call.
void finish_group() {
  std::vector<Op> ops = std::move(pending);
  pending.clear();
  if (ops.empty()) return;
  std::stable_sort(ops.begin(), ops.end(),
                   [](const Op& a, const Op& b) { return a.comm->rank < b.comm->rank; });
  const bool messages = ops.front().kind == Kind::kSend || ops.front().kind == Kind::kReceive;
  const std::size_t calls = messages ? 2 : 1;
  if (ops.size() != calls * static_cast<std::size_t>(ops.front().comm->ranks)) std::abort();
  submit(ops.back().stream, [ops, messages] { messages ? do_messages(ops) : do_collective(ops); });
}

ncclResult_t add(const Op& op) {
  pending.push_back(op);
  if (depth == 0) finish_group();
  return ncclSuccess;
}

ncclComm_t make(int rank, int ranks, bool blocking) {
  int device = 0;
  (void)cudaGetDevice(&device);
  ++fake_gpu().communicators;
  return new ncclComm{rank, ranks, device, blocking, 0};
}

const char* bytes(const void* memory) { return static_cast<const char*>(memory); }
char* bytes(void* memory) { return static_cast<char*>(memory); }

}  // namespace

extern "C" {

ncclResult_t ncclGetVersion(int* version) {
  *version = 22809;
  return ncclSuccess;
}
ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  std::memset(id->internal, 'i', sizeof(id->internal));
  return ncclSuccess;
}
const char* ncclGetErrorString(ncclResult_t) { return "made up"; }
const char* ncclGetLastError(ncclComm_t) { return "nothing"; }

ncclResult_t ncclCommInitRankConfig(ncclComm_t* comm, int ranks, ncclUniqueId, int rank,
                                    ncclConfig_t* config) {
  *comm = make(rank, ranks, config->blocking == 1);
  return ncclInProgress;
}
ncclResult_t ncclCommInitRankScalable(ncclComm_t* comm, int ranks, int rank, int, ncclUniqueId*,
                                      ncclConfig_t* config) {
  *comm = make(rank, ranks, config->blocking == 1);
  return ncclInProgress;
}
ncclResult_t ncclCommSplit(ncclComm_t comm, int, int, ncclComm_t* child, ncclConfig_t* config) {
  *child = make(comm->rank, comm->ranks, config->blocking == 1);
  return ncclInProgress;
}
ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* error) {
  const FakeGpu& gpu = fake_gpu();
  *error = ncclSuccess;
  if (gpu.members_missing) *error = ncclInProgress;
  if (gpu.broken_after >= 0 && comm->operations > gpu.broken_after) *error = ncclRemoteError;
  return ncclSuccess;
}
ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  --fake_gpu().communicators;
  delete comm;
  return ncclSuccess;
}
ncclResult_t ncclCommAbort(ncclComm_t comm) {
  ++fake_gpu().aborted;
  if (fake_gpu().graphs > 0) ++fake_gpu().aborted_under_graphs;
  return ncclCommDestroy(comm);
}

ncclResult_t ncclGroupStart() {
  ++depth;
  return ncclSuccess;
}
ncclResult_t ncclGroupEnd() {
  if (--depth == 0) finish_group();
  return ncclSuccess;
}

ncclResult_t ncclAllReduce(const void* in, void* out, size_t count, ncclDataType_t type,
                           ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream) {
  return add({Kind::kAllReduce, comm, bytes(in), bytes(out), count, type, op, 0, stream});
}
ncclResult_t ncclAllGather(const void* in, void* out, size_t count, ncclDataType_t type,
                           ncclComm_t comm, cudaStream_t stream) {
  return add({Kind::kAllGather, comm, bytes(in), bytes(out), count, type, ncclSum, 0, stream});
}
ncclResult_t ncclReduceScatter(const void* in, void* out, size_t count, ncclDataType_t type,
                               ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream) {
  return add({Kind::kReduceScatter, comm, bytes(in), bytes(out), count, type, op, 0, stream});
}
ncclResult_t ncclBroadcast(const void* in, void* out, size_t count, ncclDataType_t type, int root,
                           ncclComm_t comm, cudaStream_t stream) {
  return add({Kind::kBroadcast, comm, bytes(in), bytes(out), count, type, ncclSum, root, stream});
}
ncclResult_t ncclReduce(const void* in, void* out, size_t count, ncclDataType_t type,
                        ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t stream) {
  return add({Kind::kReduce, comm, bytes(in), bytes(out), count, type, op, root, stream});
}
ncclResult_t ncclAlltoAll(const void* in, void* out, size_t count, ncclDataType_t type,
                          ncclComm_t comm, cudaStream_t stream) {
  return add({Kind::kAllToAll, comm, bytes(in), bytes(out), count, type, ncclSum, 0, stream});
}
ncclResult_t ncclSend(const void* in, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  return add({Kind::kSend, comm, bytes(in), nullptr, count, type, ncclSum, peer, stream});
}
ncclResult_t ncclRecv(void* out, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  return add({Kind::kReceive, comm, nullptr, bytes(out), count, type, ncclSum, peer, stream});
}

ncclResult_t ncclMemAlloc(void** memory, size_t size) {
  *memory = fake_allocate(size);
  return *memory == nullptr ? ncclUnhandledCudaError : ncclSuccess;
}
ncclResult_t ncclMemFree(void* memory) {
  fake_release(memory);
  return ncclSuccess;
}
ncclResult_t ncclCommRegister(ncclComm_t, void* memory, size_t, void** handle) {
  *handle = fake_gpu().registers ? memory : nullptr;
  if (fake_gpu().registers) ++fake_gpu().registrations;
  return ncclSuccess;
}
ncclResult_t ncclCommDeregister(ncclComm_t, void*) {
  --fake_gpu().registrations;
  return ncclSuccess;
}
ncclResult_t ncclCommWindowRegister(ncclComm_t, void*, size_t, ncclWindow_t* window, int) {
  *window = fake_gpu().registers ? new ncclWindow_vidmem : nullptr;
  if (fake_gpu().registers) ++fake_gpu().registrations;
  return ncclSuccess;
}
ncclResult_t ncclCommWindowDeregister(ncclComm_t, ncclWindow_t window) {
  --fake_gpu().registrations;
  delete window;
  return ncclSuccess;
}
}

// The library is this.
namespace rackproof::kit::nccl {

bool library_is_here() { return true; }
void require_library() {}
void* find_in_library(const char* /*name*/) { return nullptr; }

}  // namespace rackproof::kit::nccl
