#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/localise/fit.hpp"
#include "harness/localise/network.hpp"

namespace rackproof::localise {

/// Standard errors within which a deficit may be another: one-sided 95 % of the standard normal
/// distribution.
inline constexpr double kWithin = 1.6449;

struct Rule {
  /// Chance of one false accusation or more: nine tenths of it for parts, a tenth for links.
  double family_alpha = 0.05;
  /// Smaller deficits, as shares, accuse nobody; one that cannot be told from this one does.
  double effect = 0.03;
};

/// Who is to blame, as far as the first values tell: it is to be confirmed (retest_of()).
struct Accused {
  /// The first explains the values best. Each is a candidate, or a link; those after it do so
  /// nearly as well, so that nobody can say which it is.
  std::vector<std::vector<Part>> alternatives;
  double deficit = 0;                  ///< as a share of what its links would give without it
  double error = 0;                    ///< standard error of the deficit
  double p = 1;                        ///< adjusted over the whole family
  std::size_t slow = 0;                ///< of its links, those nearer to the deficit than to none
  std::size_t seen = 0;                ///< its links that have others to be compared with
  std::vector<std::uint32_t> links;    ///< these, by their places
  std::vector<std::uint32_t> members;  ///< in it; of a link both ends
  bool link = false;                   ///< a way or a link between two members, not a part of one

  const std::vector<Part>& parts() const { return alternatives.front(); }
};

struct Accusations {
  std::vector<Accused> accused;  ///< parts, in the order of what they explain, then links
  std::size_t compared = 0;      ///< parts, and links, in the family
  /// Candidates that nothing can be said of: all links like theirs go over them too, or they have
  /// one link alone, which is tested itself.
  std::vector<std::size_t> untested;
};

/// Accuses as few as explain the values. A candidate is tested by the median of its links, against
/// the median of those like them that do not go over it, what is known of the other ends and of
/// those already accused taken out (of an even number the milder of the two in the middle counts):
/// Student's t of that over its error, or over what the other parts of its factor vary by, where
/// they do more; the freedom is that of the spread. Of those that Holm's procedure rejects the one
/// is accused that takes most out of the sum of all sizes; again, until there is none. Then whoever
/// is no longer needed is acquitted, and told are those whose deficit reaches the rule's within its
/// error (one-sided, 95 %). A link is accused when it is slow, by a skewed tail, and no part that
/// it goes over is told.
///
/// Two candidates are alternatives where the values speak for one of them by less than 20 to 1.
Accusations accuse(const Network& network, const Fit& fit, const Rule& rule);

}  // namespace rackproof::localise
