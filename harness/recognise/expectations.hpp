#pragma once

#include <string>
#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::recognise {

/// Something that a table expects of its hosts and that is otherwise, or not known, on some of them
/// in the same way.
struct Unmet {
  std::string table;
  std::string want;  ///< "8", "at least 8", "*H100*"
  std::string have;  ///< "7", or "not known (NVML: no such file)"
  bool known = true;
  model::Severity severity = model::Severity::kWarning;
  std::string remedy;
  std::vector<std::string> hosts = {};  ///< or devices, "node3/GPU-1a2b", where only some are so
  std::string fact = {};
  std::string note = {};  ///< of a suppression, to be put behind the sentence
};

/// What each host's own table expects of it and does not find. A fact that the host has not, but
/// its devices, is expected of each device. What the suite suppressed on the day when the run began
/// is of severity info; of what nobody can read and is no error, too. The gravest first, then in
/// the order of the tables.
std::vector<Unmet> unmet_expectations(const model::Report& report);

/// The findings that say so (expectation-unmet).
std::vector<model::Finding> find_unmet(const model::Report& report);

/// "node3 has 7 GPUs; table hgx-b200 requires 8", or of another fact "node3: gpu.ecc is false;
/// ...".
std::string to_text(const Unmet& unmet);

}  // namespace rackproof::recognise
