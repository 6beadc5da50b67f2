#include "harness/ledger/adapters.hpp"

#include <set>
#include <string_view>

namespace rackproof::ledger {
namespace {

constexpr std::string_view kRdma = "infiniband.";
constexpr std::string_view kGuid = ".node_guid";
constexpr std::string_view kNet = "nic.";
constexpr std::string_view kAddress = ".address";

/// "mlx5_0" of "infiniband.mlx5_0.node_guid"; empty for another fact.
std::string between(std::string_view fact, std::string_view head, std::string_view tail) {
  if (!fact.starts_with(head) || !fact.ends_with(tail)) return "";
  if (fact.size() <= head.size() + tail.size()) return "";
  return std::string(fact.substr(head.size(), fact.size() - head.size() - tail.size()));
}

bool is_telling(std::string_view code) {
  return code.find_first_not_of("0:") != std::string_view::npos;
}

void add_words(std::string_view text, std::set<std::string>& words) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.emplace(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

std::vector<Adapter> adapters_of(const model::NodeInventory& node) {
  std::vector<Adapter> adapters;
  std::set<std::string> interfaces;
  for (const auto& [fact, value] : node.facts) {
    const std::string name = between(fact, kRdma, kGuid);
    const std::string guid = name.empty() ? "" : model::text_of(node, fact).value_or("");
    if (!is_telling(guid)) continue;
    adapters.push_back({name, guid});
    const std::string prefix = std::string(kRdma) + name;
    add_words(model::text_of(node, prefix + ".interfaces").value_or(""), interfaces);
  }
  for (const auto& [fact, value] : node.facts) {
    const std::string name = between(fact, kNet, kAddress);
    const std::string address = name.empty() ? "" : model::text_of(node, fact).value_or("");
    if (!is_telling(address) || interfaces.count(name) > 0) continue;
    const auto driver = model::text_of(node, std::string(kNet) + name + ".driver");
    if (driver == "bonding") continue;
    adapters.push_back({name, address});
  }
  return adapters;
}

}  // namespace rackproof::ledger
