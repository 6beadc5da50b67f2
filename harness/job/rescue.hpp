#pragma once

#include <string>

#include "harness/crew/keepsake.hpp"
#include "harness/support/store.hpp"

namespace rackproof::job {

/// Writes the journals that were kept to where they belong. A file that has one's name, and is not
/// what was written there, is set aside as NAME.lost. Throws StoreError.
void put_back(const crew::Keepsake& keepsake, support::Store& store);

/// Makes a folder of its own for what cannot be kept where it belongs, below `base` (empty: the
/// temporary folder). Gives its path; throws StoreError.
std::string make_rescue_folder(const std::string& base, const std::string& run_id);

}  // namespace rackproof::job
