#include "reports/openmetrics/spread_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "reports/model/cell_text.hpp"
#include "reports/model/words.hpp"
#include "reports/openmetrics/cell_series.hpp"

namespace rackproof::openmetrics {
namespace {

constexpr std::array<std::pair<std::string_view, double>, 5> kStatistics = {
    {{"min", 0}, {"p05", 0.05}, {"p50", 0.5}, {"p95", 0.95}, {"max", 1}}};

// A value that all have, or nothing.
class Common {
 public:
  void add(const std::optional<double>& value) {
    if (first_) value_ = value;
    if (value_ != value) value_.reset();
    first_ = false;
  }
  const std::optional<double>& value() const { return value_; }

 private:
  bool first_ = true;
  std::optional<double> value_;
};

struct Spread {
  std::vector<double> values;
  std::vector<double> ratios;
  Common limit_low;
  Common limit_high;

  void add(const Numbers& numbers) {
    values.push_back(*numbers.observed);
    if (numbers.ratio) ratios.push_back(*numbers.ratio);
    limit_low.add(numbers.limit_low);
    limit_high.add(numbers.limit_high);
  }
  void add(Spread&& other) {
    values.insert(values.end(), other.values.begin(), other.values.end());
    ratios.insert(ratios.end(), other.ratios.begin(), other.ratios.end());
    limit_low.add(other.limit_low.value());
    limit_high.add(other.limit_high.value());
  }
};

std::string_view unit_view(const model::Cell& cell) {
  return cell.measurements.empty() ? std::string_view() : cell.measurements.back().unit;
}

// Cells that differ in their subject alone are equal.
struct ByQuantity {
  bool operator()(const model::Cell* a, const model::Cell* b) const {
    const auto key = [](const model::Cell& cell) {
      return std::tuple<const std::string&, const std::string&, std::string_view,
                        const contract::Parameters&>(cell.step, cell.metric, unit_view(cell),
                                                     cell.parameters);
    };
    return key(*a) < key(*b);
  }
};

double at_share(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(at));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], at - static_cast<double>(below));
}

void add_statistics(Families& families, const std::string& name, const std::string& unit,
                    const std::string& help, const Labels& labels, std::vector<double> values) {
  if (values.empty()) return;
  std::sort(values.begin(), values.end());
  for (const auto& [word, share] : kStatistics) {
    Labels more = labels;
    more.emplace_back("statistic", word);
    families.add(name, unit, help, more, at_share(values, share));
  }
}

void add_spread(Families& families, const std::string& metric, const std::string& unit,
                const Labels& labels, Spread&& spread) {
  const std::string name = "rackproof_" + metric + "_spread";
  add_statistics(families, name, unit,
                 fmt::format("{} of all parts as it was judged, in {}.", metric, unit), labels,
                 std::move(spread.values));
  add_statistics(families, "rackproof_cell_spread", "ratio",
                 "What was measured by what was expected, of all parts.", labels,
                 std::move(spread.ratios));
  const auto add_limit = [&](const char* behind, const Common& limit, const char* what) {
    if (!limit.value()) return;
    families.add(name + behind, unit,
                 fmt::format("{} of all parts, the {} that passes, in {}.", metric, what, unit),
                 labels, *limit.value());
  };
  add_limit("_limit_low", spread.limit_low, "least");
  add_limit("_limit_high", spread.limit_high, "most");
}

struct HostCells {
  model::Counts required;
  model::Counts others;
};

void add_outcomes(Families& families, const std::string& host, const char* required,
                  const model::Counts& counts) {
  for (const auto& [outcome, word] : model::words_of(model::Outcome{})) {
    families.add("rackproof_host_cells", "",
                 "Cells of a host, its devices and the links that begin there, by outcome.",
                 {{"host", host}, {"outcome", std::string(word)}, {"required", required}},
                 count_of(counts, outcome));
  }
}

}  // namespace

void add_spreads(Families& families, const model::Report& report) {
  std::map<const model::Cell*, Spread, ByQuantity> quantities;
  for (const model::Cell& cell : report.cells) {
    if (cell.subject.kind == contract::SubjectKind::kLink) continue;
    const Numbers numbers = known_numbers(cell);
    if (numbers.observed) quantities[&cell].add(numbers);
  }
  // By what they will be called: 8 and "8" are the same label.
  std::map<std::pair<Labels, std::string>, Spread> spreads;
  for (auto& [cell, spread] : quantities) {
    Labels labels = {{"step", cell->step}, {"metric", cell->metric}};
    for (auto& parameter : parameters_of(*cell)) labels.push_back(std::move(parameter));
    spreads[{std::move(labels), model::unit_of(*cell)}].add(std::move(spread));
  }
  for (auto& [of, spread] : spreads) {
    const auto& [labels, unit] = of;
    add_spread(families, labels[1].second, unit, labels, std::move(spread));
  }
}

void add_host_cells(Families& families, const model::Report& report) {
  std::map<std::string, HostCells> hosts;
  for (const model::Cell& cell : report.cells) {
    if (cell.subject.kind == contract::SubjectKind::kGroup) continue;
    HostCells& host = hosts[cell.subject.host];
    ++count_of(cell.required ? host.required : host.others, cell.verdict.outcome);
  }
  for (const auto& [host, cells] : hosts) {
    add_outcomes(families, host, "true", cells.required);
    if (total(cells.others) > 0) add_outcomes(families, host, "false", cells.others);
  }
}

}  // namespace rackproof::openmetrics
