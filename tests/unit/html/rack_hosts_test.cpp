#include "reports/html/rack_hosts.hpp"

#include "tests/unit/rendered.hpp"

namespace rackproof::html {

using namespace rendered;
using model::Outcome;

namespace {

model::Fact text(const std::string& value) { return {contract::Scalar(value), "a test", ""}; }

/// Hosts of one platform with so many GPUs each, without cells.
model::Report hosts_with(const std::vector<int>& gpus) {
  model::Report report;
  for (std::size_t host = 0; host < gpus.size(); ++host) {
    model::NodeInventory& node = report.nodes.emplace_back();
    node.host = "n" + std::to_string(host);
    report.platform_of_host[node.host] = "hgx";
    for (int gpu = gpus[host] - 1; gpu >= 0; --gpu) {
      node.devices.push_back({node.host + "-" + std::to_string(gpu), gpu, {}});
    }
  }
  return report;
}

}  // namespace

TEST_CASE("numbers in names are numbers") {
  CHECK(natural_less("node2", "node10"));
  CHECK_FALSE(natural_less("node10", "node2"));
  CHECK(natural_less("r1n9", "r2n1"));
  CHECK(natural_less("node", "node1"));
  CHECK(natural_less("node01", "node1"));
  CHECK_FALSE(natural_less("node1", "node01"));
  CHECK_FALSE(natural_less("node1", "node1"));
  CHECK(natural_less("n18446744073709551616", "n18446744073709551617"));
}

TEST_CASE("hosts stand in the order of chassis, slot and tray, those without one last") {
  model::Report report = hosts_with({1, 1, 1, 1, 1});
  const auto number = [](std::int64_t value) {
    return model::Fact{contract::Scalar(value), "a test", ""};
  };
  const auto put = [&](std::size_t host, const char* chassis, int slot, int tray, int place) {
    auto& facts = report.nodes[host].devices[0].facts;
    facts["gpu.chassis_serial"] = text(chassis);
    facts["gpu.chassis_slot"] = number(slot);
    facts["gpu.chassis_tray"] = number(tray);
    facts["gpu.chassis_host"] = number(place);
  };
  put(0, "B", 3, 1, 0);
  put(1, "B", 20, 9, 1);
  put(2, "A", 30, 15, 0);
  put(4, "B", 20, 9, 0);
  std::vector<std::string> names;
  const std::vector<RackHost> hosts = rack_hosts(report);
  for (const RackHost& host : hosts) names.push_back(host.name);
  CHECK(names == std::vector<std::string>{"n2", "n0", "n4", "n1", "n3"});
  CHECK(hosts[0].place.text() == "slot 30, tray 15");
  CHECK(hosts[4].place.text().empty());
}

TEST_CASE("the GPUs of a host stand in the order of their numbers, with how their cells came out") {
  model::Report report = hosts_with({2});
  for (const Outcome outcome : {Outcome::kPass, Outcome::kFail, Outcome::kPass}) {
    model::Cell cell = cell_of("n0", outcome);
    cell.subject.kind = contract::SubjectKind::kDevice;
    cell.subject.device = "n0-1";
    report.cells.push_back(cell);
  }
  report.cells.push_back(cell_of("n0", Outcome::kUntested));
  report.cells.push_back(cell_of("n0", Outcome::kFail));
  report.cells.back().required = false;
  const std::vector<RackHost> hosts = rack_hosts(report);
  REQUIRE(hosts.size() == 1);
  REQUIRE(hosts[0].gpus.size() == 2);
  CHECK(hosts[0].gpus[0].name == "n0 GPU 0 (n0-0)");
  CHECK(hosts[0].gpus[0].tally.all() == 0);
  CHECK(hosts[0].gpus[0].tally.is_well());
  const Tally& tally = hosts[0].gpus[1].tally;
  CHECK(tally.all() == 3);
  CHECK(tally.worst() == Outcome::kFail);
  CHECK(&tally.worst_cell() == &report.cells[1]);
  CHECK(hosts[0].node.worst() == Outcome::kUntested);
  CHECK_FALSE(hosts[0].is_well());
}

TEST_CASE("a GPU that most hosts of the platform have is missing") {
  const std::vector<RackHost> hosts = rack_hosts(hosts_with({8, 7, 8}));
  CHECK(hosts[0].missing.empty());
  REQUIRE(hosts[1].missing.size() == 1);
  CHECK(hosts[1].missing[0] == "most hosts of hgx have 8");
  CHECK_FALSE(hosts[1].is_well());
  // Of two that are unlike, the larger one is as it should be.
  CHECK(rack_hosts(hosts_with({7, 8}))[0].missing.size() == 1);
  model::Report other = hosts_with({8, 7, 8});
  other.platform_of_host["n1"] = "other";
  CHECK(rack_hosts(other)[1].missing.empty());
}

TEST_CASE("a GPU that was ordered, or that nobody can use, is missing once") {
  model::Report report = hosts_with({1, 1});
  report.nodes[0].devices[0].facts["gpu.serial"] = text("165");
  report.run.extent.assets = {{"n0", {"165", "166"}, ""}};
  report.nodes[0].facts["gpu.unmanaged"] = text("0000:18:00.0");
  report.nodes[1].facts["gpu.unmanaged"] = text("0000:18:00.0 0000:19:00.0");
  report.nodes[1].facts["gpu.silent"] = text("1: GPU is lost");
  const std::vector<RackHost> hosts = rack_hosts(report);
  CHECK(hosts[0].missing == std::vector<std::string>{"166: expected, not in this host"});
  CHECK(hosts[1].missing == std::vector<std::string>{
                                "0000:18:00.0: on the bus, not with the driver",
                                "0000:19:00.0: on the bus, not with the driver", "1: GPU is lost"});
}

TEST_CASE("hosts without an inventory are rows too") {
  model::Report report = hosts_with({1});
  report.run.left_out_hosts = {"left"};
  report.ranks.push_back({1, "lost", 0, 0, model::RankState::kUnknown, "", ""});
  report.run.extent.assets = {{"ordered", {}, ""}};
  report.cells = {cell_of("celled", Outcome::kUntested)};
  std::map<std::string, Presence> seen;
  const std::vector<RackHost> hosts = rack_hosts(report);
  for (const RackHost& host : hosts) seen[host.name] = host.presence;
  CHECK(seen == std::map<std::string, Presence>{{"n0", Presence::kHere},
                                                {"left", Presence::kLeftOut},
                                                {"lost", Presence::kAbsent},
                                                {"ordered", Presence::kAbsent},
                                                {"celled", Presence::kAbsent}});
  CHECK(unnamed_hosts(report, hosts) == 0);
  report.run.extent.hosts = 9;
  CHECK(unnamed_hosts(report, hosts) == 4);
}

TEST_CASE("a GPU that is listed twice is one, and one without a UUID is known by its number") {
  model::Report report;
  report.nodes.push_back({"n", {}, {{"a", 0, {}}, {"a", 1, {}}, {"", 2, {}}, {"", 3, {}}}});
  CHECK(rack_hosts(report)[0].gpus.size() == 3);
}

}  // namespace rackproof::html
