#pragma once

#include "reports/model/report.hpp"

namespace rackproof::assemble {

/// Adds a finding for hosts where the caller's CUDA_VISIBLE_DEVICES would have hidden GPUs from the
/// benches, one for each of its values. The benches do not get it: an acceptance is of all GPUs
/// that the inventory has, and who set it may have meant less.
void note_hidden_devices(model::Report& report);

}  // namespace rackproof::assemble
