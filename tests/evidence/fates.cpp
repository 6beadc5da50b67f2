#include "tests/evidence/fates.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <tuple>

#include "tests/unit/turn.hpp"

namespace rackproof::evidence {
namespace {

using nlohmann::json;

Came came_to(const Document& document, const Fate& fate) {
  if (fate.refused) return Came::kRefused;
  if (document.ill == Ill::kNothing) return fate.accepted() ? Came::kSame : Came::kHeld;
  return judged_better(document, fate) ? Came::kBetter : Came::kSame;
}

std::string_view word(Came came) {
  switch (came) {
    case Came::kRefused:
      return "refused";
    case Came::kHeld:
      return "held";
    case Came::kSame:
      return "same";
    case Came::kBetter:
      return "**better**";
  }
  return "";
}

std::string words_of(const Row& row, Spoil spoil) {
  const auto found = row.of.find(spoil);
  if (found == row.of.end()) return "";
  std::string out;
  for (const Came came : found->second) {
    // Where what was accepted is held, what was not accepted stays as it was.
    if (came == Came::kSame && found->second.contains(Came::kHeld)) continue;
    out += (out.empty() ? "" : ", ") + std::string(word(came));
  }
  return out;
}

// A pattern has its turn by the number of those that were seen before it.
Row& row_of(Table& table, const std::string& pattern) {
  const std::size_t before = table.size();
  const auto [at, is_new] = table.try_emplace(pattern);
  if (is_new) at->second.skipped = !tests::is_turn_of(before);
  return at->second;
}

}  // namespace

Table fates_of(const Kind& kind, const Words& words) {
  Table table;
  std::set<std::tuple<Ill, std::string, bool>> done;
  for (const Document& document : kind.documents) {
    for (const std::string& place : places_in(document.content)) {
      const std::string pattern = pattern_of(place);
      if (!done.insert({document.ill, pattern, document.is_the_evidence(place)}).second) continue;
      Row& row = row_of(table, pattern);
      if (row.skipped) continue;
      const auto known = words.find(pattern);
      for (const Spoil spoil : kSpoils) {
        const auto spoilt =
            spoiled(document.content, place, spoil,
                    known == words.end() ? std::vector<std::string>{} : known->second);
        if (!spoilt) continue;
        try {
          row.of[spoil].insert(came_to(document, document.take(text_of(*spoilt))));
        } catch (const std::exception& error) {
          throw std::runtime_error(
              fmt::format("{} {}: {}: {}", kind.name, place, evidence::word(spoil), error.what()));
        }
      }
    }
  }
  return table;
}

std::string to_markdown(const Kind& kind, const Table& table, const Words& described) {
  std::string out = fmt::format("## {}\n\n| |", kind.title);
  for (const Spoil spoil : kSpoils) out += fmt::format(" {} |", evidence::word(spoil));
  out += "\n|---|";
  for (std::size_t i = 0; i < kSpoils.size(); ++i) out += "---|";
  out += "\n";
  for (const auto& [pattern, row] : table) {
    out += fmt::format("| `{}` |", pattern);
    if (row.skipped) {
      out += fmt::format("{}\n", kSkipped);
      continue;
    }
    for (const Spoil spoil : kSpoils) out += fmt::format(" {} |", words_of(row, spoil));
    out += "\n";
  }
  std::string missing;
  for (const auto& [pattern, words] : described) {
    if (!table.contains(pattern))
      missing += fmt::format("{}`{}`", missing.empty() ? "" : ", ", pattern);
  }
  if (!missing.empty()) out += "\nIn the schema, and in no scene: " + missing + ".\n";
  return out;
}

std::vector<std::string> better_in(const Kind& kind, const Table& table) {
  std::vector<std::string> out;
  for (const auto& [pattern, row] : table) {
    for (const auto& [spoil, came] : row.of) {
      if (came.contains(Came::kBetter)) {
        out.push_back(fmt::format("{} {}: {}", kind.name, pattern, evidence::word(spoil)));
      }
    }
  }
  return out;
}

}  // namespace rackproof::evidence
