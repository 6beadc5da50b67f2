#pragma once

#include <map>
#include <string>

#include "benches/kit/options.hpp"
#include "benches/kit/session.hpp"
#include "benches/stream/cuda_plan.hpp"

namespace rackproof::stream {

void declare_cuda(kit::Options& options, CudaSettings& settings);

/// Measures copy, scale, add, triad and dot on one device: for each type and variant a check
/// `stream.<type>.<variant>` (every element of the three arrays) and `stream.<type>.<variant>.dot`,
/// then metrics stream.copy to stream.dot in B/s (best; samples without the first iteration) with
/// the parameters type and variant and the device as subject. Notes say which way each kernel was
/// run and what clocks, power and throttle reasons were seen meanwhile.
void measure_cuda(const CudaSettings& settings, kit::Session& session);

}  // namespace rackproof::stream
