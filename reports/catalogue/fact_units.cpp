#include "reports/catalogue/fact_units.hpp"

#include <array>
#include <utility>

#include "contract/unit.hpp"
#include "reports/catalogue/quantity.hpp"

namespace rackproof::catalogue {
namespace {

using Rule = std::pair<std::string_view, std::string_view>;

// PCIe counts what it transfers, whatever the size.
constexpr Rule kTransfers = {"transfers_per_second", "Hz"};

// Rates of arithmetic are named by the type that is computed.
constexpr std::array kWithin = {Rule{"flops_int8", "OP/s"}, Rule{"flops_", "FLOP/s"}};

bool ends_in(std::string_view name, std::string_view words) {
  return !words.empty() && name.size() > words.size() && name.ends_with(words) &&
         name[name.size() - words.size() - 1] == '_';
}

}  // namespace

std::string_view unit_of_fact(std::string_view name) {
  if (const Quantity* known = find_fact(name)) return known->unit;
  if (ends_in(name, kTransfers.first)) return kTransfers.second;
  for (const contract::BaseUnit& unit : contract::kBaseUnits) {
    if (ends_in(name, unit.words)) return unit.name;
  }
  for (const auto& [part, unit] : kWithin) {
    if (name.find(part) != std::string_view::npos) return unit;
  }
  return "";
}

}  // namespace rackproof::catalogue
