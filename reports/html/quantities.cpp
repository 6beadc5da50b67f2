#include "reports/html/quantities.hpp"

#include <fmt/format.h>

#include <map>
#include <tuple>

#include "reports/model/cell_text.hpp"

namespace rackproof::html {

namespace {

// Cells of one quantity are alike, and no text has to be made for each to see it.
struct ByQuantity {
  bool operator()(const model::Cell* a, const model::Cell* b) const {
    return std::tie(a->step, a->metric, a->subject.kind, a->parameters) <
           std::tie(b->step, b->metric, b->subject.kind, b->parameters);
  }
};

}  // namespace

Quantities::Quantities(const model::Report& report) : begin_(report.cells.data()) {
  std::map<const model::Cell*, std::size_t, ByQuantity> known;
  places_.reserve(report.cells.size());
  for (const model::Cell& cell : report.cells) {
    const auto [found, fresh] = known.try_emplace(&cell, all_.size());
    if (fresh) all_.push_back({model::what_of(cell), {}});
    Quantity& quantity = all_[found->second];
    places_.push_back({found->second, quantity.cells.size()});
    quantity.cells.push_back(&cell);
  }
}

Place Quantities::place_of(const model::Cell& cell) const {
  return places_.at(static_cast<std::size_t>(&cell - begin_));
}

std::string Quantities::mark_of(const model::Cell& cell) const {
  const Place place = place_of(cell);
  return fmt::format(" data-cell=\"{}-{}\"", place.quantity, place.number);
}

}  // namespace rackproof::html
