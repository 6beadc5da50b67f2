#pragma once

#include <vector>

#include "benches/protocol/record.hpp"
#include "benches/steps/cores.hpp"
#include "benches/steps/layout.hpp"
#include "benches/steps/network.hpp"
#include "benches/steps/proof.hpp"

namespace rackproof::steps {

/// The groups that a rank is a member of.
struct Groups {
  Group world;
  Group tensor;    ///< ranks that share each matrix
  Group replicas;  ///< ranks with the same dense weights
  Group expert;    ///< ranks that share the experts
  Group data;      ///< ranks with the same experts
};
Groups make_groups(Network& network, const Layout& layout, const Place& place);

/// For each element the largest that any rank brought.
std::vector<double> largest_of_ranks(const Group& group, const std::vector<double>& values);

/// Makes the largest of the ranks' least processor times the pace of all.
void agree_on_pace(const Group& group, Cores& cores);

/// The findings of all ranks as one check, the first wrong element with its rank. Every rank must
/// call it.
protocol::Check check_of_ranks(const Group& world, const std::string& name,
                               const std::string& detail, const Findings& findings);

}  // namespace rackproof::steps
