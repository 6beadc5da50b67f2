#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/config/installed.hpp"

namespace rackproof::rejudge {

/// One line each: "FILE:LINE: FIELD: what is wrong".
using Complaints = std::vector<std::string>;

/// Adds how `text` differs from the schema.
void check_schema(const std::string& path, const std::string& schema, std::string_view text,
                  Complaints& complaints);

/// Adds what is wrong with a report: its shape, its form, and verdicts that are not what its
/// evidence gives. Throws BadReport.
void check_report(const std::string& path, const std::string& text, const config::Paths& paths,
                  Complaints& complaints);

/// Adds what is wrong with what a bench printed.
void check_records(const std::string& path, const std::string& text, Complaints& complaints);

}  // namespace rackproof::rejudge
