#pragma once

#include <span>

#include "reports/catalogue/catalogue.hpp"

namespace rackproof::catalogue {

/// The parts of the catalogue, each in its own file; findings about like parts are one of them.
std::span<const CatalogueEntry> verdict_entries();
std::span<const CatalogueEntry> finding_entries();
std::span<const CatalogueEntry> likeness_entries();
std::span<const CatalogueEntry> error_entries();

}  // namespace rackproof::catalogue
