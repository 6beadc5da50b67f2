#include <array>
#include <cmath>
#include <cstdint>

#include "harness/inventory/collectors.hpp"
#include "reports/model/fact_name.hpp"

namespace rackproof::inventory {
namespace {

namespace fact_name = model::fact_name;

const std::string kNet = "/sys/class/net";
const std::string kInfiniband = "/sys/class/infiniband";
constexpr std::size_t kNamesShown = 16;

std::string type_name(long long type) {
  // include/uapi/linux/if_arp.h
  if (type == 1) return "ethernet";
  if (type == 32) return "infiniband";
  if (type == 772) return "loopback";
  return "type " + std::to_string(type);
}

void put_link(const std::string& name, const FileTree& tree, const std::string& path,
              FactSheet& sheet) {
  const auto target = tree.link_name(path);
  if (target) {
    sheet.put(name, *target, path);
  } else {
    sheet.missing(name, path, "no driver is bound");
  }
}

void put_numa_node(const std::string& name, const FileTree& tree, const std::string& path,
                   FactSheet& sheet) {
  const auto node = tree.integer(path);
  if (node && *node >= 0) {
    sheet.put(name, std::int64_t{*node}, path);
  } else {
    sheet.missing(name, path, node ? "the firmware gives no NUMA node" : "not readable");
  }
}

/// The PCIe link of a device as it came up, and what both ends could do at most.
void put_pcie(const FileTree& tree, const std::string& device, const std::string& prefix,
              FactSheet& sheet) {
  if (!tree.exists(device + "/current_link_width")) return;  // not on PCIe
  sheet.put_integer(prefix + ".pcie_width", tree.read(device + "/current_link_width"));
  sheet.put_integer(prefix + ".pcie_width_max", tree.read(device + "/max_link_width"));
  sheet.put_text(prefix + ".pcie_speed", tree.read(device + "/current_link_speed"));
  sheet.put_text(prefix + ".pcie_speed_max", tree.read(device + "/max_link_speed"));
}

void put_nic(const FileTree& tree, const std::string& nic, FactSheet& sheet) {
  const std::string folder = kNet + "/" + nic;
  const std::string prefix = "nic." + nic;
  const Reading speed = tree.read(folder + "/speed");
  const auto megabits = speed.text ? to_integer(*speed.text) : std::nullopt;
  // -1 and 2^32-1 both mean unknown; a link that is down refuses to be read.
  if (megabits && *megabits > 0 && *megabits < 0xffffffffLL) {
    sheet.put(prefix + ".speed_bits_per_second", std::int64_t{*megabits * 1'000'000}, speed.path);
  } else {
    sheet.missing(prefix + ".speed_bits_per_second", speed.path,
                  speed.text ? "the driver does not know" : speed.why);
  }
  sheet.put_integer(prefix + ".mtu_bytes", tree.read(folder + "/mtu"));
  sheet.put_text(prefix + ".state", tree.read(folder + "/operstate"));
  sheet.put_text(prefix + ".address", tree.read(folder + "/address"));
  const auto type = tree.integer(folder + "/type");
  if (type) sheet.put(prefix + ".type", type_name(*type), folder + "/type");
  if (tree.exists(folder + "/bonding")) {
    sheet.put(prefix + ".driver", std::string("bonding"), folder + "/bonding");
    return;
  }
  put_link(prefix + ".driver", tree, folder + "/device/driver", sheet);
  put_numa_node(prefix + ".numa_node", tree, folder + "/device/numa_node", sheet);
  put_pcie(tree, folder + "/device", prefix, sheet);
}

/// "400 Gb/sec (4X NDR)" in bits a second.
std::optional<std::int64_t> rate_of(const std::string& text) {
  const std::vector<std::string> words = words_of(text);
  if (words.size() < 2 || words[1] != "Gb/sec") return std::nullopt;
  const auto gigabits = to_number(words[0]);
  if (!gigabits || *gigabits <= 0 || *gigabits > 1e6) return std::nullopt;
  return std::int64_t{std::llround(*gigabits * 1e9)};
}

/// Lanes in "400 Gb/sec (4X NDR)".
std::optional<std::int64_t> width_of(const std::string& text) {
  const std::size_t open = text.find('(');
  const std::size_t end = text.find('X', open == std::string::npos ? text.size() : open);
  if (end == std::string::npos) return std::nullopt;
  const auto lanes = to_integer(text.substr(open + 1, end - open - 1));
  if (!lanes || *lanes <= 0 || *lanes > 64) return std::nullopt;
  return std::int64_t{*lanes};
}

/// Errors that a port has counted since it was started; what an adapter does not count is left out.
void put_counters(const FileTree& tree, const std::string& folder, const std::string& prefix,
                  FactSheet& sheet) {
  constexpr std::array kCounters = {"symbol_error",
                                    "link_error_recovery",
                                    "link_downed",
                                    "port_rcv_errors",
                                    "port_rcv_remote_physical_errors",
                                    "port_xmit_discards",
                                    "local_link_integrity_errors",
                                    "excessive_buffer_overrun_errors"};
  for (const char* counter : kCounters) {
    const std::string path = folder + "/counters/" + counter;
    if (tree.exists(path)) sheet.put_integer(prefix + "." + counter, tree.read(path));
  }
}

/// The network interfaces of an adapter: the same ports by the names that Ethernet has for them.
void put_interfaces(const FileTree& tree, const std::string& folder, const std::string& prefix,
                    FactSheet& sheet) {
  std::string names;
  for (const std::string& name : tree.names(folder)) names += (names.empty() ? "" : " ") + name;
  if (!names.empty()) sheet.put(prefix + ".interfaces", names, folder);
}

void put_port(const FileTree& tree, const std::string& folder, const std::string& prefix,
              FactSheet& sheet) {
  const Reading rate = tree.read(folder + "/rate");
  const auto bits = rate_of(rate.text.value_or(""));
  if (bits) {
    sheet.put(prefix + ".rate_bits_per_second", *bits, rate.path);
    sheet.put(prefix + ".rate", *rate.text, rate.path);
    if (const auto lanes = width_of(*rate.text)) sheet.put(prefix + ".width", *lanes, rate.path);
  } else {
    sheet.missing(prefix + ".rate_bits_per_second", rate.path,
                  rate.text ? "not a rate: \"" + *rate.text + "\"" : rate.why);
  }
  for (const char* name : {"state", "phys_state"}) {
    Reading state = tree.read(folder + "/" + name);
    // "4: ACTIVE"
    const std::size_t colon = state.text.value_or("").find(": ");
    if (colon != std::string::npos) state.text = state.text->substr(colon + 2);
    sheet.put_text(prefix + "." + name, state);
  }
  const Reading layer = tree.read(folder + "/link_layer");
  sheet.put_text(prefix + ".link_layer", layer);
  // The second half of a port's first GID is its GUID (InfiniBand Architecture Specification,
  // volume 1, 4.1.1); on Ethernet it is made of an address.
  const Reading gid = tree.read(folder + "/gids/0");
  constexpr std::size_t kDigits = 39;
  constexpr std::size_t kSecondHalf = 20;
  if (layer.text == "InfiniBand" && gid.text && gid.text->size() == kDigits) {
    sheet.put(prefix + ".guid", gid.text->substr(kSecondHalf), gid.path);
  }
  put_counters(tree, folder, prefix, sheet);
}

}  // namespace

void collect_nics(const FileTree& tree, FactSheet& sheet) {
  std::size_t count = 0;
  std::size_t virtual_count = 0;
  std::string virtual_names;
  for (const std::string& nic : tree.names(kNet)) {
    const std::string folder = kNet + "/" + nic;
    if (!tree.exists(folder + "/mtu")) continue;  // bonding_masters is a file, not an interface
    if (tree.exists(folder + "/device") || tree.exists(folder + "/bonding")) {
      ++count;
      put_nic(tree, nic, sheet);
      continue;
    }
    ++virtual_count;
    if (virtual_count <= kNamesShown) virtual_names += (virtual_names.empty() ? "" : " ") + nic;
  }
  if (virtual_count > kNamesShown) virtual_names += " ...";
  sheet.put_count(fact_name::kNicCount, count, kNet);
  sheet.put_count(fact_name::kNicVirtualCount, virtual_count, kNet);
  sheet.put(fact_name::kNicVirtualNames, virtual_names, kNet);
}

void collect_infiniband(const FileTree& tree, FactSheet& sheet) {
  const std::vector<std::string> adapters = tree.names(kInfiniband);
  sheet.put_count(fact_name::kInfinibandCount, adapters.size(), kInfiniband);
  for (const std::string& adapter : adapters) {
    const std::string folder = kInfiniband + "/" + adapter;
    const std::string prefix = "infiniband." + adapter;
    sheet.put_text(prefix + ".firmware", tree.read(folder + "/fw_ver"));
    sheet.put_text(prefix + ".board", tree.read(folder + "/board_id"));
    sheet.put_text(prefix + ".type", tree.read(folder + "/hca_type"));
    sheet.put_text(prefix + ".node_guid", tree.read(folder + "/node_guid"));
    put_interfaces(tree, folder + "/device/net", prefix, sheet);
    put_pcie(tree, folder + "/device", prefix, sheet);
    put_numa_node(prefix + ".numa_node", tree, folder + "/device/numa_node", sheet);
    for (const std::string& port : tree.names(folder + "/ports")) {
      put_port(tree, folder + "/ports/" + port, prefix + ".port" + port, sheet);
    }
  }
}

}  // namespace rackproof::inventory
