#include "harness/redaction/alias_map.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>

#include "harness/support/errors.hpp"
#include "harness/support/files.hpp"
#include "reports/json/strict_json.hpp"

namespace rackproof::redaction {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAliasSchema = "rackproof/aliases/1";
constexpr std::size_t kKeyDigits = 64;

std::string new_key() {
  std::random_device entropy;
  std::string key;
  while (key.size() < kKeyDigits) key += fmt::format("{:08x}", entropy());
  return key;
}

}  // namespace

std::string key_of_map(const std::string& map) {
  std::error_code error;
  if (!fs::exists(map, error)) return new_key();
  try {
    const nlohmann::json document = model::parse_strict(support::read_file(map));
    if (document.at("schema") == kAliasSchema) {
      auto key = document.at("key").get<std::string>();
      if (key.size() == kKeyDigits) return key;
    }
  } catch (const model::BadJson& bad) {
    throw support::UsageError(map + ": " + bad.what());
  } catch (const nlohmann::json::exception&) {
    // Of another form: said below.
  }
  throw support::UsageError(
      fmt::format("{}: is no map of aliases: expected schema {} and a key of {} "
                  "hexadecimal digits",
                  map, kAliasSchema, kKeyDigits));
}

std::string map_text(const std::string& map, const Aliases& aliases) {
  nlohmann::json document = {{"schema", kAliasSchema}, {"key", aliases.key()}};
  std::error_code error;
  if (fs::exists(map, error)) document = model::parse_strict(support::read_file(map));
  for (const auto& [raw, alias] : aliases.all()) document["aliases"][raw] = alias;
  return document.dump(1) + "\n";
}

}  // namespace rackproof::redaction
