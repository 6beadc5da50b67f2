#include <fmt/format.h>

#include <optional>
#include <string>

#include "harness/lint/rules.hpp"
#include "reports/model/quantity.hpp"

namespace rackproof::lint {
namespace {

using model::Baseline;
using model::BaselineKind;

// A figure may be the network's rate itself, converted from another unit.
constexpr double kConversion = 1e-9;

std::optional<double> number_of(const contract::Scalar& value) {
  if (const auto* broken = std::get_if<double>(&value)) return *broken;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::nullopt;
}

std::optional<double> fact_of(const Scene& scene, const std::string& name) {
  const auto found = scene.table().facts.find(name);
  return found == scene.table().facts.end() ? std::nullopt : number_of(found->second);
}

bool is_of_a_tree(const Baseline& baseline) {
  const auto algorithm = baseline.when.find("algorithm");
  return algorithm != baseline.when.end() &&
         model::to_text(algorithm->second).find("TREE") != std::string::npos;
}

/// What so many GPUs on so many hosts are measured at.
struct Figure {
  double ranks = 0;
  double nodes = 0;
  double value = 0;
  config::Place place;
};

/// docs/judging.md#bounds: what leaves a host bounds a ring, and over two hosts half of a tree.
void check_figure(const Scene& scene, const Baseline& baseline, double network,
                  const Figure& figure) {
  const std::string op = baseline.metric.substr(0, baseline.metric.find('.'));
  const double per_host = figure.ranks / figure.nodes;
  double most = network * per_host;
  std::string hint;
  if (op == "alltoall") {
    most = network * (figure.ranks - 1) / (figure.ranks - per_host);
  } else if (op == "sendrecv") {
    most = network;
  } else if (op == "all_reduce" && figure.nodes == 2) {
    if (is_of_a_tree(baseline))
      most *= 2 * (figure.ranks - 1) / figure.ranks;
    else
      hint = R"(; one of a tree says so: "when": {"algorithm": "*TREE*"})";
  }
  if (figure.value <= most * (1 + kConversion)) return;
  scene.complain(
      figure.place,
      fmt::format("{} is above {}, the most that '{}' can be over {:g} hosts: {} of network a GPU "
                  "(peak.nic_bytes_per_second), {:g} GPUs a host{}",
                  model::quantity(figure.value, baseline.unit),
                  model::quantity(most, baseline.unit), baseline.metric, figure.nodes,
                  model::quantity(network, baseline.unit), per_host, hint));
}

}  // namespace

void check_fabric(const Scene& scene, const Baseline& baseline, const Where& where) {
  const auto network = fact_of(scene, "peak.nic_bytes_per_second");
  // Where NVLink goes beyond the host, the network bounds nothing among the hosts of a domain.
  if (!network || fact_of(scene, "nvlink.domain_gpus") || baseline.unit != "B/s" ||
      baseline.backend != "nccl" || !baseline.metric.ends_with(".busbw")) {
    return;
  }
  if (baseline.kind == BaselineKind::kCurve) {
    for (std::size_t i = 0; i < baseline.points.size(); ++i) {
      const model::CurvePoint& point = baseline.points[i];
      if (point.nodes < 2) continue;
      check_figure(scene, baseline, *network,
                   {static_cast<double>(point.ranks), static_cast<double>(point.nodes), point.value,
                    where({"points", std::to_string(i), "value"})});
    }
    return;
  }
  const auto ranks = baseline.parameters.find("ranks");
  if (baseline.kind != BaselineKind::kAbsolute || baseline.nodes_min.value_or(1) < 2 ||
      ranks == baseline.parameters.end()) {
    return;
  }
  if (const auto count = number_of(ranks->second)) {
    check_figure(scene, baseline, *network,
                 {*count, static_cast<double>(*baseline.nodes_min), baseline.expected,
                  where({"expected", "value"})});
  }
}

}  // namespace rackproof::lint
