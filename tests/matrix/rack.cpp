#include "tests/matrix/rack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <tuple>

#include "harness/coverage/site.hpp"
#include "harness/evidence/context.hpp"
#include "harness/limits/limits.hpp"

namespace rackproof::matrix {
namespace {

/// Two sources of one figure of 1 GiB and more differ by 0.1 to 1.4 % (six such pairs: AWS p6-b200
/// in a node and over four, DGX H100, HGX H200), so that either lies within this of their middle.
constexpr double kAroundFigure = 0.02;
constexpr double kAmongHosts = 0.007;
constexpr double kNoise = 0.01;
constexpr double kAlphaSeconds = 10e-6;  ///< of a message, for each doubling of the ranks
/// What an operator's limit lets pass is above it: it has no tolerance.
constexpr double kAboveLimit = 1.06;

/// Lowest and highest published busbw as parts of the bound.
struct Published {
  const char* op;
  double lowest;
  double highest;
};
constexpr std::array kInNode = {
    Published{"all_reduce", 0.72, 1.07},     Published{"all_gather", 0.77, 0.81},
    Published{"reduce_scatter", 0.77, 0.81}, Published{"alltoall", 0.75, 0.75},
    Published{"broadcast", 0.77, 0.81},      Published{"reduce", 0.77, 0.81},
    Published{"sendrecv", 0.74, 0.94}};
constexpr std::array kBetween = {
    Published{"all_reduce", 0.73, 1.21},     Published{"all_gather", 0.68, 0.96},
    Published{"reduce_scatter", 0.68, 0.96}, Published{"alltoall", 0.63, 0.96},
    Published{"broadcast", 0.68, 0.96},      Published{"reduce", 0.68, 0.96},
    Published{"sendrecv", 0.39, 0.96}};

/// The same of NCCL's own model, of small messages (docs/judging.md#latency).
constexpr std::array kModelInNode = {Published{"sendrecv", 0.107, 0.77}, Published{"", 0.47, 1.7}};
constexpr std::array kModelBetween = {Published{"sendrecv", 0.4, 0.66}, Published{"", 0.36, 1.5}};

/// RDMA ports of a host, all of which carry their part: as many as any table demands.
constexpr int kPorts = 8;

std::string op_of(const model::Cell& cell) { return cell.metric.substr(0, cell.metric.find('.')); }

double number_of(const model::Cell& cell, const char* name) {
  return static_cast<double>(std::get<std::int64_t>(cell.parameters.at(name)));
}

/// nccl-tests: bus bandwidth over the rate of the algorithm.
double bus_factor(const std::string& op, double ranks) {
  if (op == "broadcast" || op == "reduce" || op == "sendrecv") return 1;
  return (op == "all_reduce" ? 2 : 1) * (ranks - 1) / ranks;
}

/// That of the cell's operation, else the last.
template <std::size_t Count>
const Published& published_of(const std::array<Published, Count>& all, const model::Cell& cell) {
  const std::string op = op_of(cell);
  const auto found =
      std::find_if(all.begin(), all.end(), [&op](const auto& one) { return one.op == op; });
  return found == all.end() ? all.back() : *found;
}

class Rack {
 public:
  Rack(model::Report report, const Fabric& fabric, std::uint64_t seed)
      : report_(std::move(report)), context_(report_), fabric_(fabric), random_(seed) {
    figure_ = std::uniform_real_distribution<double>(1 - kAroundFigure, 1 + kAroundFigure)(random_);
    if (std::bernoulli_distribution(0.5)(random_)) algorithm_ = "RING";
    const std::string& table = report_.platforms[0].id;
    if (table.starts_with("aws-") || table.starts_with("gcp-a3-")) network_ = "AWS Libfabric";
    within_ = std::uniform_real_distribution<double>(0, 1)(random_);
  }

  model::Report measured() {
    std::vector<std::vector<model::Measurement>> all;
    for (const model::Cell& cell : report_.cells) all.push_back({measurement_of(cell)});
    // The context looks at the cells of the report until here.
    for (std::size_t i = 0; i < all.size(); ++i) report_.cells[i].measurements = std::move(all[i]);
    report_.attempts = std::move(attempts_);
    report_.run.completed = true;
    for (model::StepInfo& step : report_.steps) step.state = model::StepState::kDone;
    return std::move(report_);
  }

