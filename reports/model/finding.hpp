#pragma once

#include <string>
#include <vector>

#include "reports/model/scalar.hpp"

namespace rackproof::model {

enum class Severity { kInfo, kWarning, kError };

/// Something noticed that is no cell. `id` is one of the catalogue's.
struct Finding {
  std::string id;
  Severity severity = Severity::kInfo;
  std::string subject;  ///< label of what it is about
  std::string text;     ///< the sentence with the facts
  std::string step;     ///< empty when it belongs to no step
  Parameters evidence;

  bool operator==(const Finding&) const = default;
};

}  // namespace rackproof::model
