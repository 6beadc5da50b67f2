#pragma once

#include <string>
#include <vector>

namespace rackproof::signoff {

/// Whether something was shown: it holds, it does not, or it could not be looked at here.
enum class State { kHolds, kFails, kOpen };

struct Check {
  State state = State::kOpen;
  std::string about;  ///< "signature", "journal"
  std::string text;
};

/// What was found out about a report.
struct Screen {
  std::string report;  ///< file
  std::string sha256;
  std::string what;  ///< run, suite and verdict in a line; empty: it cannot be read
  std::vector<Check> checks;
  std::string acceptance = {};  ///< its word in the report; empty: it cannot be read
  std::string verdict = {};     ///< the line that says it, the last of all

  void add(State state, std::string about, std::string text) {
    checks.push_back({state, std::move(about), std::move(text)});
  }
  /// Nothing fails.
  bool holds() const;
};

/// One screen for people; foreign text is made printable.
std::string to_text(const Screen& screen);
/// The same as a line of JSON.
std::string to_json(const Screen& screen);

}  // namespace rackproof::signoff
