#pragma once

#include "harness/nvml/abi.hpp"

namespace rackproof::telemetry {

/// What a field of nvmlDeviceGetFieldValues holds, whatever its type; missing for a type that is
/// not known.
double number_of(const nvml::FieldValue& field);

}  // namespace rackproof::telemetry
