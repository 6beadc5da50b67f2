#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace rackproof::compare {

/// A quantity over the runs, as it is drawn.
struct Drawn {
  std::vector<std::optional<double>> values;  ///< by run
  std::string unit;                           ///< of them: it is said aloud
  std::optional<std::size_t> at = {};         ///< the first run of a new level: a line before it
  std::optional<double> before = {};  ///< levels on both sides of it; without one: the whole
  std::optional<double> after = {};
};

/// A drawing of `width` by `height`: a dot for each run that has a value, the levels, and where one
/// becomes the other. A range of less than 2 % is drawn as 2 %, so that noise does not look like
/// more. Of many runs each dot is the median of some.
std::string chart_of(const Drawn& drawn, int width, int height);

}  // namespace rackproof::compare
