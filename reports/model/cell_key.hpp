#pragma once

#include <compare>
#include <string>

#include "reports/model/scalar.hpp"
#include "reports/model/subject.hpp"

namespace rackproof::model {

/// Which cell something is about, by types and not by text: 8 and "8" are two, 8 and 8.0 one.
struct CellKey {
  CellKey(std::string of_step, Subject of_subject, std::string of_metric,
          const contract::Parameters& with_parameters)
      : step(std::move(of_step)),
        subject(std::move(of_subject)),
        metric(std::move(of_metric)),
        parameters(canonical(with_parameters)) {}

  std::string step;
  Subject subject;
  std::string metric;
  contract::Parameters parameters;  ///< canonical

  bool operator<(const CellKey& other) const {
    if (step != other.step) return step < other.step;
    if (metric != other.metric) return metric < other.metric;
    if (parameters != other.parameters) return parameters < other.parameters;
    return subject < other.subject;
  }
};

}  // namespace rackproof::model
