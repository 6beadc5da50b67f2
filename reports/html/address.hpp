#pragma once

#include <string>

namespace rackproof::html {

/// The address of a file from a page in `folder`: relative, or from the root where `folder` is
/// empty; what means something in an address is written as %XX. Both paths are in full.
std::string address_of(const std::string& file, const std::string& folder);

}  // namespace rackproof::html
