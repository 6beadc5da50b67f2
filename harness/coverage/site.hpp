#pragma once

#include <string>
#include <vector>

#include "harness/plan/plan.hpp"
#include "reports/model/report.hpp"

namespace rackproof::coverage {

/// GPUs that a host of this type has: what the table expects or recognises, else one; none where it
/// has no rule on GPUs.
int gpus_of(const model::PlatformTable& table);

/// Compute capability by the table's rules ("9.0"); empty where they do not say.
std::string capability_of(const model::PlatformTable& table);

/// So many hosts of this type with a rank for each GPU, or one, whose inventory states every fact
/// that a limit can ask for. The values of facts are those of no machine: which limit applies is
/// right, what it is is not.
plan::Site site_of(const model::PlatformTable& table, int hosts);

/// A run of the suite there, in which nothing was measured yet.
model::Report unmeasured_run(const model::PlatformTable& table, const config::Suite& suite,
                             int hosts);

}  // namespace rackproof::coverage
