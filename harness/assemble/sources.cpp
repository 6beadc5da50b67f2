#include "harness/assemble/sources.hpp"

#include <algorithm>
#include <string_view>

#include "harness/config/document.hpp"
#include "harness/warden/seal.hpp"

namespace rackproof::assemble {
namespace {

/// The last whole line, without its newline.
std::string_view last_line(std::string_view bytes) {
  const std::size_t end = bytes.rfind('\n');
  if (end == std::string_view::npos) return {};
  bytes = bytes.substr(0, end);
  const std::size_t before = bytes.rfind('\n');
  return before == std::string_view::npos ? bytes : bytes.substr(before + 1);
}

/// Once rank 0's journal is closed, a rank whose own journal is not counts as lost.
bool depends_on_closes(const Reading& reading, const Segment& segment) {
  const RankJournal* first = journal_of(reading, segment.number, 0);
  if (!segment.ended || first == nullptr) return true;
  if (first->close_reason.empty()) return false;
  return std::any_of(reading.journals.begin(), reading.journals.end(), [&](const auto& journal) {
    return journal.segment == segment.number && !is_gathered(journal.name) &&
           journal.close_reason.empty();
  });
}

bool closed_as_usual(const RankJournal& journal) {
  return journal.close_reason == "finished" || journal.close_reason == "interrupted";
}

std::string_view without_close(std::string_view bytes) {
  const std::string_view line = last_line(bytes);
  if (!bytes.ends_with('\n') || !line.starts_with("{\"j\":\"close\"")) return bytes;
  return bytes.substr(0, bytes.size() - line.size() - 1);
}

}  // namespace

void fill_sources(Reading& reading, const std::vector<JournalFile>& files) {
  const Segment& last = reading.segments.rbegin()->second;
  const bool all = depends_on_closes(reading, last);
  for (const RankJournal& journal : reading.journals) {
    const auto file = std::find_if(files.begin(), files.end(),
                                   [&](const auto& one) { return one.name == journal.name; });
    const bool whole = all || journal.segment != last.number || !closed_as_usual(journal);
    const std::string_view bytes = whole ? file->bytes : without_close(file->bytes);
    model::JournalInfo info;
    info.file = journal.name;
    info.segment = journal.segment;
    info.rank = journal.rank;
    info.bytes = static_cast<std::int64_t>(bytes.size());
    info.lines = std::count(bytes.begin(), bytes.end(), '\n');
    info.sha256 = config::sha256_hex(bytes);
    info.head = warden::Seal::of(last_line(bytes));
    for (const wire::Damage& damage : journal.damages) info.damaged.push_back(damage.line);
    std::sort(info.damaged.begin(), info.damaged.end());
    reading.report.journals.push_back(std::move(info));
  }
}

}  // namespace rackproof::assemble
