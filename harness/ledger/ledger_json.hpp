#pragma once

#include <string>
#include <vector>

#include "harness/ledger/add.hpp"
#include "harness/ledger/answers.hpp"

namespace rackproof::ledger {

// Answers as documents (docs/formats.md, "Fleet"), each with its newline.

std::string added_json(const Added& added, const std::string& ledger);
std::string part_json(const std::vector<PartAnswer>& parts);
std::string worst_json(const std::vector<Worst>& parts);
std::string due_json(const DueAnswer& answer);
std::string failures_json(const FailuresAnswer& answer);

}  // namespace rackproof::ledger
