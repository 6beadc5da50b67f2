#include "reports/model/progress.hpp"

namespace rackproof::model {

std::string to_text(const contract::Place& place, const std::string& operation, std::int64_t span) {
  const std::string first = std::to_string(place.iteration);
  std::string text;
  if (place.exchange > 0) {
    text = "exchange " + std::to_string(place.exchange) + " before iteration " + first;
  } else if (span > 1) {
    text = "iterations " + first + " to " + std::to_string(place.iteration + span - 1);
  } else {
    text = "iteration " + first;
  }
  return text + " of " + (operation.empty() ? "what has no name" : operation);
}

}  // namespace rackproof::model
