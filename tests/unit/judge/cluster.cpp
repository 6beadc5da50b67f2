#include "tests/unit/judge/cluster.hpp"

#include "tests/unit/judge/builder.hpp"

namespace rackproof::judge_test {
namespace {

model::Fact known(contract::Scalar value) { return {std::move(value), "test", ""}; }

}  // namespace

model::PlatformTable Cluster::table() const {
  model::PlatformTable table = empty_report().platforms[0];
  if (nvlink_bytes_per_second > 0) {
    table.facts["peak.nvlink_bytes_per_second"] = nvlink_bytes_per_second;
  }
  if (nic_bytes_per_second > 0) table.facts["peak.nic_bytes_per_second"] = nic_bytes_per_second;
  return table;
}

std::vector<model::NodeInventory> Cluster::nodes() const {
  std::vector<model::NodeInventory> nodes;
  for (int host = 0; host < hosts; ++host) {
    model::NodeInventory& node = nodes.emplace_back();
    node.host = "node" + std::to_string(host + 1);
    for (int gpu = 0; gpu < gpus_per_host; ++gpu) {
      model::DeviceFacts& device = node.devices.emplace_back();
      device.uuid = "GPU-" + std::to_string(host) + "-" + std::to_string(gpu);
      device.index = gpu;
      if (static_cast<std::size_t>(host) < domains.size()) {
        device.facts["nvlink.domain"] = known(domains[static_cast<std::size_t>(host)]);
      }
    }
    for (std::size_t port = 0; port < ports.size(); ++port) {
      const std::string name = "infiniband.mlx5_" + std::to_string(port) + ".port1";
      node.facts[name + ".rate_bits_per_second"] = known(ports[port]);
      node.facts[name + ".state"] = known(std::string("ACTIVE"));
    }
  }
  return nodes;
}

model::Report Cluster::report(const std::string& metric, std::int64_t bytes, double value) const {
  model::Report report = one_cell(value);
  report.platforms = {table()};
  report.nodes = nodes();
  report.platform_of_host.clear();
  std::vector<std::string> names;
  for (const model::NodeInventory& node : report.nodes) {
    names.push_back(node.host);
    report.platform_of_host[node.host] = kPlatform;
  }
  model::Cell& cell = report.cells[0];
  cell.subject = group("world", names);
  cell.metric = metric;
  cell.parameters = {{"bytes", bytes},
                     {"ranks", std::int64_t{hosts} * gpus_per_host},
                     {"dtype", std::string("float")}};
  report.steps[0].backend = "nccl";
  report.attempts[0].subject = cell.subject;
  for (model::Measurement& one : cell.measurements) {
    one.metric = metric;
    one.subject = cell.subject;
    one.parameters = cell.parameters;
  }
  return report;
}

}  // namespace rackproof::judge_test
