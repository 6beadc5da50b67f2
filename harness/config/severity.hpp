#pragma once

#include "harness/document/reader.hpp"
#include "reports/model/finding.hpp"

namespace rackproof::config {

/// The word of a severity.
inline model::Severity read_severity(const document::Field& field) {
  using model::Severity;
  return field.choice<Severity>({{"info", Severity::kInfo},
                                 {"warning", Severity::kWarning},
                                 {"error", Severity::kError},
                                 {"isolate", Severity::kIsolate}});
}

}  // namespace rackproof::config
