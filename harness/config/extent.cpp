#include "harness/config/extent.hpp"

#include <charconv>
#include <set>
#include <stdexcept>

namespace rackproof::config {
namespace {

constexpr const char* kAssetsSchema = "rackproof/assets/1";
constexpr std::int64_t kMostHosts = 1'000'000;
constexpr std::int64_t kMostGpus = 100'000'000;

struct Listed {
  std::set<std::string> hosts;
  std::set<std::string> serials;
  std::set<std::string> gpus;
};

/// A text that no other of its kind may be equal to.
std::string read_unique(const document::Field& field, const char* kind,
                        std::set<std::string>& others) {
  std::string text = field.text();
  if (!others.insert(text).second) {
    field.fail(std::string("the ") + kind + " '" + text + "' is listed a second time");
  }
  return text;
}

model::Asset read_asset(const document::Field& field, Listed& others) {
  const document::Object object(field, {"host", "serial", "gpus"});
  model::Asset asset;
  asset.host = read_unique(object.require("host"), "host", others.hosts);
  if (const auto serial = object.find("serial")) {
    asset.serial = read_unique(*serial, "serial number", others.serials);
  }
  const auto listed = object.find("gpus");
  if (!listed) return asset;
  for (const document::Field& item : listed->items()) {
    asset.gpus.push_back(read_unique(item, "GPU", others.gpus));
  }
  if (asset.gpus.empty()) listed->fail("is an empty list; leave it out where any GPU will do");
  return asset;
}

std::int64_t parse_count(const std::string& word, const std::string& text, std::int64_t low,
                         std::int64_t high) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stopped != end || value < low || value > high) {
    throw std::invalid_argument("'" + word + "': expected a whole number from " +
                                std::to_string(low) + " to " + std::to_string(high));
  }
  return value;
}

}  // namespace

model::Extent read_extent(const document::Field& field) {
  const document::Object object(field, {"hosts", "gpus"});
  model::Extent extent;
  if (const auto hosts = object.find("hosts")) extent.hosts = hosts->integer(1, kMostHosts);
  if (const auto gpus = object.find("gpus")) extent.gpus = gpus->integer(0, kMostGpus);
  if (!extent.hosts && !extent.gpus) field.fail("is empty; expected 'hosts' or 'gpus'");
  return extent;
}

model::Extent load_assets(const std::string& path) {
  const document::Document document = document::load_document(path, document::kMaxTableBytes);
  const document::Object object(document::Field(document.file, document.root, ""),
                                {"schema", "hosts"});
  document::check_schema(object.require("schema"), kAssetsSchema);
  const document::Field list = object.require("hosts");
  model::Extent extent;
  Listed listed;
  for (const document::Field& item : list.items())
    extent.assets.push_back(read_asset(item, listed));
  if (extent.assets.empty()) list.fail("is an empty list; expected at least one host");
  bool all_listed = true;
  for (const model::Asset& asset : extent.assets) all_listed = all_listed && !asset.gpus.empty();
  if (all_listed) extent.gpus = static_cast<std::int64_t>(listed.gpus.size());
  return extent;
}

model::Extent parse_extent(const std::string& words) {
  model::Extent extent;
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t comma = std::min(words.find(',', at), words.size());
    const std::string word = words.substr(at, comma - at);
    at = comma + 1;
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    auto* const place = name == "hosts" ? &extent.hosts : name == "gpus" ? &extent.gpus : nullptr;
    if (place == nullptr || equals == std::string::npos) {
      throw std::invalid_argument("'" + word + "': expected hosts=N, gpus=N or both, as in " +
                                  "hosts=18,gpus=72, or the file of a list of assets");
    }
    if (place->has_value()) throw std::invalid_argument("'" + name + "' is given twice");
    const bool hosts = name == "hosts";
    *place =
        parse_count(word, word.substr(equals + 1), hosts ? 1 : 0, hosts ? kMostHosts : kMostGpus);
  }
  return extent;
}

}  // namespace rackproof::config
