#pragma once

#include <string>
#include <string_view>

#include "harness/warden/seal.hpp"

namespace rackproof::fakes {

/// Calls `change` for each whole line that is an object; other lines and the tail stay as they are.
template <class Change>
std::string for_each_object(std::string_view bytes, Change change) {
  std::string out;
  while (!bytes.empty()) {
    const std::size_t newline = bytes.find('\n');
    const bool whole = newline != std::string_view::npos;
    const std::string_view line = bytes.substr(0, newline);
    bytes.remove_prefix(whole ? newline + 1 : bytes.size());
    const bool object = whole && line.size() > 2 && line.front() == '{' && line.back() == '}';
    out += object ? change(line) : std::string(line);
    if (whole) out += '\n';
  }
  return out;
}

/// Journal lines without seals, as a journal holds them.
inline std::string sealed(std::string_view lines) {
  warden::Seal seal;
  return for_each_object(lines, [&](std::string_view line) { return seal.sealed(line); });
}

/// The lines of a journal whose seals hold without them.
inline std::string unsealed(std::string_view journal) {
  warden::Seal seal;
  return for_each_object(journal, [&](std::string_view line) {
    return seal.opened(line).value_or(std::string(line));
  });
}

}  // namespace rackproof::fakes
