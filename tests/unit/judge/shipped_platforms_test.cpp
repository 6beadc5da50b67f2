#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <set>

#include "harness/config/platform.hpp"
#include "harness/recognise/recognise.hpp"

namespace contract = rackproof::contract;
namespace fs = std::filesystem;
namespace model = rackproof::model;
namespace recognise = rackproof::recognise;

namespace {

std::vector<model::PlatformTable> load_shipped() {
  std::vector<model::PlatformTable> tables;
  for (const auto& entry :
       fs::directory_iterator(std::string(RACKPROOF_SOURCE_DIR) + "/configs/platforms")) {
    tables.push_back(rackproof::config::load_platform(entry.path().string(), ""));
  }
  return tables;
}

const std::vector<model::PlatformTable>& shipped() {
  static const std::vector<model::PlatformTable> tables = load_shipped();
  return tables;
}

/// What a node of a known machine says of itself.
struct Machine {
  std::string name;
  std::int64_t count = 0;
  std::string capability;
  std::string architecture = "x86_64";
  std::string pci = {};
  std::int64_t sockets = 2;
  std::string product = {};
};

model::NodeInventory inventory(const Machine& machine) {
  model::NodeInventory node;
  node.host = "n1";
  const auto put = [&node](const char* fact, contract::Scalar value) {
    node.facts[fact].value = std::move(value);
  };
  put("gpu.name", machine.name);
  put("gpu.nvml_count", machine.count);
  put("gpu.count", machine.count);
  put("gpu.compute_capability", machine.capability);
  put("gpu.pci_id", machine.pci);
  put("cpu.architecture", machine.architecture);
  put("cpu.model", machine.architecture == "aarch64" ? std::string("Arm Neoverse V2")
                                                     : std::string("Intel(R) Xeon(R) 8480C"));
  put("cpu.sockets", machine.sockets);
  if (!machine.product.empty()) put("machine.product", machine.product);
  return node;
}

std::string table_of(const model::NodeInventory& node) {
  const recognise::Recognition found = recognise::recognise(node, shipped());
  if (!found.ambiguous.empty()) return "ambiguous: " + found.ambiguous;
  return found.table == nullptr ? "none" : found.table->id;
}

std::string table_of(Machine machine, std::int64_t count) {
  machine.count = count;
  return table_of(inventory(machine));
}

const std::string kH100 = "NVIDIA H100 80GB HBM3";

/// A machine with all its GPUs, its table, and that of a node with fewer than half of them.
struct Known {
  Machine machine;
  std::string table;
  std::string few;
};

std::vector<Known> known_machines() {
  const std::string arm = "aarch64";
  const std::string x86 = "x86_64";
  return {
      {{"NVIDIA A100-SXM4-40GB", 8, "8.0", x86, "10de:20b0"}, "dgx-a100-40gb", "a100-sxm4-40gb"},
      {{"A100-SXM4-40GB", 8, "8.0", x86, "10de:20b0"}, "dgx-a100-40gb", "a100-sxm4-40gb"},
      {{"NVIDIA A100-SXM4-80GB", 8, "8.0", x86, "10de:20b2"}, "dgx-a100-80gb", "a100-sxm4-80gb"},
      {{"NVIDIA A100-PCIE-40GB", 8, "8.0", x86, "10de:20f1"}, "a100-pcie-40gb", "a100-pcie-40gb"},
      {{kH100, 8, "9.0", x86, "10de:2330"}, "dgx-h100", "h100-sxm"},
      {{"NVIDIA H100 PCIe", 8, "9.0", x86, "10de:2331"}, "h100-pcie", "h100-pcie"},
      {{"NVIDIA H100 NVL", 8, "9.0", x86, "10de:2321"}, "h100-nvl", "h100-nvl"},
      {{"NVIDIA H200", 8, "9.0", x86, "10de:2335"}, "hgx-h200", "h200-sxm"},
      {{"NVIDIA H200 NVL", 8, "9.0", x86, "10de:233b"}, "h200-nvl", "h200-nvl"},
      {{"NVIDIA GH200 480GB", 1, "9.0", arm, "10de:2342", 1}, "gh200-480gb", ""},
      {{"NVIDIA GH200 120GB", 1, "9.0", arm, "10de:2342", 1}, "gh200-120gb", ""},
      {{"NVIDIA GH200 120GB", 4, "9.0", arm, "10de:2342", 4}, "quad-gh200", "quad-gh200"},
      {{"NVIDIA GH200 144G HBM3e", 1, "9.0", arm, "10de:2348", 1}, "gh200-144gb", ""},
      {{"NVIDIA B200", 8, "10.0", x86, "10de:2901"}, "hgx-b200", "b200-sxm"},
      {{"NVIDIA B300 SXM6 AC", 8, "10.3", x86, "10de:3182"}, "hgx-b300", "b300-sxm"},
      {{"NVIDIA GB200", 4, "10.0", arm, "10de:2941"}, "gb200-nvl72", "gb200-nvl72"},
      {{"NVIDIA GB300", 4, "10.3", arm, "10de:31c2"}, "gb300-nvl72", "gb300-nvl72"},
      {{"NVIDIA L40S", 8, "8.9", x86, "10de:26b9"}, "l40s", "l40s"},
      {{"NVIDIA RTX PRO 6000 Blackwell Server Edition", 8, "12.0", x86, "10de:2bb5"},
       "rtx-pro-6000",
       "rtx-pro-6000"},
      {{"NVIDIA GB10", 1, "12.1", arm, "10de:2e12", 1}, "dgx-spark", ""},
      {{"NVIDIA A100-SXM4-40GB", 8, "8.0", x86, "", 2, "p4d.24xlarge"}, "aws-p4d", ""},
      {{"NVIDIA A100-SXM4-80GB", 8, "8.0", x86, "", 2, "p4de.24xlarge"}, "aws-p4de", ""},
      {{kH100, 8, "9.0", x86, "", 2, "p5.48xlarge"}, "aws-p5", "h100-sxm"},
      {{"NVIDIA H200", 8, "9.0", x86, "", 2, "p5e.48xlarge"}, "aws-p5e", "h200-sxm"},
      {{"NVIDIA H200", 8, "9.0", x86, "", 2, "p5en.48xlarge"}, "aws-p5en", "h200-sxm"},
      {{"NVIDIA B200", 8, "10.0", x86, "", 2, "p6-b200.48xlarge"}, "aws-p6-b200", "b200-sxm"},
      {{"NVIDIA B300 SXM6 AC", 8, "10.3", x86, "", 2, "p6-b300.48xlarge"}, "aws-p6-b300", ""},
      {{"NVIDIA GB200", 4, "10.0", arm, "", 2, "p6e-gb200.36xlarge"}, "aws-p6e-gb200", ""},
  };
}

/// A host without a GPU.
model::NodeInventory host(const std::string& cpu, const std::string& architecture,
                          std::int64_t cores) {
  model::NodeInventory node;
  node.host = "n1";
  node.facts["gpu.count"].value = std::int64_t{0};
  node.facts["cpu.model"].value = cpu;
  node.facts["cpu.architecture"].value = architecture;
  node.facts["cpu.cores"].value = cores;
  node.facts["cpu.sockets"].value = std::int64_t{2};
  return node;
}

}  // namespace

