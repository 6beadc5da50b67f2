#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/assemble/assemble.hpp"
#include "harness/ingest/account.hpp"
#include "harness/ingest/journal.hpp"
#include "harness/support/digest.hpp"

namespace rackproof::assemble {

/// What a file is: how long, and which.
struct FileSum {
  std::int64_t bytes = 0;
  std::int64_t lines = 0;
  std::string sha256;
  std::string head;  ///< the seal of its last whole line
};

/// Sums up a journal as it comes, in parts of any size.
class Summing {
 public:
  void feed(std::string_view part);
  FileSum whole() const;
  /// The same without the last line when that is the close of the journal.
  FileSum without_close() const;

 private:
  support::Sha256 digest_;  ///< of what is not in tail_
  std::string previous_;    ///< the last whole line of that
  std::string tail_;        ///< the last whole line, and what follows it
  std::int64_t bytes_ = 0;
  std::int64_t lines_ = 0;
};

using ingest::Segment;

/// The journal of one rank in one segment.
struct RankJournal : ingest::JournalHead {
  std::string name;
  std::vector<ingest::Damage> damages;
  FileSum whole;
  FileSum without_close;
};

/// Everything the journals say, before it becomes a report.
struct Reading : ingest::Account {
  std::vector<RankJournal> journals;
};

/// True for what rank 0 kept of the journal of a rank whose disk it cannot see.
bool is_gathered(const std::string& name);

/// The journal of a rank in one segment; null when there is none.
const RankJournal* journal_of(const Reading& reading, int segment, int rank);

/// Reads all journals, in order of segment and rank. Throws NoRun.
Reading read(const std::vector<JournalFile>& journals);

/// The judged report of a run whose account is concluded.
model::Report report_of(Reading reading, const Recordings& recordings = {});

}  // namespace rackproof::assemble
