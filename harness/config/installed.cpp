#include "harness/config/installed.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "harness/config/nearest.hpp"
#include "harness/support/errors.hpp"
#include "harness/support/files.hpp"

namespace rackproof::config {

std::string resolve_config(const std::string& name, const std::string& folder, const char* what) {
  if (name.find('/') != std::string::npos || name.ends_with(".json")) return name;
  const std::vector<std::string> known = support::names_in(folder, ".json");
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    const std::vector<std::string_view> views(known.begin(), known.end());
    throw support::UsageError("there is no " + std::string(what) + " called '" + name + "'" +
                              suggestion(name, views));
  }
  return folder + "/" + name + ".json";
}

}  // namespace rackproof::config
