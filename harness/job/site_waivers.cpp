#include "harness/job/site_waivers.hpp"

#include <stdexcept>

#include "harness/config/waivers.hpp"
#include "harness/support/errors.hpp"

namespace rackproof::job {

std::vector<model::CellWaiver> waivers_of(const std::vector<std::string>& given) {
  std::vector<model::CellWaiver> waivers;
  for (const std::string& one : given) {
    if (one.ends_with(".json")) {
      for (model::CellWaiver& waiver : config::load_waivers(one)) {
        waivers.push_back(std::move(waiver));
      }
      continue;
    }
    try {
      waivers.push_back(config::parse_waiver(one));
    } catch (const std::invalid_argument& error) {
      throw support::UsageError(std::string("--waive ") + error.what() +
                                ", or a file that ends in .json");
    }
  }
  return waivers;
}

}  // namespace rackproof::job
