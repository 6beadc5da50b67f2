#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/model/journal.hpp"

namespace rackproof::signoff {

/// What became of a journal since a report was made out of it.
struct Chain {
  bool same = false;                ///< the bytes that the report was made of are those of then
  std::vector<std::string> faults;  ///< with file and line, the first ones; empty: it holds
  std::string note;                 ///< what is no fault
};

/// Holds a journal against what the report says of it: the bytes that were read, and that nothing
/// follows but what its warden wrote later, the line that closes it, which an `ended` run has.
Chain examine_journal(const model::JournalInfo& info, std::string_view bytes, bool ended);

}  // namespace rackproof::signoff
