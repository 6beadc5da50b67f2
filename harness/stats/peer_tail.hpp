#pragma once

namespace rackproof::stats {

/// Distance in standard normal deviates of a part whose spread is skewed by g.
double straightened(double distance, double g);

/// Chance of a larger value of Student's t.
double student_tail(double z, double freedom);

/// Chance of a distance as large when the spread, in whose units it is told, is known with so many
/// degrees of freedom, and the parts are skewed by g: the normal tail of the straightened distance,
/// averaged over what the spread may be. Student's t of the straightened distance would do that
/// where g is 0. Elsewhere it makes of a spread that may be half as large a distance twice as
/// large, though the logarithm makes a constant of it: then no part among four could ever fail,
/// were it ten times slower than the others.
double skewed_tail(double distance, double g, double freedom);

}  // namespace rackproof::stats
