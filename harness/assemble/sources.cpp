#include "harness/assemble/sources.hpp"

#include <algorithm>
#include <string_view>

#include "harness/journal/entry_json.hpp"
#include "harness/support/digest.hpp"
#include "harness/warden/seal.hpp"

namespace rackproof::assemble {
namespace {

// Longer than any line that was ever written.
constexpr std::size_t kLongestTail = std::size_t{64} << 20;

// Where the last whole line begins.
std::size_t start_of_last_line(std::string_view text) {
  const std::size_t end = text.rfind('\n');
  if (end == std::string_view::npos || end == 0) return 0;
  return text.rfind('\n', end - 1) + 1;  // 0 where there is none
}

/// Once rank 0's journal is closed, a rank whose own journal is not counts as lost.
bool depends_on_closes(const Reading& reading, const Segment& segment) {
  const RankJournal* first = journal_of(reading, segment.number, 0);
  if (!segment.ended || first == nullptr) return true;
  if (!first->closed) return false;
  return std::any_of(reading.journals.begin(), reading.journals.end(), [&](const auto& journal) {
    return journal.segment == segment.number && !is_gathered(journal.name) && !journal.closed;
  });
}

bool closed_as_usual(const RankJournal& journal) {
  return journal.close_reason.id == model::CloseReason::kFinished ||
         journal.close_reason.id == model::CloseReason::kInterrupted;
}

}  // namespace

void Summing::feed(std::string_view part) {
  bytes_ += static_cast<std::int64_t>(part.size());
  lines_ += std::count(part.begin(), part.end(), '\n');
  tail_ += part;
  std::size_t settled = start_of_last_line(tail_);
  if (settled > 0) {
    const std::string_view lines = std::string_view(tail_).substr(0, settled - 1);
    previous_ = lines.substr(lines.rfind('\n') + 1);  // 0 where there is but one
  }
  if (tail_.size() - settled > kLongestTail) settled = tail_.size();
  digest_.update(std::string_view(tail_).substr(0, settled));
  tail_.erase(0, settled);
}

FileSum Summing::whole() const {
  support::Sha256 digest = digest_;
  digest.update(tail_);
  const std::size_t end = tail_.rfind('\n');
  const std::string_view line = end == std::string::npos ? std::string_view(previous_)
                                                         : std::string_view(tail_).substr(0, end);
  return {bytes_, lines_, digest.hex(), std::string(warden::Seal::of(line))};
}

FileSum Summing::without_close() const {
  // The tail is one whole line, or that and a torn one.
  if (!tail_.ends_with('\n') || !journal::is_close_line(tail_)) return whole();
  return {bytes_ - static_cast<std::int64_t>(tail_.size()), lines_ - 1, digest_.hex(),
          std::string(warden::Seal::of(previous_))};
}

void fill_sources(Reading& reading) {
  const Segment& last = reading.segments.rbegin()->second;
  const bool all = depends_on_closes(reading, last);
  for (const RankJournal& journal : reading.journals) {
    const bool whole = all || journal.segment != last.number || !closed_as_usual(journal);
    const FileSum& sum = whole ? journal.whole : journal.without_close;
    model::JournalInfo info;
    info.file = journal.name;
    info.segment = journal.segment;
    info.rank = journal.rank;
    info.bytes = sum.bytes;
    info.lines = sum.lines;
    info.sha256 = sum.sha256;
    info.head = sum.head;
    for (const ingest::Damage& damage : journal.damages) info.damaged.push_back(damage.line);
    std::sort(info.damaged.begin(), info.damaged.end());
    reading.report.journals.push_back(std::move(info));
  }
}

}  // namespace rackproof::assemble
