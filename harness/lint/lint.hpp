#pragma once

#include <string>
#include <vector>

#include "harness/config/metrics.hpp"
#include "harness/config/places.hpp"

namespace rackproof::lint {

/// What to do with a table: one with an error is not judged by.
enum class Weight { kError, kWarning };

/// Something in a table that can be read and makes no sense, or that says less than it should.
struct Complaint {
  config::Place place;
  std::string text;
  Weight weight = Weight::kError;

  bool operator==(const Complaint& other) const;
};

/// "FILE:LINE: FIELD: what is wrong", a warning with that word before it.
std::string to_text(const Complaint& complaint);

/// What is implausible in a table, inherited parts included, against what the benches print. In the
/// order of the table; empty when nothing is. Pure.
std::vector<Complaint> lint(const config::PlacedTable& table,
                            const config::MetricCatalogue& catalogue);

/// Tables that recognise the same machines by the same rules: each but the first of such tables has
/// a complaint. Pure.
std::vector<Complaint> lint_together(const std::vector<config::PlacedTable>& tables);

}  // namespace rackproof::lint
