#include "harness/telemetry/ring_format.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <sstream>
#include <stdexcept>

namespace rackproof::telemetry {
namespace {

std::string clean(const std::string& text) {
  std::string out = text;
  for (char& letter : out) {
    if (static_cast<unsigned char>(letter) < ' ') letter = ' ';
  }
  return out;
}

std::vector<std::string> parts_of(const std::string& line) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (std::size_t tab = 0; tab != std::string::npos; from = tab + 1) {
    tab = line.find('\t', from);
    parts.push_back(line.substr(from, tab == std::string::npos ? tab : tab - from));
  }
  return parts;
}

Kind kind_of(const std::string& text) {
  for (const Kind kind : {Kind::kGauge, Kind::kCounter, Kind::kMask}) {
    if (text == to_text(kind)) return kind;
  }
  throw std::invalid_argument("a column of no known kind");
}

}  // namespace

std::uint64_t seal_of(std::uint64_t seed, std::span<const std::uint64_t> words) {
  std::uint64_t state = seed ^ 0x9e3779b97f4a7c15U;
  for (const std::uint64_t word : words) {
    // Each step can be undone, so that one changed word always changes the end.
    state = (state ^ word) * 0xd6e8feb86659fd93U;
    state ^= state >> 32U;
  }
  return state;
}

std::string text_of(const About& about) {
  std::string text = "host\t" + clean(about.host) + "\nboot\t" + clean(about.boot) + "\n";
  for (const Column& column : about.columns) {
    text += "column\t" + clean(column.name) + "\t" + clean(column.subject) + "\t" +
            clean(column.unit) + "\t" + to_text(column.kind) + "\t" + clean(column.source) + "\n";
  }
  for (const std::string& note : about.notes) text += "note\t" + clean(note) + "\n";
  return text;
}

void read_text(const std::string& text, About& about) {
  std::istringstream lines(text);
  std::set<std::string> keys;
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> parts = parts_of(line);
    if (parts[0] == "host" && parts.size() == 2) {
      about.host = parts[1];
    } else if (parts[0] == "boot" && parts.size() == 2) {
      about.boot = parts[1];
    } else if (parts[0] == "note" && parts.size() == 2) {
      about.notes.push_back(parts[1]);
    } else if (parts[0] == "column" && parts.size() == 6) {
      about.columns.push_back({parts[1], parts[2], parts[3], kind_of(parts[4]), parts[5]});
      if (!keys.insert(about.columns.back().key()).second) {
        throw std::invalid_argument("two columns of one name");
      }
    } else {
      throw std::invalid_argument("a line of the head that says nothing known");
    }
  }
}

std::vector<std::uint64_t> head_words(const About& about, std::uint64_t slots,
                                      std::uint64_t end_monotonic_ns) {
  const std::string text = text_of(about);
  const std::size_t bytes = (sizeof(Head) + text.size() + 7) / 8 * 8;
  Head head{};
  std::memcpy(head.magic, kMagic, sizeof kMagic);
  head.byte_order = kByteOrder;
  head.version = kVersion;
  head.head_bytes = bytes;
  head.text_bytes = text.size();
  head.columns = about.columns.size();
  head.slots = slots;
  head.interval_ns = about.interval_ns;
  head.start_monotonic_ns = about.start_monotonic_ns;
  head.start_realtime_ns = about.start_realtime_ns;
  head.end_monotonic_ns = end_monotonic_ns;
  std::vector<std::uint64_t> words(bytes / 8, 0);
  auto* to = reinterpret_cast<char*>(words.data());
  std::copy(text.begin(), text.end(), to + sizeof head);
  std::memcpy(to, &head, sizeof head);
  head.seal = seal_of(0, words);
  std::memcpy(to, &head, sizeof head);
  return words;
}

}  // namespace rackproof::telemetry
