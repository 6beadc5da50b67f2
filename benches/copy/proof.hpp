#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "benches/kit/pattern/pattern.hpp"
#include "benches/protocol/record.hpp"

namespace rackproof::copy {

/// What the comparisons of all samples of one flow found, in sum.
class Proof {
 public:
  void add(std::int64_t sample, const kit::pattern::Difference& found);

  /// `where` names the memory to people.
  protocol::Check check(std::string name, const std::string& where) const;

 private:
  std::int64_t compared_ = 0;
  std::int64_t wrong_ = 0;
  std::int64_t sample_ = 0;
  std::optional<kit::pattern::Difference> first_;
};

}  // namespace rackproof::copy
