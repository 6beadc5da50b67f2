#pragma once

#include <string>
#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::evidence {

/// True when the numbers of the attempt do not count, since other programs disturbed it.
bool is_discounted(const model::JudgePolicy& policy, const model::Attempt& attempt);

/// How many attempts a step has of which the last was disturbed: twice at least, whatever the suite
/// allows for other reasons, since nothing was learned.
int attempts_when_disturbed(int allowed);

/// Why a cell has no number that counts when `attempt` was disturbed.
model::Verdict untested_when_disturbed(const model::Report& report, const model::Attempt& attempt);

/// "other programs disturbed 3 of 14 attempts", for the first line of a report; empty when they
/// disturbed none. The processes of a group make one attempt.
std::string disturbance(const model::Report& report);

/// For each host what others took there, and that nobody knows it where nobody does.
std::vector<model::Finding> find_disturbed(const model::Report& report);

}  // namespace rackproof::evidence