 private:
  /// Busbw on a healthy fabric where a limit is held against it.
  struct Level {
    double busbw = 0;
    bool by_model = false;
  };

  std::optional<Level> limited_level(const model::Cell& cell) const {
    model::Measurement asked;
    asked.metric = cell.metric;
    asked.unit = "B/s";
    const auto choice = choice_of(cell, asked);
    if (choice.problem != nullptr || choice.limits.by_correctness) return std::nullopt;
    const model::Baseline& baseline = *choice.limits.baseline;
    if (baseline.kind != model::BaselineKind::kBound) {
      const bool is_limit = baseline.source.kind == "published-threshold";
      return Level{choice.limits.expected * (is_limit ? kAboveLimit : 1) * figure_, false};
    }
    const bool by_model = baseline.of == "nccl-model";
    return Level{choice.limits.expected / baseline.expected * part_of(cell, by_model), by_model};
  }

  limits::Choice choice_of(const model::Cell& cell, const model::Measurement& asked) const {
    return limits::choose_limits(context_, cell, report_.platforms[0], asked,
                                 {{"algorithm", algorithm_}, {"network", network_}});
  }

  /// Where between the published fractions of the bound this rack lies.
  double part_of(const model::Cell& cell, bool by_model) const {
    const bool alone = evidence::host_count(cell.subject) == 1;
    const Published& published = by_model ? published_of(alone ? kModelInNode : kModelBetween, cell)
                                          : published_of(alone ? kInNode : kBetween, cell);
    return published.lowest + within_ * (published.highest - published.lowest);
  }

  /// What large messages reach: that of the largest size that has a limit.
  double large_level(const model::Cell& cell) {
    const auto key = std::pair(op_of(cell), cell.subject.group);
    const auto known = large_.find(key);
    if (known != large_.end()) return known->second;
    double bytes = 0;
    double level = 0;
    for (const model::Cell& other : report_.cells) {
      if (other.metric != key.first + ".busbw" || other.subject.group != key.second) continue;
      const double size = number_of(other, "bytes");
      const auto limited = size > bytes ? limited_level(other) : std::nullopt;
      if (!limited || limited->by_model) continue;
      bytes = size;
      level = limited->busbw;
    }
    constexpr double kOfAnyFabric = 40e9;
    return large_[key] = level > 0 ? level : kOfAnyFabric;
  }

  /// Of a host's own groups against those of the others.
  double of_host(const model::Subject& subject) {
    if (evidence::host_count(subject) != 1) return 1;
    const auto [place, fresh] = hosts_.try_emplace(subject.group, 0);
    if (fresh) place->second = 1 + kAmongHosts * normal(2);
    return place->second;
  }

  double normal(double most) {
    return std::clamp(std::normal_distribution<double>(0, 1)(random_), -most, most);
  }

  double busbw_of(const model::Cell& cell) {
    model::Cell bus = cell;
    bus.metric = op_of(cell) + ".busbw";
    const double ranks = number_of(cell, "ranks");
    const double part =
        fabric_.where == Where::kBetweenNodes && evidence::host_count(cell.subject) == 1
            ? 1
            : fabric_.factor;
    const auto level = limited_level(bus);
    if (level && !level->by_model) return level->busbw * part * of_host(cell.subject);
    const double moved = number_of(cell, "bytes") * bus_factor(op_of(cell), ranks);
    const double seconds = latency_of(bus, ranks) + moved / (large_level(bus) * part);
    return moved / seconds * of_host(cell.subject);
  }

  /// Of a message of 8 B, which its links carry in no time.
  double latency_of(const model::Cell& bus, double ranks) const {
    model::Cell smallest = bus;
    smallest.metric = op_of(bus) + ".time";
    smallest.parameters["bytes"] = std::int64_t{8};
    model::Measurement asked;
    asked.metric = smallest.metric;
    asked.unit = "s";
    asked.better = contract::Better::kLess;
    const auto choice = choice_of(smallest, asked);
    if (choice.problem != nullptr || choice.limits.by_correctness) {
      return kAlphaSeconds * std::log2(ranks);
    }
    return choice.limits.expected * choice.limits.baseline->expected / part_of(smallest, true);
  }

