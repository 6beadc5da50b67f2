#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "reports/model/report.hpp"

namespace rackproof::evidence {

/// Earlier values of the same part (report.history): about the same device by its UUID, or the same
/// host, of one step, metric, parameters and unit. The report must outlive it.
class OwnHistory {
 public:
  OwnHistory() = default;
  explicit OwnHistory(const model::Report& report);

  /// What is known of this cell in this unit, by this statistic. Null where there are fewer values
  /// than stats::kLeastHistory, or one that is not positive and finite. Links and groups have none.
  const model::History* of(const model::Cell& cell, const std::string& unit,
                           contract::Statistic statistic) const;

 private:
  std::unordered_multimap<std::string_view, const model::History*> by_subject_;
};

}  // namespace rackproof::evidence
