#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::peers {

/// The finding that a rule over all cells ended with an exception; its evidence names the rule.
model::Finding rule_failed(const std::string& rule, const std::string& what);

/// Runs one rule. What it throws becomes a finding, so that the other rules' verdicts stand and
/// there is a report. Not so the want of memory (std::bad_alloc), which is no fault of the rule:
/// the same evidence must get the same verdicts whoever judges it, so it is judged where there is
/// some.
void guarded(const std::string& rule, std::vector<model::Finding>& findings,
             const std::function<void()>& run);

/// Keeps a report from being accepted that has a finding which says so: a rule or a part of the
/// report that failed, or two groups among equals that nobody says are right (severity error). The
/// acceptance must be there; its reason then names them.
void hold_back(model::Report& report);

/// Adds the finding that this part of the report could not be made, and holds the report back as
/// judging again would.
void note_failed_part(model::Report& report, const std::string& part, const std::string& what);

}  // namespace rackproof::peers
