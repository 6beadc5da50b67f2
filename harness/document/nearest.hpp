#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rackproof::document {

/// The candidate that `word` was most likely meant to be: the same but for case, or else the one
/// with the fewest letters changed, added, dropped or swapped with a neighbour; empty when none is
/// near.
std::string nearest(std::string_view word, const std::vector<std::string_view>& candidates);

/// The end of a message about an unknown word: "; did you mean 'x'?"; when nothing is near, the
/// names that it is part of: "; did you mean one of a-x, b-x?"; empty when it is part of none.
std::string hint(std::string_view word, const std::vector<std::string_view>& candidates);

/// hint(), and where that is empty the list of what is known: "; expected one of a, b, c".
std::string suggestion(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace rackproof::document
