#pragma once

#include <vector>

#include "harness/config/suite.hpp"
#include "harness/document/reader.hpp"

namespace rackproof::config {

/// What a suite says that an accepted machine is fast at. Each claim names steps of the suite, and
/// a cell that one of them expects.
std::vector<model::Claim> read_claims(const document::Field& field, const std::vector<Step>& steps);

}  // namespace rackproof::config
