#include "harness/signoff/chain.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/ingest/journal.hpp"
#include "harness/journal/entry_json.hpp"
#include "harness/support/digest.hpp"

namespace rackproof::signoff {
namespace {

constexpr std::size_t kMostFaults = 3;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    lines.push_back(text.substr(0, newline));
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
  }
  return lines;
}

/// What follows the bytes that the report was made of.
void examine_rest(const model::JournalInfo& info, std::string_view before, std::string_view rest,
                  bool ended, Chain& chain) {
  const auto place = [&](std::size_t after) {
    return fmt::format("{}:{}: ", info.file, info.lines + 1 + static_cast<std::int64_t>(after));
  };
  const std::vector<std::string_view> lines = lines_of(rest);
  const bool closed = journal::ends_closed(before);
  if (closed || ended) {
    const std::size_t due = closed ? 0 : 1;
    if (lines.size() < due) {
      chain.faults.push_back(place(0) + "the line that closes the journal is missing");
    } else if (due == 1 && !journal::is_close_line(lines[0])) {
      chain.faults.push_back(place(0) + "was added after the report was made");
    } else if (lines.size() > due) {
      chain.faults.push_back(place(due) + "was added after the journal was closed");
    }
  } else if (!lines.empty()) {
    chain.note =
        fmt::format("{} more line(s) were written after the report was made", lines.size());
  }
}

}  // namespace

Chain examine_journal(const model::JournalInfo& info, std::string_view bytes, bool ended) {
  Chain chain;
  for (const ingest::Damage& damage : ingest::for_each_line(bytes, [](const ingest::Line&) {})) {
    const bool known =
        std::find(info.damaged.begin(), info.damaged.end(), damage.line) != info.damaged.end();
    if (known || chain.faults.size() == kMostFaults) continue;
    chain.faults.push_back(fmt::format("{}:{}: the line {}", info.file, damage.line, damage.what));
  }
  const auto counted = static_cast<std::size_t>(std::max<std::int64_t>(info.bytes, 0));
  if (bytes.size() < counted) {
    chain.faults.push_back(fmt::format("{}: ends after {} of {} lines", info.file,
                                       std::count(bytes.begin(), bytes.end(), '\n'), info.lines));
    return chain;
  }
  const std::string_view before = bytes.substr(0, counted);
  chain.same = support::sha256_hex(before) == info.sha256;
  if (!chain.same && chain.faults.empty()) {
    // Every seal holds: the lines from some place on were sealed anew, or the report was changed.
    chain.faults.push_back(
        fmt::format("{}: its first {} bytes are not those that the report names, though its seals "
                    "hold: it was written anew, or the report was changed",
                    info.file, info.bytes));
  }
  if (chain.faults.empty()) examine_rest(info, before, bytes.substr(counted), ended, chain);
  return chain;
}

}  // namespace rackproof::signoff
