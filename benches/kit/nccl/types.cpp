#include "benches/kit/nccl/types.hpp"

namespace rackproof::kit::nccl {

using reduction::Dtype;
using reduction::RedOp;

ncclDataType_t type_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::kInt8:
      return ncclInt8;
    case Dtype::kUint8:
      return ncclUint8;
    case Dtype::kInt32:
      return ncclInt32;
    case Dtype::kUint32:
      return ncclUint32;
    case Dtype::kInt64:
      return ncclInt64;
    case Dtype::kUint64:
      return ncclUint64;
    case Dtype::kFloat:
      return ncclFloat32;
    case Dtype::kHalf:
      return ncclFloat16;
    case Dtype::kBfloat16:
      return ncclBfloat16;
    case Dtype::kFloat8E4M3:
      return ncclFloat8e4m3;
    case Dtype::kFloat8E5M2:
      return ncclFloat8e5m2;
    case Dtype::kDouble:
      break;
  }
  return ncclFloat64;
}

ncclRedOp_t op_of(RedOp redop) {
  switch (redop) {
    case RedOp::kSum:
      return ncclSum;
    case RedOp::kProd:
      return ncclProd;
    case RedOp::kMin:
      return ncclMin;
    case RedOp::kMax:
      return ncclMax;
    case RedOp::kAvg:
      break;
  }
  return ncclAvg;
}

}  // namespace rackproof::kit::nccl
