#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "contract/words.hpp"
#include "reports/model/report.hpp"

namespace rackproof::openmetrics {

/// Whether cells that do not speak against the run, and the devices that have none that do, get
/// series of their own.
enum class Details {
  kByNumber,  ///< as long as they are no more than kMostSeries
  kAll,
  kAggregate
};

inline constexpr std::array kDetailsWords = {contract::Word{Details::kByNumber, "auto"},
                                             contract::Word{Details::kAll, "all"},
                                             contract::Word{Details::kAggregate, "aggregate"}};
constexpr const auto& words_of(Details) { return kDetailsWords; }

/// Series of cells and devices in one document, unless all are asked for. docs/formats.md has the
/// reason.
inline constexpr std::size_t kMostSeries = 50'000;

/// The run in the OpenMetrics text format 1.0, which Prometheus' older one reads as well: gauges
/// alone and no timestamps, as the textfile collector wants it. The verdict, cells by outcome and
/// host, findings by severity, how the numbers of each metric lie; for each device, node and group
/// the judged number of each cell, in a family named after metric and unit, its limits, its ratio
/// to what was expected, and whether it passed. Of the links of a host the worst is told, and how
/// many failed: a rack has too many pairs for a series each. Of a large run, cells that passed and
/// what else does not speak against it are left out (`details`), and rackproof_series_left_out says
/// how many series. Of those that do speak against it there are kMostSeries at most unless all are
/// asked for, worst first. Pure.
std::string render(const model::Report& report, Details details);
std::string render(const model::Report& report);

}  // namespace rackproof::openmetrics
