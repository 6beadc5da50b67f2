#pragma once

#include "reports/model/report.hpp"

namespace rackproof::rejudge {

/// The report with the verdicts and causes that its evidence gives, in the terms of its schema
/// version: before 1.7 what was only verified passed, and no claim was asked for.
model::Report judged_again(model::Report report);

}  // namespace rackproof::rejudge
