#pragma once

#include <string>

#include "reports/model/report.hpp"

namespace rackproof::model {

/// Until when a machine is accepted by this report, RFC 3339: for as long as its suite says, from
/// the begin of the run, or of the oldest evidence that counts where it amends another one. Empty
/// where the suite says nothing, or a time is none.
std::string valid_until(const Report& report);

}  // namespace rackproof::model
