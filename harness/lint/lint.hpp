#pragma once

#include <string>
#include <vector>

#include "harness/config/metrics.hpp"
#include "harness/config/places.hpp"

namespace rackproof::lint {

/// Something in a table that can be read and makes no sense.
struct Complaint {
  config::Place place;
  std::string text;

  bool operator==(const Complaint& other) const;
};

/// "FILE:LINE: FIELD: what is wrong".
std::string to_text(const Complaint& complaint);

/// What is implausible in a table, inherited parts included, against what the benches print. In the
/// order of the table; empty when nothing is. Pure.
std::vector<Complaint> lint(const config::PlacedTable& table,
                            const config::MetricCatalogue& catalogue);

/// Tables that recognise the same machines by the same rules: each but the first of such tables has
/// a complaint. Pure.
std::vector<Complaint> lint_together(const std::vector<config::PlacedTable>& tables);

}  // namespace rackproof::lint
