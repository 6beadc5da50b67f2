#pragma once

#include <string>
#include <vector>

#include "harness/assemble/assemble.hpp"
#include "harness/ingest/account.hpp"

namespace rackproof::sim {

/// A run as rank 0 knew it when it was over, and the lines that it wrote and heard.
struct Live {
  ingest::Account account;
  std::vector<assemble::JournalFile> heard;
};

/// In what the report of the account and that of the lines differ; empty: they are the same bytes,
/// and each line reads back as it was written.
std::string differs(const Live& live);

}  // namespace rackproof::sim
