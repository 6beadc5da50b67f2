#pragma once

#include "benches/gemm/cuda_plan.hpp"
#include "benches/kit/session.hpp"

namespace rackproof::gemm {

/// Measures and proves each cell on one device: one check "gemm.DTYPE.MxNxK", then gemm.rate (the
/// median of the sustained samples) and gemm.burst (the best window of all calls). A dtype that the
/// device or the library lacks is a note, or Unavailable when nothing else was asked for. Throws
/// UsageError before anything is measured when a cell does not fit in the free memory.
void measure_cuda(const CudaSettings& settings, kit::Session& session);

}  // namespace rackproof::gemm
