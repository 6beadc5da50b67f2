#pragma once

#include <string>

#include "reports/model/report.hpp"

namespace rackproof::junit {

/// JUnit XML as Jenkins and GitLab read it. The first suite holds one case, `acceptance`: a failure
/// when the run is rejected, an error when it is incomplete. Then a suite for each step, with a
/// case for each subject of its cells; the links of a host are one case, or a rack would have
/// millions. A case is a failure when a required cell of it failed, an error when one is untested
/// or unjudged, skipped when nothing required was to be tested; its text names each such cell with
/// number, limit and reason. Times have no exponent. Pure.
std::string render(const model::Report& report);

}  // namespace rackproof::junit
