#include "harness/cli/report_address.hpp"

#include <filesystem>

#include "harness/archive/rendering.hpp"
#include "reports/html/address.hpp"

namespace rackproof::cli {

std::string report_address(const std::string& report, const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::exists(report, error)) return "";
  const fs::path page =
      fs::path(report).replace_filename(archive::rendering_of(archive::kPageFormat).file);
  const bool has_page = fs::path(report).filename() == "report.json" && fs::exists(page, error);
  return html::address_of(has_page ? page.string() : report, folder);
}

}  // namespace rackproof::cli
