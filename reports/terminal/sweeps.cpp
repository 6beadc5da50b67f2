#include "reports/terminal/sweeps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reports/model/quantity.hpp"
#include "reports/model/words.hpp"

namespace rackproof::terminal {
namespace {

constexpr const char* kBytes = "bytes";
constexpr std::size_t kLeastSizes = 3;

std::string operation_of(const std::string& metric) { return metric.substr(0, metric.rfind('.')); }

std::string last_word(const std::string& metric) { return metric.substr(metric.rfind('.') + 1); }

std::string without_size(contract::Parameters parameters) {
  parameters.erase(kBytes);
  return model::to_text(parameters);
}

void take(Sweep::Size& size, const std::string& word, double value, const std::string& unit,
          bool more) {
  Sweep::Number& number = size.numbers[word];
  number.unit = unit;
  number.more = more;
  const bool worse = !number.worst || (more ? value < *number.worst : value > *number.worst);
  if (worse) number.worst = value;
}

/// "pass", "verified", "2 fail, 1 untested".
std::string result_of(const Sweep::Size& size) {
  if (size.others.empty()) return size.limited ? "pass" : "verified";
  std::string text;
  for (const auto& [outcome, count] : size.others) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, contract::word(outcome));
  }
  return text;
}

void add_table(Page& page, const Sweep& sweep) {
  std::vector<std::string> limited;
  for (const std::string& word : sweep.metrics) {
    const bool any = std::any_of(sweep.sizes.begin(), sweep.sizes.end(), [&](const auto& entry) {
      return entry.second.limits.contains(word);
    });
    if (any) limited.push_back(word);
  }
  std::vector<std::string> head = {"size", "cells"};
  head.insert(head.end(), sweep.metrics.begin(), sweep.metrics.end());
  for (const std::string& word : limited) head.push_back(word + " limit");
  head.emplace_back("result");
  Rows rows = {std::move(head)};
  for (const auto& [bytes, size] : sweep.sizes) {
    std::vector<std::string> row = {model::size(bytes), std::to_string(size.cells)};
    for (const std::string& word : sweep.metrics) {
      const auto number = size.numbers.find(word);
      const bool known = number != size.numbers.end() && number->second.worst;
      row.push_back(known ? model::quantity(*number->second.worst, number->second.unit) : "");
    }
    for (const std::string& word : limited) {
      const auto limit = size.limits.find(word);
      row.push_back(limit == size.limits.end() ? "" : limit->second);
    }
    row.push_back(result_of(size));
    rows.push_back(std::move(row));
  }
  page.paragraph(2, Paint::kBold, sweep.operation,
                 fmt::format("{}{}step {}", sweep.parameters, sweep.parameters.empty() ? "" : ", ",
                             sweep.step));
  page.table(4, rows, 1);
}

}  // namespace

Sweeps::Sweeps(const model::Report& report, const PassedCells& passed) {
  for (const PassedGroup& group : passed.groups()) add(group);
  for (const model::Cell& cell : report.cells) {
    if (!model::is_right(cell.verdict.outcome)) add(cell);
  }
  std::erase_if(all_, [](const Sweep& sweep) { return sweep.sizes.size() < kLeastSizes; });
  places_.clear();
  for (std::size_t i = 0; i < all_.size(); ++i) {
    places_.emplace(Key{all_[i].step, all_[i].operation, all_[i].parameters}, i);
  }
}

bool Sweeps::hold(const PassedGroup& group) const {
  return group.parameters.contains(kBytes) &&
         places_.contains({group.step, operation_of(group.metric), without_size(group.parameters)});
}

Sweep::Size* Sweeps::size_of(const std::string& step, const std::string& metric,
                             const contract::Parameters& parameters) {
  const auto found = parameters.find(kBytes);
  if (found == parameters.end()) return nullptr;
  const auto* bytes = std::get_if<std::int64_t>(&found->second);
  if (bytes == nullptr) return nullptr;
  Key key{step, operation_of(metric), without_size(parameters)};
  const auto [place, fresh] = places_.try_emplace(key, all_.size());
  if (fresh) all_.push_back({step, std::get<1>(key), std::get<2>(key), {}, {}});
  Sweep& sweep = all_[place->second];
  const std::string word = last_word(metric);
  if (std::count(sweep.metrics.begin(), sweep.metrics.end(), word) == 0) {
    sweep.metrics.push_back(word);
  }
  return &sweep.sizes[*bytes];
}

void Sweeps::add(const PassedGroup& group) {
  Sweep::Size* size = size_of(group.step, group.metric, group.parameters);
  if (size == nullptr) return;
  const std::string word = last_word(group.metric);
  size->cells += group.cells;
  for (const double value : group.values) take(*size, word, value, group.unit, group.more);
  if (group.verified) return;
  size->limited = true;
  const bool low = group.more ? group.low.value.has_value() : !group.high.value;
  const std::string& limit = low ? group.low.text : group.high.text;
  if (!limit.empty()) size->limits[word] = limit;
}

void Sweeps::add(const model::Cell& cell) {
  Sweep::Size* size = size_of(cell.step, cell.metric, cell.parameters);
  if (size == nullptr) return;
  const std::string word = last_word(cell.metric);
  ++size->cells;
  ++size->others[cell.verdict.outcome];
  if (cell.verdict.observed && !cell.measurements.empty()) {
    const model::Measurement& last = cell.measurements.back();
    take(*size, word, *cell.verdict.observed, last.unit, last.better == contract::Better::kMore);
  }
  if (const std::string limit = limit_of(cell); !limit.empty()) size->limits.emplace(word, limit);
}

void add_sweeps(Page& page, const Sweeps& sweeps) {
  if (sweeps.all().empty()) return;
  page.heading(Paint::kBold, "BY SIZE (the worst of all subjects)");
  for (const Sweep& sweep : sweeps.all()) add_table(page, sweep);
}

}  // namespace rackproof::terminal