TEST_CASE("every known machine finds its table") {
  for (const Known& known : known_machines()) {
    INFO(known.machine.name << " " << known.machine.product);
    CHECK(table_of(inventory(known.machine)) == known.table);
    if (known.machine.count == 1) continue;
    // A node that lost a GPU is still that machine: its table expects the right number.
    CHECK(table_of(known.machine, known.machine.count - 1) == known.table);
    if (!known.few.empty()) CHECK(table_of(known.machine, 1) == known.few);
  }
}

TEST_CASE("a table for nodes of so many GPUs expects that many") {
  std::map<std::string, std::int64_t> expected;
  for (const model::PlatformTable& table : shipped()) {
    for (const model::FactExpectation& one : table.expect) {
      if (one.rule.fact != "gpu.nvml_count") continue;
      CHECK(one.severity == model::Severity::kError);
      expected[table.id] = std::get<std::int64_t>(*one.rule.equals);
    }
  }
  for (const char* id : {"dgx-a100-40gb", "dgx-a100-80gb", "dgx-h100", "hgx-h200", "hgx-b200",
                         "hgx-b300", "aws-p5", "azure-nd-h100-v5", "coreweave-b200"}) {
    INFO(id);
    CHECK(expected[id] == 8);
  }
  for (const char* id : {"gb200-nvl72", "gb300-nvl72", "quad-gh200", "gcp-a4x"}) {
    INFO(id);
    CHECK(expected[id] == 4);
  }
  CHECK(expected.count("h100-sxm") == 0);
}

