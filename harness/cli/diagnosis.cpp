#include "harness/cli/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "harness/cli/row_source.hpp"
#include "reports/model/printable.hpp"

namespace rackproof::cli {
namespace {

using judge::BadSide;
using judge::Deviation;
using nlohmann::json;

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
    case NodeState::kIncomplete:
      return "incomplete";
    case NodeState::kSuspect:
      return "suspect";
    case NodeState::kAlike:
      return "alike";
  }
  return "incomplete";
}

NodeState state_of(const NodeDiagnosis& node) {
  if (!node.deviations.empty() && node.deviations.front().is_outlier) return NodeState::kOutlier;
  if (node.missing > 0) return NodeState::kIncomplete;
  return node.deviations.empty() ? NodeState::kAlike : NodeState::kSuspect;
}

/// The columns, and how many metrics each node has no comparison of.
void look(Diagnosis& diagnosis, std::vector<std::size_t>& missing) {
  const std::size_t metrics = diagnosis.columns.size();
  const std::size_t groups = (metrics + kColumnsAtOnce - 1) / kColumnsAtOnce;
  std::vector<std::vector<std::size_t>> absent(metrics);
  on_all_cores(groups, [&](std::size_t group) {
    const std::size_t first = group * kColumnsAtOnce;
    const std::size_t last = std::min(first + kColumnsAtOnce, metrics);
    const auto values = diagnosis.table.columns(first, last);
    for (std::size_t metric = first; metric < last; ++metric) {
      const std::vector<double>& column = values[metric - first];
      diagnosis.columns[metric] =
          judge::survey_column(column, metric, diagnosis.bad_sides[metric], diagnosis.policy);
      const judge::Column& seen = diagnosis.columns[metric];
      if (seen.compared && seen.present == column.size()) continue;
      for (std::size_t row = 0; row < column.size(); ++row) {
        if (!seen.compared || std::isnan(column[row])) absent[metric].push_back(row);
      }
    }
  });
  for (const auto& rows : absent) {
    for (const std::size_t row : rows) ++missing[row];
  }
}

json deviations_json(const Diagnosis& diagnosis, const NodeDiagnosis& node) {
  json::array_t deviations;
  for (const Deviation& one : node.deviations) {
    deviations.push_back(json{{"metric", diagnosis.table.metrics()[one.metric]},
                              {"median", one.median},
                              {"value", one.value},
                              {"z", one.z},
                              {"probability", one.probability},
                              {"verdict", one.is_outlier ? "outlier" : "suspect"}});
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
  return text + fmt::format(", z {:.1f}", one.z);
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
  if (node.missing > 0) {
    text += fmt::format("             {} of {} metrics are missing or cannot be compared\n",
                        node.missing, diagnosis.columns.size());
  }
  return text;
}

}  // namespace

Diagnosis diagnose(const wire::RowTable& table, std::vector<BadSide> bad_sides,
                   const judge::SurveyPolicy& policy) {
  Diagnosis diagnosis{table, policy, std::move(bad_sides), {}, {}, 0, 0, 0, 0};
  diagnosis.columns.resize(table.metrics().size());
  std::vector<std::size_t> missing(table.size(), 0);
  look(diagnosis, missing);
  diagnosis.nodes.resize(table.size());
  for (std::size_t row = 0; row < table.size(); ++row) {
    diagnosis.nodes[row].row = row;
    diagnosis.nodes[row].missing = missing[row];
  }
  for (const judge::Column& column : diagnosis.columns) {
    if (column.compared) diagnosis.compared += column.present;
  }
  for (Deviation& one : judge::survey(diagnosis.columns, policy)) {
    diagnosis.nodes[one.node].deviations.push_back(one);
  }
  for (NodeDiagnosis& node : diagnosis.nodes) {
    node.state = state_of(node);
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

std::string to_json(const Diagnosis& diagnosis) {
  json::object_t metrics;
  for (std::size_t i = 0; i < diagnosis.columns.size(); ++i) {
    const judge::Column& column = diagnosis.columns[i];
    json one{{"bad_side", word(diagnosis.bad_sides[i])},
             {"compared", column.compared},
             {"missing", diagnosis.table.size() - column.present},
             {"present", column.present}};
    if (column.compared) {
      one["median"] = column.median;
      if (column.other_median) one["other_median"] = *column.other_median;
    }
    metrics.emplace(diagnosis.table.metrics()[i], std::move(one));
  }
  json::array_t nodes;
  nodes.reserve(diagnosis.nodes.size());
  for (const NodeDiagnosis& node : diagnosis.nodes) {
    json one{{"node", diagnosis.table.node(node.row)}, {"verdict", word(node.state)}};
    if (node.missing > 0) one["missing"] = node.missing;
    if (!node.deviations.empty()) one["deviations"] = deviations_json(diagnosis, node);
    nodes.push_back(std::move(one));
  }
  const judge::SurveyPolicy& policy = diagnosis.policy;
  const json document{{"schema", "rackproof/diagnosis/1"},
                      {"comparisons", diagnosis.compared},
                      {"counts",
                       {{"alike", diagnosis.nodes.size() - diagnosis.outliers -
                                      diagnosis.incomplete - diagnosis.suspects},
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
  const char* verdict = diagnosis.outliers > 0     ? "REJECTED"
                        : diagnosis.incomplete > 0 ? "INCOMPLETE"
                                                   : "ACCEPTED";
  std::string text =
      fmt::format("{} {} of {} nodes are outliers, {} suspects, {} with values missing\n\n",
                  verdict, diagnosis.outliers, nodes, diagnosis.suspects, diagnosis.incomplete);
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
      "{} nodes, {} metrics, {} comparisons: each value with those of its metric on the other "
      "nodes; at "
      "most\n{:g} of a false outlier in the whole table (Holm), {:g} of the suspects false "
      "(Benjamini-Hochberg),\ndeviations from {:g} of the median on\n",
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
  const auto grouped =
      std::count_if(diagnosis.columns.begin(), diagnosis.columns.end(),
                    [](const judge::Column& column) { return column.other_median.has_value(); });
  if (grouped > 0) {
    text += fmt::format(
        "metrics in which the nodes fall into two groups, each compared by itself: {}\n", grouped);
  }
  return text;
}

}  // namespace rackproof::cli