  model::Measurement measurement_of(const model::Cell& cell) {
    model::Measurement one;
    one.metric = cell.metric;
    one.subject = cell.subject;
    one.parameters = cell.parameters;
    one.check.name = "answer";
    one.check.passed = true;
    one.check.compared = 1000;
    one.conditions = {
        {"network", network_}, {"gdr", true}, {"nvls", true}, {"algorithm", algorithm_}};
    one.attempt = attempt_of(cell);
    const bool rate = cell.metric.ends_with(".busbw");
    one.unit = rate ? "B/s" : "s";
    one.better = rate ? contract::Better::kMore : contract::Better::kLess;
    double level = 3;
    if (cell.metric != "collectives.bringup") {
      const double busbw = busbw_of(cell);
      const double moved =
          number_of(cell, "bytes") * bus_factor(op_of(cell), number_of(cell, "ranks"));
      level = rate ? busbw : moved / busbw;
      if (cell.metric.ends_with("_p99")) level *= 1.1;
    }
    for (int i = 0; i < 20; ++i) one.samples.push_back(level * (1 + kNoise * normal(3)));
    one.value = level;
    return one;
  }

  /// One attempt on each host of each group of a step; gives that of the first.
  std::string attempt_of(const model::Cell& cell) {
    std::string nonce = cell.step + "/" + cell.subject.group;
    if (!nonces_.insert({nonce, true}).second) return nonce;
    const std::vector<std::string_view> hosts = evidence::hosts_of(cell.subject);
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      model::Attempt& attempt = attempts_.emplace_back();
      attempt.nonce = i == 0 ? nonce : nonce + "/" + std::string(hosts[i]);
      attempt.step = cell.step;
      attempt.subject = cell.subject;
      attempt.host = hosts[i];
      attempt.member = static_cast<int>(i);
      attempt.members = hosts.size() == 1 ? 0 : static_cast<int>(hosts.size());
      attempt.bench = "collectives";
      attempt.backend = "nccl";
      model::CheckResult& check = attempt.checks.emplace_back();
      check.name = "answer";
      check.passed = true;
      check.compared = 1000;
      for (int port = 0; port < kPorts; ++port) {
        model::SeriesSummary& sent = attempt.recorded.emplace_back();
        sent.name = "infiniband.sent";
        sent.subject = "mlx5_" + std::to_string(port) + ":1";
        sent.unit = "B";
        sent.delta = 1e12;
      }
    }
    return nonce;
  }

  model::Report report_;
  evidence::Context context_;
  Fabric fabric_;
  std::mt19937_64 random_;
  std::string network_ = "IB";           ///< what NCCL says; of EFA and TCPXO neither that nor TCP
  std::string algorithm_ = "NVLS_TREE";  ///< of all_reduce, over two domains the faster one
  double figure_ = 1;
  double within_ = 0;
  std::map<std::pair<std::string, std::string>, double> large_;
  std::map<std::string, double> hosts_;
  std::map<std::string, bool> nonces_;
  std::vector<model::Attempt> attempts_;
};

/// NCCL's collectives alone, and the claims that rest on them alone.
config::Suite fabric_part(config::Suite suite) {
  std::erase_if(suite.steps, [](const config::Step& step) {
    return step.bench != "collectives" || step.backend != "nccl";
  });
  std::erase_if(suite.info.claims, [&suite](const model::Claim& claim) {
    return !std::all_of(claim.steps.begin(), claim.steps.end(), [&suite](const std::string& id) {
      return std::any_of(suite.steps.begin(), suite.steps.end(),
                         [&id](const config::Step& step) { return step.id == id; });
    });
  });
  // Nobody records what was never run.
  suite.info.policy.recorded = model::Recorded::kOptional;
  return suite;
}

}  // namespace

model::Report measured_rack(const model::PlatformTable& table, const config::Suite& suite,
                            int hosts, const Fabric& fabric, std::uint64_t seed) {
  model::Report report = coverage::unmeasured_run(table, fabric_part(suite), hosts);
  return Rack(std::move(report), fabric, seed).measured();
}

}  // namespace rackproof::matrix
