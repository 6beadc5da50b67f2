#pragma once

#include <vector>

#include "harness/evidence/context.hpp"

namespace rackproof::evidence {

/// The third quartile of the samples over the first, both by nearest rank; 1 for fewer than 8, of
/// which a quartile says nothing, and where one is not positive.
double quartile_ratio(std::vector<double> samples);

/// How many times the first the third quartile of a measurement's samples is on a machine that
/// nothing disturbs: as report.bounds says of the metric, and 8 at most.
double spread_allowed(const Context& context, const model::Cell& cell,
                      const model::Measurement& measurement);

/// True when the samples of a measurement lie further apart than that.
bool is_scattered(const Context& context, const model::Cell& cell,
                  const model::Measurement& measurement);

/// Why a cell is untested all of whose measurements are scattered; `measurement` is the last.
model::Verdict untested_when_scattered(const Context& context, const model::Cell& cell,
                                       const model::Measurement& measurement);

}  // namespace rackproof::evidence
