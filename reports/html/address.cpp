#include "reports/html/address.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

namespace rackproof::html {

std::string address_of(const std::string& file, const std::string& folder) {
  namespace fs = std::filesystem;
  std::string path = fs::path(file).lexically_normal().string();
  if (!folder.empty()) {
    path = fs::path(path).lexically_relative(fs::path(folder).lexically_normal()).string();
  }
  std::string address = folder.empty() ? "file://" : "";
  for (const char each : path) {
    const auto byte = static_cast<unsigned char>(each);
    const bool safe = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                      (byte >= '0' && byte <= '9') ||
                      std::string_view("/-_.~").find(each) != std::string_view::npos;
    if (safe) {
      address += each;
    } else {
      address += fmt::format("%{:02X}", byte);
    }
  }
  return address;
}

}  // namespace rackproof::html
