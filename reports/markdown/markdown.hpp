#pragma once

#include <cstddef>
#include <string>

#include "reports/model/report.hpp"

namespace rackproof::markdown {

/// No rendering is longer: a comment on GitHub may have 65,536 characters.
inline constexpr std::size_t kMostBytes = 60000;

/// The summary for a ticket or a pull request, in GitHub's Markdown: verdict, what was tested,
/// counts, then tables of what failed (model::worst_first), was not tested or not judged, and the
/// findings, the first of each kind; what is left out is counted. Text of the report can neither
/// break a table nor become a link, a mention or markup. Pure.
std::string render(const model::Report& report);

}  // namespace rackproof::markdown
