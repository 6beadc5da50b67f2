#include "harness/diagnose/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "harness/support/parallel.hpp"
#include "reports/model/printable.hpp"

namespace rackproof::diagnose {
namespace {

using nlohmann::json;
using stats::BadSide;
using stats::Basis;
using stats::Deviation;

/// A cache line of each row at a time.
constexpr std::size_t kColumnsAtOnce = 8;
constexpr std::size_t kNodesShown = 20;
constexpr std::size_t kMetricsShown = 3;

const char* word(BadSide side) {
  switch (side) {
    case BadSide::kBelow:
      return "below";
    case BadSide::kAbove:
      return "above";
    case BadSide::kBoth:
      return "both";
  }
  return "both";
}

const char* word(NodeState state) {
  switch (state) {
    case NodeState::kOutlier:
      return "outlier";
    case NodeState::kSlowerGroup:
      return "slower-group";
    case NodeState::kByRank:
      return "by-rank";
    case NodeState::kIncomplete:
      return "incomplete";
    case NodeState::kSuspect:
      return "suspect";
    case NodeState::kAlike:
      return "alike";
  }
  return "incomplete";
}

const char* word(Basis basis) {
  switch (basis) {
    case Basis::kTested:
      return "tested";
    case Basis::kTogether:
      return "tested-together";
    case Basis::kFew:
      return "few-values";
    case Basis::kCoarse:
      return "coarse";
    case Basis::kSkewed:
      return "skewed";
    case Basis::kHeavyTails:
      return "heavy-tails";
  }
  return "few-values";
}

/// Why a column promises no rate.
const char* words(Basis basis) {
  switch (basis) {
    case Basis::kCoarse:
      return "the values lie on coarse steps";
    case Basis::kSkewed:
      return "the values are too skewed";
    case Basis::kHeavyTails:
      return "the values have heavy tails";
    default:
      return "too few values to test their tails";
  }
}

NodeState state_of(const NodeDiagnosis& node) {
  const auto named = [&node](bool by_rank) {
    return std::any_of(node.deviations.begin(), node.deviations.end(), [&](const Deviation& one) {
      return one.is_outlier && one.by_rank == by_rank;
    });
  };
  if (named(false)) return NodeState::kOutlier;
  if (!node.slower_in.empty()) return NodeState::kSlowerGroup;
  if (named(true)) return NodeState::kByRank;
  if (node.missing > 0) return NodeState::kIncomplete;
  return node.deviations.empty() ? NodeState::kAlike : NodeState::kSuspect;
}

/// The columns, and how many metrics each node has no comparison of.
void look(Diagnosis& diagnosis, std::vector<std::size_t>& missing) {
  const std::size_t metrics = diagnosis.columns.size();
  const std::size_t groups = (metrics + kColumnsAtOnce - 1) / kColumnsAtOnce;
  stats::OutlierSearch search(metrics, diagnosis.policy);
  support::on_all_cores(groups, [&](std::size_t group) {
    const std::size_t first = group * kColumnsAtOnce;
    const std::size_t last = std::min(first + kColumnsAtOnce, metrics);
    const auto values = diagnosis.table.columns(first, last);
    for (std::size_t metric = first; metric < last; ++metric) {
      search.take(metric, values[metric - first], diagnosis.bad_sides[metric]);
    }
  });
  search.pool();
  support::on_all_cores(groups, [&](std::size_t group) {
    const std::size_t last = std::min((group + 1) * kColumnsAtOnce, metrics);
    for (std::size_t metric = group * kColumnsAtOnce; metric < last; ++metric) {
      diagnosis.columns[metric] = search.column(metric);
    }
  });
  for (std::size_t metric = 0; metric < metrics; ++metric) {
    const stats::Column& seen = diagnosis.columns[metric];
    if (seen.compared && seen.present == diagnosis.table.size()) continue;
    const std::vector<double> column = diagnosis.table.columns(metric, metric + 1).front();
    for (std::size_t row = 0; row < column.size(); ++row) {
      if (!seen.compared || std::isnan(column[row])) ++missing[row];
    }
  }
}

std::size_t count_of(const Diagnosis& diagnosis, NodeState state) {
  return static_cast<std::size_t>(
      std::count_if(diagnosis.nodes.begin(), diagnosis.nodes.end(),
                    [state](const NodeDiagnosis& node) { return node.state == state; }));
}

json deviations_json(const Diagnosis& diagnosis, const NodeDiagnosis& node) {
  json::array_t deviations;
  for (const Deviation& one : node.deviations) {
    json deviation{{"metric", diagnosis.table.metrics()[one.metric]},
                   {"median", one.median},
                   {"value", one.value},
                   {"z", one.z},
                   {"verdict", one.is_outlier ? one.by_rank ? "by-rank" : "outlier" : "suspect"}};
    if (one.by_rank) {
      deviation["rank"] = one.rank;
    } else {
      deviation["probability"] = one.probability;
    }
    deviations.push_back(std::move(deviation));
  }
  return deviations;
}

std::string deviation_text(const Diagnosis& diagnosis, const Deviation& one) {
  const double share = (one.value - one.median) / std::abs(one.median);
  std::string text = fmt::format("{} {:.5g}, median {:.5g}",
                                 model::printable(diagnosis.table.metrics()[one.metric], 80),
                                 one.value, one.median);
  if (std::isfinite(share)) {
    text += fmt::format(" ({:.1f} % {})", 100 * std::abs(share), share < 0 ? "less" : "more");
  }
  if (!one.by_rank) return text + fmt::format(", z {:.1f}", one.z);
  const std::string from = one.rank == 1 ? "the " : fmt::format("number {} from the ", one.rank);
  return text + fmt::format(", {}{} of all (no rate promised: {})", from,
                            one.z < 0 ? "lowest" : "highest",
                            words(diagnosis.columns[one.metric].basis));
}

std::string node_text(const Diagnosis& diagnosis, const NodeDiagnosis& node) {
  std::string text = fmt::format("  {:<10} {}\n", word(node.state),
                                 model::printable(diagnosis.table.node(node.row), 80));
  for (std::size_t i = 0; i < node.deviations.size() && i < kMetricsShown; ++i) {
    text += "             " + deviation_text(diagnosis, node.deviations[i]) + "\n";
  }
  if (node.deviations.size() > kMetricsShown) {
    text += fmt::format("             and {} more\n", node.deviations.size() - kMetricsShown);
  }
  for (std::size_t i = 0; i < node.slower_in.size() && i < kMetricsShown; ++i) {
    text += fmt::format("             of the slower of two groups in {}\n",
                        model::printable(diagnosis.table.metrics()[node.slower_in[i]], 80));
  }
  if (node.slower_in.size() > kMetricsShown) {
    text += fmt::format("             and in {} more\n", node.slower_in.size() - kMetricsShown);
  }
  if (node.missing > 0) {
    text += fmt::format("             {} of {} metrics are missing or cannot be compared\n",
                        node.missing, diagnosis.columns.size());
  }
  return text;
}

}  // namespace

Diagnosis diagnose(const ingest::RowTable& table, std::vector<BadSide> bad_sides,
                   const stats::OutlierPolicy& policy) {
  Diagnosis diagnosis{table, policy, std::move(bad_sides), {}, {}, 0, 0, 0, 0, 0, 0};
  diagnosis.columns.resize(table.metrics().size());
  std::vector<std::size_t> missing(table.size(), 0);
  look(diagnosis, missing);
  diagnosis.nodes.resize(table.size());
  for (std::size_t row = 0; row < table.size(); ++row) {
    diagnosis.nodes[row].row = row;
    diagnosis.nodes[row].missing = missing[row];
  }
  for (const stats::Column& column : diagnosis.columns) {
    if (column.compared) diagnosis.compared += column.present;
  }
  for (Deviation& one : stats::find_deviations(diagnosis.columns, policy)) {
    diagnosis.nodes[one.node].deviations.push_back(one);
  }
  for (std::size_t metric = 0; metric < diagnosis.columns.size(); ++metric) {
    for (const std::size_t row : diagnosis.columns[metric].slower) {
      diagnosis.nodes[row].slower_in.push_back(metric);
    }
  }
  for (NodeDiagnosis& node : diagnosis.nodes) {
    node.state = state_of(node);
    diagnosis.slower += node.state == NodeState::kSlowerGroup ? 1 : 0;
    diagnosis.by_rank += node.state == NodeState::kByRank ? 1 : 0;
    diagnosis.outliers += node.state == NodeState::kOutlier ? 1 : 0;
    diagnosis.incomplete += node.missing > 0 ? 1 : 0;
    diagnosis.suspects += node.state == NodeState::kSuspect ? 1 : 0;
  }
  const auto rank = [](const NodeDiagnosis& node) {
    const double worst = node.deviations.empty() ? 0 : -node.deviations.front().probability;
    return std::tuple(static_cast<int>(node.state), -worst, node.row);
  };
  std::sort(diagnosis.nodes.begin(), diagnosis.nodes.end(),
            [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return diagnosis;
}

bool stands_out(const Diagnosis& diagnosis) {
  return diagnosis.outliers + diagnosis.slower + diagnosis.by_rank > 0;
}

std::string to_json(const Diagnosis& diagnosis) {
  json::object_t metrics;
  for (std::size_t i = 0; i < diagnosis.columns.size(); ++i) {
    const stats::Column& column = diagnosis.columns[i];
    json one{{"bad_side", word(diagnosis.bad_sides[i])},
             {"basis", word(column.basis)},
             {"compared", column.compared},
             {"missing", diagnosis.table.size() - column.present},
             {"present", column.present}};
    if (column.compared) {
      one["median"] = column.median;
      if (column.other_median) one["other_median"] = *column.other_median;
      if (!column.slower.empty()) one["slower"] = column.slower.size();
    }
    metrics.emplace(diagnosis.table.metrics()[i], std::move(one));
  }
  json::array_t nodes;
  nodes.reserve(diagnosis.nodes.size());
  for (const NodeDiagnosis& node : diagnosis.nodes) {
    json one{{"node", diagnosis.table.node(node.row)}, {"verdict", word(node.state)}};
    if (node.missing > 0) one["missing"] = node.missing;
    for (const std::size_t metric : node.slower_in) {
      one["slower_in"].push_back(diagnosis.table.metrics()[metric]);
    }
    if (!node.deviations.empty()) one["deviations"] = deviations_json(diagnosis, node);
    nodes.push_back(std::move(one));
  }
  const stats::OutlierPolicy& policy = diagnosis.policy;
  const json document{{"schema", "rackproof/diagnosis/1"},
                      {"comparisons", diagnosis.compared},
                      {"counts",
                       {{"alike", count_of(diagnosis, NodeState::kAlike)},
                        {"by-rank", diagnosis.by_rank},
                        {"slower-group", diagnosis.slower},
                        {"incomplete", diagnosis.incomplete},
                        {"nodes", diagnosis.nodes.size()},
                        {"outlier", diagnosis.outliers},
                        {"suspect", diagnosis.suspects}}},
                      {"metrics", std::move(metrics)},
                      {"nodes", std::move(nodes)},
                      {"policy",
                       {{"discovery_rate", policy.discovery_rate},
                        {"effect", policy.effect},
                        {"family_alpha", policy.family_alpha},
                        {"peer_minimum", policy.peer_minimum}}}};
  return document.dump(1) + '\n';
}

std::string to_text(const Diagnosis& diagnosis) {
  const std::size_t nodes = diagnosis.nodes.size();
  const char* verdict = stands_out(diagnosis)      ? "REJECTED"
                        : diagnosis.incomplete > 0 ? "INCOMPLETE"
                                                   : "ACCEPTED";
  std::string text =
      fmt::format("{} {} of {} nodes are outliers, ", verdict, diagnosis.outliers, nodes);
  if (diagnosis.slower > 0) {
    text += fmt::format("{} of the slower of two groups, ", diagnosis.slower);
  }
  if (diagnosis.by_rank > 0) text += fmt::format("{} named by rank, ", diagnosis.by_rank);
  text += fmt::format("{} suspects, {} with values missing\n\n", diagnosis.suspects,
                      diagnosis.incomplete);
  std::size_t bad = 0;
  for (const NodeDiagnosis& node : diagnosis.nodes) {
    if (node.state == NodeState::kAlike) break;
    if (++bad <= kNodesShown) text += node_text(diagnosis, node);
  }
  if (bad > kNodesShown) {
    text += fmt::format("  and {} more nodes; --out FILE has all of them\n", bad - kNodesShown);
  }
  if (bad > 0) text += "\n";
  text += fmt::format(
      "{} nodes, {} metrics, {} comparisons of each value with the other nodes; family-wise error "
      "rate\nat most {:g} (Holm), false discovery rate among suspects at most {:g} "
      "(Benjamini-Hochberg),\ndeviations of at least {:g} of the median\n",
      nodes, diagnosis.columns.size(), diagnosis.compared, diagnosis.policy.family_alpha,
      diagnosis.policy.discovery_rate, diagnosis.policy.effect);
  const auto both =
      std::count(diagnosis.bad_sides.begin(), diagnosis.bad_sides.end(), BadSide::kBoth);
  if (both > 0) {
    text += fmt::format(
        "metrics with two bad sides, since neither --more-is-better nor --less-is-better names "
        "them: {}\n",
        both);
  }
  const auto without_rate = std::count_if(
      diagnosis.columns.begin(), diagnosis.columns.end(), [](const stats::Column& column) {
        return column.compared && !stats::promises_rate(column.basis);
      });
  if (without_rate > 0) {
    text += fmt::format(
        "metrics for which no rate of false alarms is promised, as their noise is not known to be "
        "such that it holds: {}; nodes are named by rank there\n",
        without_rate);
  }
  const auto grouped =
      std::count_if(diagnosis.columns.begin(), diagnosis.columns.end(),
                    [](const stats::Column& column) { return column.other_median.has_value(); });
  if (grouped > 0) {
    text += fmt::format("metrics in which the nodes fall into two groups: {}\n", grouped);
  }
  return text;
}

}  // namespace rackproof::diagnose
