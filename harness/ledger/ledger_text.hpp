#pragma once

#include <string>
#include <vector>

#include "harness/ledger/add.hpp"
#include "harness/ledger/answers.hpp"
#include "reports/model/utc.hpp"
#include "reports/terminal/terminal.hpp"

namespace rackproof::ledger {

// Answers for people; text of reports is shown without control characters. Pure.

std::string added_text(const Added& added, const std::string& ledger);

/// At most ten runs, failures, findings and waivers of each part; the rest is counted.
std::string part_text(const std::vector<PartAnswer>& parts, const terminal::Style& style);

/// At most `most` parts; `period` is "in the last 30d" or "since 2026-03-01".
std::string worst_text(const std::vector<Worst>& parts, std::size_t most, const std::string& period,
                       const terminal::Style& style);
std::string due_text(const DueAnswer& answer, const std::string& older_than,
                     const terminal::Style& style);
std::string failures_text(const FailuresAnswer& answer, const std::string& period,
                          const terminal::Style& style);

using model::minute_of;
/// The word of what became of a part; "-" where nothing of it was required.
std::string outcome_word(const Tally& tally);
/// "never accepted", "never whole", "too old".
std::string due_word(Due why);

}  // namespace rackproof::ledger
