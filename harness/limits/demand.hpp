#pragma once

#include <optional>
#include <vector>

#include "harness/evidence/context.hpp"

namespace rackproof::limits {

/// What is wrong with how a cell was measured.
struct UnmetDemand {
  bool known = true;  ///< another condition is shown; else the bench does not say it
  std::string sentence;
};

/// True when what `demand` asks for is asked of `cell`: by its metric, parameters, backend, number
/// of hosts and their facts.
bool is_about(const evidence::Context& context, const model::Demand& demand,
              const model::Cell& cell);

/// The conditions that all of the measurements show, with one value.
contract::Parameters shown_by(const std::vector<const model::Measurement*>& measurements);

/// The first condition that the baseline demands and some measurement does not show.
std::optional<UnmetDemand> unmet_demand(const model::Baseline& baseline,
                                        const std::vector<const model::Measurement*>& measurements);

/// The same of the demands of the table that apply to the cell. What differs comes before what is
/// not known.
std::optional<UnmetDemand> unmet_demand(const evidence::Context& context,
                                        const model::PlatformTable& table, const model::Cell& cell,
                                        const std::vector<const model::Measurement*>& measurements);

}  // namespace rackproof::limits
