#pragma once

#include <array>

#include "contract/words.hpp"

namespace rackproof::contract {

/// Which statistic of its samples a number is. kP99: the value that all but 1 % of the samples are
/// better than; kP05: all but 5 %.
enum class Statistic { kValue, kBest, kMedian, kMean, kWorst, kP99, kP05 };

inline constexpr std::array kStatisticWords = {
    Word{Statistic::kValue, "value"},   Word{Statistic::kBest, "best"},
    Word{Statistic::kMedian, "median"}, Word{Statistic::kMean, "mean"},
    Word{Statistic::kWorst, "worst"},   Word{Statistic::kP99, "p99"},
    Word{Statistic::kP05, "p05"}};
constexpr const auto& words_of(Statistic) { return kStatisticWords; }

/// True for what a record may carry. p05 is for limits alone: the judge works it out of samples.
constexpr bool is_of_records(Statistic statistic) { return statistic != Statistic::kP05; }

}  // namespace rackproof::contract
