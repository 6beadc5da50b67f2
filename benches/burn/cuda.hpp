#pragma once

#include "benches/burn/cuda_plan.hpp"
#include "benches/kit/session.hpp"

namespace rackproof::burn {

/// Multiplies on one device for `seconds`, proves every result, and says for each dtype one check
/// "burn.DTYPE" and one metric burn.rate, whose samples are the rates of the windows and whose
/// value is the worst; then burn.power in W, where NVML tells the energy. A dtype whose reference
/// is wrong is not burned; one that the device or the library lacks is a note, or Unavailable when
/// nothing else was asked for.
void measure_cuda(const CudaSettings& settings, kit::Session& session);

}  // namespace rackproof::burn
