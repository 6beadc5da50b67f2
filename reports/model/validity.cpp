#include "reports/model/validity.hpp"

#include <cstdint>

#include "reports/model/utc.hpp"

namespace rackproof::model {

std::string valid_until(const Report& report) {
  constexpr double kLongest = 36'525 * 24 * 3600.0;
  const double valid = report.suite.valid_seconds;
  if (!(valid > 0) || valid > kLongest) return "";
  const bool older = report.amends && !report.amends->oldest_utc.empty();
  const auto began = unix_seconds(older ? report.amends->oldest_utc : report.run.began_utc);
  if (!began) return "";
  return utc_text(static_cast<std::int64_t>((*began + valid) * 1e3) * 1'000'000);
}

}  // namespace rackproof::model
