#pragma once

#include <cstdint>

#include "harness/config/suite.hpp"
#include "reports/model/report.hpp"

namespace rackproof::matrix {

/// Where a fabric is slow.
enum class Where { kEverywhere, kBetweenNodes };

/// A fabric as it is played.
struct Fabric {
  double factor = 1;  ///< of the speed of a healthy one
  Where where = Where::kEverywhere;
};

/// NCCL's collectives of the suite, measured once on so many hosts of the type and not judged yet.
/// How fast a healthy rack is, is drawn: within 2 % around a published figure, anywhere between the
/// lowest and highest published fractions of a bound (docs/judging.md#bounds), and its hosts differ
/// by 0.7 % from each other. Latency is accepted without a limit.
model::Report measured_rack(const model::PlatformTable& table, const config::Suite& suite,
                            int hosts, const Fabric& fabric, std::uint64_t seed);

}  // namespace rackproof::matrix
