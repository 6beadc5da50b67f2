#include "harness/telemetry/column.hpp"

#include <stdexcept>
#include <utility>

#include "reports/catalogue/quantity.hpp"

namespace rackproof::telemetry {

Column column_of(const char* name, std::string subject, Kind kind, std::string source) {
  const catalogue::Quantity* const known = catalogue::find_column(name);
  if (known == nullptr) throw std::logic_error(std::string("no column is called ") + name);
  return {name, std::move(subject), std::string(known->unit), kind, std::move(source)};
}

}  // namespace rackproof::telemetry
