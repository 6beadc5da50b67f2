#include "harness/limits/bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "harness/evidence/topology.hpp"
#include "harness/limits/nccl_time.hpp"
#include "harness/recognise/match.hpp"
#include "reports/model/fact_name.hpp"
#include "reports/model/quantity.hpp"

namespace rackproof::limits {
namespace {

namespace fact_name = model::fact_name;

using model::BoundOf;
using model::Cell;
using model::PlatformTable;

constexpr std::string_view kBytes = "B/s";
constexpr std::string_view kPairs = "pairs";

/// "all_reduce" of "all_reduce.busbw".
std::string_view operation_of(const Cell& cell) {
  return std::string_view(cell.metric).substr(0, cell.metric.find('.'));
}

Bound no_bound(std::string why) { return {0, "", std::move(why), false}; }

Bound contradictory_facts(std::string why) { return {0, "", std::move(why), true}; }

Bound unknown_fact(std::string_view fact) { return no_bound(fmt::format("{} is not known", fact)); }

std::string as_rate(double bytes_per_second) { return model::quantity(bytes_per_second, "B/s"); }

/// What the network allows, or NVLink where that is less.
Bound least_of(double network, const std::string& text, const evidence::Topology& all) {
  const double nvlink = all.nvlink_bytes_per_second;
  if (!(nvlink > 0) || nvlink >= network) return {network, kBytes, text, false};
  return {nvlink, kBytes, fmt::format("{} of NVLink a GPU, less than {}", as_rate(nvlink), text),
          false};
}

/// With n GPUs, g of them in a domain that NVLink spans, M domains, V what one GPU sends over
/// NVLink and P what the network takes from it: nccl-tests' bus bandwidth is what each link
/// carries, so a ring is as fast as the slower of V and of the P x g that leave a domain. Over two
/// domains a tree of all_reduce sends each byte across once instead of twice: without the algorithm
/// nobody knows which of the two bounds is meant. Of alltoall's (n-1) / n parts (n-g) / n cross.
Bound between_domains(std::string_view op, const evidence::Topology& all,
                      const std::string& algorithm) {
  const double n = all.gpus;
  const double leaving = all.network_bytes_per_second * all.domain_gpus;
  double most = leaving;
  std::string text = fmt::format("{:g} x {} out of a domain", all.domain_gpus,
                                 as_rate(all.network_bytes_per_second));
  if (op == "alltoall") {
    const double share = (n - 1) / (n - all.domain_gpus);
    most = all.network_bytes_per_second * share;
    text = fmt::format("{} a GPU, by ({:g} - 1) / ({:g} - {:g})",
                       as_rate(all.network_bytes_per_second), n, n, all.domain_gpus);
  } else if (op == "all_reduce" && all.domains == 2) {
    if (algorithm.empty()) {
      return no_bound(
          "a tree over two domains is allowed twice what a ring is, and the bench does not say "
          "which algorithm NCCL took");
    }
    if (algorithm.find("TREE") == std::string::npos) return least_of(most, text, all);
    most = leaving * 2 * (n - 1) / n;
    text += fmt::format(", twice by a tree over 2 domains, by ({:g} - 1) / {:g}", n, n);
  } else if (op == "sendrecv" || op == kPairs) {
    most = all.network_bytes_per_second;
    text = as_rate(all.network_bytes_per_second) + " a GPU";
  }
  return least_of(most, text, all);
}

Bound of_collective(const evidence::Context& context, const PlatformTable& table, const Cell& cell,
                    const contract::Parameters& shown) {
  const std::string_view op = operation_of(cell);
  const evidence::Topology all = evidence::topology_of(context, table, cell);
  if (!all.contradiction.empty()) return contradictory_facts(all.contradiction);
  if (all.gpus < 2) return no_bound("the cell has no parameter ranks of 2 or more");
  // What goes between GPUs of a domain may go over PCIe, of which a ring takes less.
  if (all.domain_gpus > 1 && !(all.nvlink_bytes_per_second > 0)) {
    return unknown_fact("peak.nvlink_bytes_per_second");
  }
  if (all.domains == 1) {
    return {all.nvlink_bytes_per_second, kBytes,
            as_rate(all.nvlink_bytes_per_second) + " of NVLink a GPU", false};
  }
  if (!(all.network_bytes_per_second > 0)) {
    return unknown_fact(
        "peak.nic_bytes_per_second, or an active InfiniBand or RoCE port on each host,");
  }
  const auto algorithm = shown.find("algorithm");
  return between_domains(op, all,
                         algorithm == shown.end() ? "" : model::to_text(algorithm->second));
}

/// Payload of a lane and direction after its coding, in B/s: PCI Express Base Specification, 2.5
/// and 5 GT/s with 8b/10b, 8 to 32 GT/s with 128b/130b, 64 GT/s in flits of 242 in 256 bytes.
std::optional<double> lane_bytes_per_second(double generation) {
  constexpr std::array kLanes = {0.25e9,
                                 0.5e9,
                                 8e9 / 8 * 128 / 130,
                                 16e9 / 8 * 128 / 130,
                                 32e9 / 8 * 128 / 130,
                                 64e9 / 8 * 242 / 256};
  const auto at = static_cast<std::size_t>(generation);
  if (generation != static_cast<double>(at) || at < 1 || at > kLanes.size()) return std::nullopt;
  return kLanes[at - 1];
}

Bound of_pcie(const evidence::Context& context, const PlatformTable& table, const Cell& cell) {
  const auto fact = [&](const char* name) {
    const auto own = context.fact(table, cell.subject, name);
    return own || cell.subject.kind == contract::SubjectKind::kDevice
               ? own
               : context.fact_of_devices(cell.subject, name);
  };
  const auto generation = fact(fact_name::kGpuPcieGeneration);
  const auto width = fact(fact_name::kGpuPcieWidth);
  if (!generation) return unknown_fact(fact_name::kGpuPcieGeneration);
  if (!width) return unknown_fact(fact_name::kGpuPcieWidth);
  const auto lane = lane_bytes_per_second(*generation);
  if (!lane)
    return contradictory_facts(fmt::format("PCIe of generation {:g} does not exist", *generation));
  return {*lane * *width, kBytes,
          fmt::format("PCIe {:g} x {:g}, {}", *generation, *width, as_rate(*lane * *width)), false};
}

/// As of_collective, and the PCIe link of a GPU within a domain of which nobody states NVLink.
Bound of_links(const evidence::Context& context, const PlatformTable& table, const Cell& cell,
               const evidence::Topology& all, const contract::Parameters& shown) {
  if (all.contradiction.empty() && all.domain_gpus > 1 && !(all.nvlink_bytes_per_second > 0)) {
    Bound within = of_pcie(context, table, cell);
    // Without peer access it goes through the host's memory, out and in.
    within.value /= 2;
    if (within.value > 0) within.text += ", half of it through the host's memory";
    if (all.domains == 1 || !(within.value > 0)) return within;
    evidence::Topology by_pcie = all;
    by_pcie.nvlink_bytes_per_second = within.value;
    return by_pcie.network_bytes_per_second > 0
               ? between_domains(operation_of(cell), by_pcie, "RING")
               : unknown_fact("peak.nic_bytes_per_second, or an active RDMA port on each host,");
  }
  return of_collective(context, table, cell, shown);
}

/// Both ways at once count as one number.
Bound of_pair(const evidence::Context& context, const PlatformTable& table, const Cell& cell) {
  Bound bound = of_links(context, table, cell, evidence::topology_of(context, table, cell), {});
  const auto direction = cell.parameters.find("direction");
  if (direction != cell.parameters.end() && model::to_text(direction->second) == "both") {
    bound.value *= 2;
    bound.text += ", both ways";
  }
  return bound;
}

/// The time that NCCL's own model says, or the bus bandwidth that follows from it.
Bound of_nccl_model(const evidence::Context& context, const PlatformTable& table, const Cell& cell,
                    const contract::Parameters& shown) {
  const evidence::Topology all = evidence::topology_of(context, table, cell);
  const bool is_rate = cell.metric.ends_with(".busbw");
  // Of GPUs whose NVLink nobody states PCIe bounds the latency, and says too little of bandwidth.
  Bound link = is_rate ? of_collective(context, table, cell, shown)
                       : of_links(context, table, cell, all, shown);
  if (!(link.value > 0)) return link;
  const auto given = cell.parameters.find("bytes");
  const double bytes =
      given == cell.parameters.end() ? 0 : recognise::number(given->second).value_or(0);
  if (!(bytes > 0)) return no_bound("the cell has no parameter bytes above 0");
  const std::string_view op = operation_of(cell);
  const auto seconds = nccl_seconds({op, all.gpus, static_cast<double>(all.domains),
                                     all.nvlink_bytes_per_second > 0, bytes, link.value});
  const auto factor = bus_factor(op, all.gpus);
  if (!seconds || !factor) return no_bound(fmt::format("NCCL's model knows no {}", op));
  std::string text =
      fmt::format("NCCL's model of {:g} bytes over {:g} GPUs in {} domain{} with {}", bytes,
                  all.gpus, all.domains, all.domains == 1 ? "" : "s", link.text);
  if (is_rate) {
    return {bytes * *factor / *seconds, kBytes, std::move(text), false};
  }
  return {*seconds, "s", std::move(text), false};
}

Bound of_fact(const evidence::Context& context, const PlatformTable& table, const Cell& cell,
              const char* name, double part, const char* how, std::string_view unit = kBytes) {
  const auto value = context.fact(table, cell.subject, name);
  if (!value) return unknown_fact(name);
  return {*value * part, unit, fmt::format("{}{}", how, model::quantity(*value, unit)), false};
}

/// Dense operations a clock and multiprocessor, a multiplication with an addition being two.
struct Unit {
  std::string_view capability;
  double cores;  ///< a multiprocessor has
  std::string_view dtype;
  double operations;
};

// NVIDIA's architecture white papers: A100 (V1.0, table 2), H100 (V1.04, tables 2 and 3), Ada
// (V2.02, table 2), RTX Blackwell (table 4; its 838 TOP/s of int8 and 1676 TFLOP/s of fp4 are 2048
// and 4096 a clock of 170 multiprocessors at 2407 MHz); Blackwell's data sheets through their
// peaks. B300 states the same per clock as B200 but for fp64 (1.25 TFLOP/s), nvfp4 (half as much
// again) and int8 (0.15 POP/s, 0.165 of GB300: https://verda.com/blog/gb300-nvl72-architecture,
// 2025; 0.32 with sparsity at Hot Chips 2025), which B200's units do 32 times as much of. GB10
// (12.1) states fp4 alone, 1 PFLOP/s with sparsity: as 12.0, whose fp16 and fp64 it was measured to
// reach 0.82 and 0.89 of. A unit test holds them against the peaks in the shipped tables.
constexpr std::array kUnits = {
    Unit{"8.0", 64, "fp64", 128},       Unit{"8.0", 64, "fp32", 128},
    Unit{"8.0", 64, "tf32", 1024},      Unit{"8.0", 64, "bf16", 2048},
    Unit{"8.0", 64, "fp16", 2048},      Unit{"8.0", 64, "int8", 4096},
    Unit{"8.9", 128, "fp64", 4},        Unit{"8.9", 128, "fp32", 256},
    Unit{"8.9", 128, "tf32", 512},      Unit{"8.9", 128, "bf16", 1024},
    Unit{"8.9", 128, "fp16", 1024},     Unit{"8.9", 128, "fp8_e4m3", 2048},
    Unit{"8.9", 128, "int8", 2048},     Unit{"9.0", 128, "fp64", 256},
    Unit{"9.0", 128, "fp32", 256},      Unit{"9.0", 128, "tf32", 2048},
    Unit{"9.0", 128, "bf16", 4096},     Unit{"9.0", 128, "fp16", 4096},
    Unit{"9.0", 128, "fp8_e4m3", 8192}, Unit{"9.0", 128, "int8", 8192},
    Unit{"10.0", 128, "fp64", 128},     Unit{"10.0", 128, "fp32", 256},
    Unit{"10.0", 128, "tf32", 4096},    Unit{"10.0", 128, "bf16", 8192},
    Unit{"10.0", 128, "fp16", 8192},    Unit{"10.0", 128, "fp8_e4m3", 16384},
    Unit{"10.0", 128, "mxfp8", 16384},  Unit{"10.0", 128, "nvfp4", 32768},
    Unit{"10.0", 128, "int8", 16384},   Unit{"10.3", 128, "fp32", 256},
    Unit{"10.3", 128, "tf32", 4096},    Unit{"10.3", 128, "bf16", 8192},
    Unit{"10.3", 128, "fp16", 8192},    Unit{"10.3", 128, "fp8_e4m3", 16384},
    Unit{"10.3", 128, "mxfp8", 16384},  Unit{"10.3", 128, "fp64", 4},
    Unit{"10.3", 128, "nvfp4", 49152},  Unit{"10.3", 128, "int8", 512},
    Unit{"12.0", 128, "fp32", 256},     Unit{"12.0", 128, "int8", 2048},
    Unit{"12.0", 128, "mxfp8", 2048},   Unit{"12.0", 128, "nvfp4", 4096},
    Unit{"12.0", 128, "bf16", 1024},    Unit{"12.0", 128, "fp16", 1024},
    Unit{"12.0", 128, "tf32", 512},     Unit{"12.0", 128, "fp8_e4m3", 2048},
    Unit{"12.0", 128, "fp64", 4},       Unit{"12.1", 128, "fp32", 256},
    Unit{"12.1", 128, "tf32", 512},     Unit{"12.1", 128, "bf16", 1024},
    Unit{"12.1", 128, "fp16", 1024},    Unit{"12.1", 128, "fp8_e4m3", 2048},
    Unit{"12.1", 128, "mxfp8", 2048},   Unit{"12.1", 128, "nvfp4", 4096},
    Unit{"12.1", 128, "int8", 2048},    Unit{"12.1", 128, "fp64", 4}};

Bound of_flops(const evidence::Context& context, const PlatformTable& table, const Cell& cell) {
  const auto dtype = cell.parameters.find("dtype");
  if (dtype == cell.parameters.end()) return no_bound("the cell has no parameter dtype");
  const std::string type = model::to_text(dtype->second);
  const std::string capability =
      context.device_text(cell.subject, fact_name::kGpuComputeCapability);
  if (capability.empty()) return unknown_fact(fact_name::kGpuComputeCapability);
  const auto unit = std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& one) {
    return one.capability == capability && one.dtype == type;
  });
  if (unit == kUnits.end()) {
    return no_bound(fmt::format(
        "how much {} a GPU of compute capability {} does a clock is not known", type, capability));
  }
  const auto cores = context.fact(table, cell.subject, fact_name::kGpuCores);
  const auto clock = context.fact(table, cell.subject, fact_name::kGpuSmClockHertz);
  if (!cores) return unknown_fact(fact_name::kGpuCores);
  if (!clock) return unknown_fact(fact_name::kGpuSmClockHertz);
  const double most = *cores / unit->cores * *clock * unit->operations;
  const char* base = type == "int8" ? "OP/s" : "FLOP/s";
  return {most, base,
          fmt::format("{:g} multiprocessors x {} x {:g} {} a clock", *cores / unit->cores,
                      model::quantity(*clock, "Hz"), unit->operations, type),
          false};
}

