#pragma once

#include <nccl.h>

#include "benches/kit/reduction/kinds.hpp"

namespace rackproof::kit::nccl {

/// NCCL's names.
ncclDataType_t type_of(reduction::Dtype dtype);
ncclRedOp_t op_of(reduction::RedOp redop);

}  // namespace rackproof::kit::nccl
