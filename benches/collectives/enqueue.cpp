#include "benches/collectives/enqueue.hpp"

#include "benches/collectives/transport.hpp"
#include "benches/kit/nccl/check.hpp"
#include "benches/kit/nccl/types.hpp"

namespace rackproof::collectives {

void enqueue(const kit::nccl::LocalRanks& locals, int local, Operation operation, const void* in,
             void* out, std::int64_t count, Dtype dtype, RedOp redop) {
  const auto elements = static_cast<std::size_t>(count);
  const ncclDataType_t type = kit::nccl::type_of(dtype);
  const ncclRedOp_t op = kit::nccl::op_of(redop);
  const int rank = locals.rank(local);
  const int size = locals.size();
  ncclComm_t group = locals.communicator(local);
  cudaStream_t stream = locals.stream(local).get();
  switch (operation) {
    case Operation::kAllReduce:
      RACKPROOF_NCCL(ncclAllReduce(in, out, elements, type, op, group, stream));
      return;
    case Operation::kAllGather:
      RACKPROOF_NCCL(ncclAllGather(in, out, elements, type, group, stream));
      return;
    case Operation::kReduceScatter:
      RACKPROOF_NCCL(ncclReduceScatter(in, out, elements, type, op, group, stream));
      return;
    case Operation::kBroadcast:
      RACKPROOF_NCCL(ncclBroadcast(in, out, elements, type, kRoot, group, stream));
      return;
    case Operation::kReduce:
      RACKPROOF_NCCL(ncclReduce(in, out, elements, type, op, kRoot, group, stream));
      return;
    case Operation::kAllToAll:
      RACKPROOF_NCCL(ncclAlltoAll(in, out, elements, type, group, stream));
      return;
    case Operation::kSendRecv:
      RACKPROOF_NCCL(ncclGroupStart());
      RACKPROOF_NCCL(ncclSend(in, elements, type, (rank + 1) % size, group, stream));
      RACKPROOF_NCCL(ncclRecv(out, elements, type, (rank + size - 1) % size, group, stream));
      RACKPROOF_NCCL(ncclGroupEnd());
      return;
  }
}

}  // namespace rackproof::collectives
