#include "tests/sim/live.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "harness/assemble/reading.hpp"
#include "harness/journal/entry_json.hpp"
#include "reports/json/report_json.hpp"
#include "tests/fakes/sealed.hpp"

namespace rackproof::sim {
namespace {

std::string other_line(const std::vector<assemble::JournalFile>& files) {
  for (const assemble::JournalFile& file : files) {
    const std::string lines = fakes::unsealed(file.bytes);
    for (std::string_view rest = lines; !rest.empty();) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      const auto entry = journal::read_entry(line);
      if (!entry || journal::to_json(*entry) != line) return std::string(line);
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    }
  }
  return "";
}

}  // namespace

std::string differs(const Live& live) {
  if (const std::string line = other_line(live.heard); !line.empty()) {
    return "a line reads back as another one: " + line;
  }
  assemble::Reading heard = assemble::read(live.heard);
  assemble::Reading known;
  static_cast<ingest::Account&>(known) = live.account;
  known.journals = heard.journals;
  ingest::conclude(known);
  const std::string a = model::to_json(assemble::report_of(std::move(known)));
  const std::string b = model::to_json(assemble::report_of(std::move(heard)));
  if (a == b) return "";
  const auto at = static_cast<std::size_t>(
      std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  const std::size_t from = at - std::min<std::size_t>(at, 300);
  return fmt::format("the live report is another one than that of its lines.\nlive:\n{}\nread:\n{}",
                     a.substr(from, 600), b.substr(from, 600));
}

}  // namespace rackproof::sim
