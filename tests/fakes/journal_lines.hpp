#pragma once

#include <string>

#include "harness/journal/entry_json.hpp"

namespace rackproof::fakes {

/// What a warden writes about an attempt that says something, and about one that has ended.
inline std::string out_line(const std::string& attempt, const std::string& text,
                            bool whole = true) {
  return journal::to_json(journal::Out{attempt, text, whole});
}

inline std::string end_line(const std::string& attempt, double t, journal::End facts = {}) {
  facts.attempt = attempt;
  facts.t = t;
  return journal::to_json(facts);
}

}  // namespace rackproof::fakes