/// In a virtual machine what looks like a core may be one of two threads of one.
Bound of_host_flops(const evidence::Context& context, const PlatformTable& table,
                    const Cell& cell) {
  const auto dtype = cell.parameters.find("dtype");
  if (dtype == cell.parameters.end()) return no_bound("the cell has no parameter dtype");
  const std::string name = "cpu.peak_flops_" + model::to_text(dtype->second);
  const auto peak = context.fact(table, cell.subject, name);
  if (!peak) return unknown_fact(name);
  const model::NodeInventory* node = context.node(cell.subject.host);
  const auto guest =
      node == nullptr ? std::nullopt : model::value_of(*node, fact_name::kMachineVirtual);
  const bool is_guest = guest && *guest == contract::Scalar(true);
  return {is_guest ? *peak / 2 : *peak, "FLOP/s",
          fmt::format("cores x highest clock x {} a clock, {}{}", model::to_text(dtype->second),
                      model::quantity(*peak, "FLOP/s"),
                      is_guest ? ", half of it: a virtual core may be a thread" : ""),
          false};
}

}  // namespace

Bound bound_of(BoundOf of, const evidence::Context& context, const PlatformTable& table,
               const Cell& cell, const contract::Parameters& shown) {
  constexpr const char* kMemory = fact_name::kGpuMemoryPeakBytesPerSecond;
  switch (of) {
    case BoundOf::kCollective:
      return of_collective(context, table, cell, shown);
    case BoundOf::kNcclModel:
      return of_nccl_model(context, table, cell, shown);
    case BoundOf::kPair:
      return of_pair(context, table, cell);
    case BoundOf::kGpuMemory:
      return of_fact(context, table, cell, kMemory, 1, "clock x width of its memory, ");
    case BoundOf::kGpuCopy:
      return of_fact(context, table, cell, kMemory, 0.5,
                     "each byte read and written at clock x width of its memory, ");
    case BoundOf::kGpuFlops:
      return of_flops(context, table, cell);
    case BoundOf::kGpuPower:
      return of_fact(context, table, cell, fact_name::kGpuPowerLimitWatts, 1,
                     "its enforced power limit, ", "W");
    case BoundOf::kHostFlops:
      return of_host_flops(context, table, cell);
    case BoundOf::kPcie:
      return of_pcie(context, table, cell);
    case BoundOf::kNvlink:
      return of_fact(context, table, cell, "peak.nvlink_bytes_per_second", 1,
                     "NVLink of a GPU, one way, ");
    case BoundOf::kHostMemory:
      return of_fact(context, table, cell, fact_name::kMemoryPeakBytesPerSecond, 1,
                     "channels x speed of the host's memory, ");
  }
  return no_bound("");
}

}  // namespace rackproof::limits
