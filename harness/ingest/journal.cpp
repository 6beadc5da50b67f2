#include "harness/ingest/journal.hpp"

#include "harness/journal/entry_json.hpp"

namespace rackproof::ingest {
namespace {

// A plan or an inventory is far shorter.
constexpr std::size_t kMaxJournalLine = std::size_t{64} << 20;

}  // namespace

std::string Line::kind() const { return body.at("j").get<std::string>(); }

void JournalScan::take_line(std::string_view line) {
  const std::optional<std::string> opened = seal_.opened(line);
  if (auto body = opened ? journal::parse_line(*opened) : std::nullopt) {
    take_({std::move(*body), number_});
    return;
  }
  damages_.push_back({number_, false,
                      opened ? "is not a journal line"
                             : "is not what was written there after the line before it"});
}

void JournalScan::feed(std::string_view part) {
  while (!part.empty()) {
    const std::size_t newline = part.find('\n');
    const std::string_view piece = part.substr(0, newline);
    const bool whole = newline != std::string_view::npos;
    part.remove_prefix(whole ? newline + 1 : part.size());
    if (begun_.empty() && !too_long_ && whole) {
      ++number_;
      take_line(piece);
      continue;
    }
    if (begun_.size() + piece.size() > kMaxJournalLine) too_long_ = true;
    if (too_long_) {
      begun_.clear();
    } else {
      begun_ += piece;
    }
    if (!whole) return;
    ++number_;
    take_line(begun_);
    begun_.clear();
    too_long_ = false;
  }
}

std::vector<Damage> JournalScan::finish() {
  if (!begun_.empty() || too_long_) {
    damages_.push_back({number_ + 1, true, "is cut short: the writer was stopped"});
  }
  return std::move(damages_);
}

std::vector<Damage> for_each_line(std::string_view bytes,
                                  const std::function<void(const Line&)>& take) {
  JournalScan scan(take);
  scan.feed(bytes);
  return scan.finish();
}

}  // namespace rackproof::ingest
