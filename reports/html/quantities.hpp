#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::html {

/// Cells that differ in nothing but their subject, in the order of the report.
struct Quantity {
  std::string what;  ///< metric and parameters (model::what_of)
  std::vector<const model::Cell*> cells;

  const model::Cell& first() const { return *cells.front(); }
};

/// Where a cell stands: its quantity, and its number in there.
struct Place {
  std::size_t quantity = 0;
  std::size_t number = 0;
};

/// The cells of a report by quantity. Refers to the report, which must outlive it.
class Quantities {
 public:
  explicit Quantities(const model::Report& report);

  const std::vector<Quantity>& all() const { return all_; }
  /// Of a cell of this report.
  Place place_of(const model::Cell& cell) const;
  /// The same as the page's script knows it: " data-cell=\"3-17\"".
  std::string mark_of(const model::Cell& cell) const;

 private:
  const model::Cell* begin_;
  std::vector<Quantity> all_;
  std::vector<Place> places_;
};

}  // namespace rackproof::html
