#include "reports/catalogue/catalogue.hpp"

#include "reports/catalogue/catalogue_tables.hpp"

namespace rackproof::catalogue {

const std::vector<CatalogueEntry>& catalogue() {
  static const std::vector<CatalogueEntry> kAll = [] {
    std::vector<CatalogueEntry> all;
    for (const auto part :
         {verdict_entries(), finding_entries(), likeness_entries(), error_entries()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }();
  return kAll;
}

std::vector<CatalogueEntry> find_entries(std::string_view id) {
  std::vector<CatalogueEntry> found;
  for (const CatalogueEntry& entry : catalogue()) {
    if (entry.id == id) found.push_back(entry);
  }
  return found;
}

}  // namespace rackproof::catalogue
