#pragma once

#include <cstdlib>
#include <string>

namespace rackproof::tests {

/// Of cases that are alike and long, whether it is the turn of the one of this number: with
/// RACKPROOF_SHARE=N every Nth runs, others each time that RACKPROOF_TURN is another number, as in
/// CI. Without it, as by hand and at night, all run.
inline bool is_turn_of(std::size_t number) {
  const auto value = [](const char* name, std::size_t otherwise) {
    const char* const text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoul(text, nullptr, 10);
  };
  const std::size_t parts = value("RACKPROOF_SHARE", 1);
  return parts < 2 || (number + value("RACKPROOF_TURN", 0)) % parts == 0;
}

}  // namespace rackproof::tests