TEST_CASE("known processors find their tables") {
  CHECK(table_of(host("AMD EPYC 7V73X 64-Core Processor", "x86_64", 120)) == "azure-hbv3");
  CHECK(table_of(host("AMD EPYC 9V33X 96-Core Processor", "x86_64", 176)) == "azure-hbv4");
  CHECK(table_of(host("AMD EPYC 9V64H 88-Core Processor", "x86_64", 352)) == "azure-hbv5");
  model::NodeInventory grace = host("Arm Neoverse V2", "aarch64", 144);
  grace.facts["memory.total_bytes"].value = std::int64_t{502'000'000'000};
  CHECK(table_of(grace) == "grace-cpu-superchip");
  // Its memory is slower in this size, and nobody says how fast.
  grace.facts["memory.total_bytes"].value = std::int64_t{1'004'000'000'000};
  CHECK(table_of(grace) == "host-generic");
  // Neoverse V2 of somebody else, and a processor that no table names.
  CHECK(table_of(host("Arm Neoverse V2", "aarch64", 192)) == "host-generic");
  CHECK(table_of(host("AMD EPYC 9654 96-Core Processor", "x86_64", 192)) == "host-generic");
}

TEST_CASE("what no table names is judged by generic ones") {
  CHECK(table_of({"NVIDIA H100 80GB HBM3 MIG 1g.10gb", 1, "9.0"}, 1) == "gpu-generic");
  CHECK(table_of({"NVIDIA H100 80GB HBM3, NVIDIA H200", 8, "9.0"}, 8) == "gpu-generic");
  CHECK(table_of({"Tesla V100-SXM2-32GB", 8, "7.0"}, 8) == "gpu-generic");
  CHECK(table_of({"NVIDIA GH200 480GB", 1, "9.0", "aarch64", "10de:ffff", 1}, 1) == "gpu-generic");
}

TEST_CASE("no machine fits two tables equally") {
  const std::vector<Known> all = known_machines();
  for (const Known& known : all) {
    for (const Known& other : all) {
      for (std::int64_t count = 1; count <= 16; ++count) {
        Machine machine = known.machine;
        machine.product = other.machine.product;
        machine.sockets = other.machine.sockets;
        machine.count = count;
        INFO(machine.name << " x " << count << " " << machine.product);
        CHECK(table_of(inventory(machine)).find("ambiguous") == std::string::npos);
      }
    }
  }
}

TEST_CASE("a table for selection alone is not recognised but fits what it is for") {
  std::set<std::string> selectable;
  for (const model::PlatformTable& table : shipped()) {
    if (!recognise::is_for_selection(table)) continue;
    INFO(table.id);
    for (const Known& known : known_machines()) {
      CHECK(table_of(inventory(known.machine)) != table.id);
    }
    const auto own =
        std::find_if(table.recognise.begin(), table.recognise.end(),
                     [](const auto& rule) { return rule.fact == "platform.selected"; });
    CHECK(own->equals == contract::Scalar(table.id));
    selectable.insert(table.id);
  }
  CHECK(selectable.count("azure-nd-h100-v5") == 1);
  const auto azure = std::find_if(shipped().begin(), shipped().end(),
                                  [](const auto& one) { return one.id == "azure-nd-h100-v5"; });
  const model::NodeInventory h100 = inventory({kH100, 8, "9.0"});
  const model::NodeInventory h200 = inventory({"NVIDIA H200", 8, "9.0"});
  CHECK(recognise::refusal(*azure, {h100}).empty());
  CHECK_FALSE(recognise::refusal(*azure, {h200}).empty());
}

TEST_CASE("every figure has a source and belongs to one backend") {
  int figures = 0;
  for (const model::PlatformTable& table : shipped()) {
    for (const auto& [name, value] : table.facts) {
      INFO(table.id << " " << name);
      CHECK(table.fact_sources.count(name) == 1);
      CHECK_FALSE(table.fact_sources.at(name).title.empty());
    }
    for (const model::Baseline& one : table.baselines) {
      if (one.kind == model::BaselineKind::kCorrectness) continue;
      INFO(table.id << " " << one.id);
      ++figures;
      CHECK_FALSE(one.source.title.empty());
      CHECK_FALSE(one.source.date.empty());
      CHECK(one.tolerance_below.value_or(one.tolerance_above.value_or(1)) <= 0.5);
      const bool is_part =
          one.kind == model::BaselineKind::kFraction || one.kind == model::BaselineKind::kBound;
      if (one.kind != model::BaselineKind::kFraction) CHECK_FALSE(one.backend.empty());
      if (one.source.kind == "derived") CHECK(is_part);
    }
  }
  CHECK(figures > 100);
}

TEST_CASE("behind a missing figure stand the bounds of the parts") {
  for (const model::PlatformTable& table : shipped()) {
    const auto has = [&table](const std::string& id) {
      return std::any_of(table.baselines.begin(), table.baselines.end(), [&](const auto& one) {
        return one.id == id || one.id.ends_with(":" + id);
      });
    };
    INFO(table.id);
    CHECK(has("stream-correct"));
    CHECK(has("gemm-fp64-bound"));
    CHECK(has("burn-fp64-bound"));
    CHECK(has("burn-fp32-bound"));
    if (std::find(table.chain.begin(), table.chain.end(), "gpu-generic") == table.chain.end()) {
      continue;
    }
    CHECK(has("gpu-stream-bound"));
    CHECK(has("gpu-gemm-fp32-bound"));
    CHECK(has("gemm-fp32-bound"));
    CHECK(has("copy-correct"));
  }
}

TEST_CASE("there are enough tables of particular machines") {
  const auto count = std::count_if(shipped().begin(), shipped().end(), [](const auto& table) {
    return !table.is_abstract && !table.generic;
  });
  CHECK(count >= 25);
}
