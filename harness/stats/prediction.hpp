#pragma once

#include <cstddef>

namespace rackproof::stats {

/// How many standard deviations from the mean of `n` normal values the next one lies beyond, on one
/// side, with the probability `tail`: a prediction limit (Hahn and Meeker, "Statistical Intervals",
/// 1991). `freedom` are the degrees of freedom with which the standard deviation is known, n - 1
/// where only these values tell it. std::invalid_argument for no value, for a tail outside (0, 0.5)
/// and for a freedom that is not positive.
double prediction_deviations(std::size_t n, double freedom, double tail);

/// The fewest values, at most `most`, of which prediction_deviations(n, n - 1, tail) is at most
/// `deviations`; 0 when not even these are enough.
std::size_t values_for_prediction(double deviations, double tail, std::size_t most);

}  // namespace rackproof::stats
