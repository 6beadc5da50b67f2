#pragma once

#include <string>

#include "harness/config/metrics.hpp"
#include "harness/limits/limits.hpp"

namespace rackproof::coverage {

/// What NCCL may choose; a limit has to hold whichever it is, and a ring is allowed less.
inline constexpr const char* kRing = "RING";
inline constexpr const char* kTree = "NVLS_TREE";

/// The kind that the cell is one of when this backend measures it; null where no bench describes
/// it.
const config::MetricKind* kind_of(const config::MetricCatalogue& catalogue, const model::Cell& cell,
                                  const std::string& backend);

/// What the cell would be held to if it were measured, and NCCL took this algorithm: the choice of
/// the judge.
limits::Choice limits_before(const evidence::Context& context, const model::Cell& cell,
                             const model::PlatformTable& table, const config::MetricKind& kind,
                             const char* algorithm = kRing);

}  // namespace rackproof::coverage
