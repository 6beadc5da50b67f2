#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "benches/protocol/record.hpp"

namespace rackproof::product {

/// What a proof found. `wrong` is how many elements were seen to be wrong; when `all_counted` is
/// false there may be more. `detail` is one line for people, empty when nothing is wrong.
struct Fault {
  std::int64_t wrong = 0;
  bool all_counted = true;
  std::optional<protocol::FirstWrong> first;
  std::string detail;
};

}  // namespace rackproof::product
