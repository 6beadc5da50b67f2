#include "harness/peers/localised.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "contract/tournament.hpp"
#include "harness/judge/judge.hpp"
#include "tests/unit/judge/builder.hpp"

namespace judge = rackproof::judge;
namespace model = rackproof::model;
using namespace rackproof::judge_test;

namespace {

struct PlayedHosts {
  int members = 16;  ///< hosts, or GPUs, two of each host
  int rounds = 9;
  bool gpus = false;
  bool both_ways = false;  ///< each way of a pair is a link
  double limit = 0;        ///< of each link; 0: none is judged
  /// An adapter for each host, or for each GPU, and where it is connected: on a leaf for four
  /// hosts, or for the first or second GPUs of all.
  bool fabric = false;
  int again = 0;  ///< how often all are measured again; see `later` of played()
  double margin = 0.05;
};

std::string leaf_of(const PlayedHosts& plan, int member) {
  return "leaf" + std::to_string(plan.gpus ? member % 2 : member / 4);
}

void put_fact(std::map<std::string, model::Fact>& facts, const std::string& name,
              const std::string& text) {
  facts[name] = {rackproof::contract::Scalar(text), "a file", ""};
}

void put_adapter(const PlayedHosts& plan, int member, model::NodeInventory& node) {
  const std::string nic = "mlx5_" + std::to_string(plan.gpus ? member % 2 : 0);
  const std::string number = std::to_string(member);
  put_fact(node.facts, "infiniband." + nic + ".node_guid", "a088:c203:00ab:" + number);
  put_fact(node.facts, "fabric." + nic + ".leaf", leaf_of(plan, member));
  put_fact(node.facts, "fabric." + nic + ".leaf_port", number);
  put_fact(node.facts, "fabric." + nic + ".cable_serial", "C" + number);
  if (!plan.gpus) return;
  put_fact(node.facts, "fabric." + nic + ".rail", std::to_string(member % 2));
  put_fact(node.devices.at(static_cast<std::size_t>(member % 2)).facts, "gpu.near_adapters", nic);
}

double nothing(int /*low*/, int /*high*/) { return 1; }

/// `factor` gives what a link loses, `later` what it loses when it is measured again.
template <class Factor, class Later>
model::Report played(const PlayedHosts& plan, Factor factor, Later later) {
  model::Report report = empty_report();
  report.suite.policy.peer_margin = plan.margin;
  if (plan.limit > 0) {
    report.platforms.front().baselines = {baseline()};
    report.platforms.front().baselines.front().expected = plan.limit;
  }
  report.attempts = {attempt()};
  report.attempts.front().subject = group("world", {});
  for (int time = 0; time < plan.again; ++time) {
    report.attempts.push_back(attempt(time + 2));
    report.attempts.back().confirms = true;
    report.attempts.back().subject = group("world", {});
  }
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(0, 0.01);
  const rackproof::contract::Tournament draw(plan.members, plan.rounds, 1);
  const auto host_of = [&](int i) { return "n" + std::to_string(plan.gpus ? i / 2 : i); };
  const auto device_of = [&](int i) { return plan.gpus ? "GPU-" + std::to_string(i) : ""; };
  for (int i = 0; i < plan.members; ++i) {
    if (plan.gpus && i % 2 == 1) continue;
    const std::string name = host_of(i);
    report.platform_of_host[name] = kPlatform;
    for (model::Attempt& one : report.attempts) one.subject.members.push_back(name);
    model::NodeInventory node;
    node.host = name;
    if (plan.gpus) node.devices = {{device_of(i), 0, {}}, {device_of(i + 1), 1, {}}};
    for (int m = i; plan.fabric && m < (plan.gpus ? i + 2 : i + 1); ++m) {
      put_adapter(plan, m, node);
    }
    report.nodes.push_back(std::move(node));
  }
  for (int round = 0; round < draw.rounds(); ++round) {
    for (const auto& [low, high] : draw.pairs(round)) {
      const auto add = [&](int near, int far) {
        model::Subject link = link_of(host_of(near), host_of(far));
        link.device = device_of(near);
        link.peer_device = device_of(far);
        report.cells.push_back(cell(link));
        const double value = 100 * factor(near, far) * std::exp(noise(random));
        report.cells.back().measurements = {measurement("a1", value)};
        report.cells.back().measurements.back().subject = report.cells.back().subject;
        for (int time = 0; time < plan.again; ++time) {
          const double once_more = 100 * later(near, far) * std::exp(noise(random));
          report.cells.back().confirmations.push_back(
              measurement("a" + std::to_string(time + 2), once_more));
          report.cells.back().confirmations.back().subject = report.cells.back().subject;
        }
      };
      add(low, high);
      if (plan.both_ways) add(high, low);
    }
  }
  judge::judge(report);
  return report;
}

template <class Factor>
model::Report played(const PlayedHosts& plan, Factor factor) {
  return played(plan, factor, nothing);
}

std::vector<model::Finding> localised_of(const model::Report& report) {
  std::vector<model::Finding> found;
  for (const auto& finding : report.findings) {
    if (finding.id == "localised") found.push_back(finding);
  }
  return found;
}

bool about(const model::Finding& finding, const std::string& id, const std::string& host) {
  return finding.id == id && finding.subject.find(host + " ") != std::string::npos;
}

}  // namespace

TEST_CASE("the host that slow pairs have in common is named once, and its links no more") {
  const auto report =
      played({}, [](int low, int high) { return low == 5 || high == 5 ? 0.8 : 1.0; });
  const auto found = localised_of(report);
  REQUIRE(found.size() == 1);
  CHECK(found[0].subject == "n5");
  CHECK(found[0].severity == model::Severity::kWarning);
  CHECK(std::get<std::int64_t>(found[0].evidence.at("links")) == 9);
  CHECK(std::get<std::int64_t>(found[0].evidence.at("links_slow")) == 9);
  CHECK(std::get<double>(found[0].evidence.at("deficit")) == Approx(0.2).margin(0.02));
  CHECK(std::none_of(report.findings.begin(), report.findings.end(),
                     [](const auto& finding) { return about(finding, "peer-outlier", "n5"); }));
}

TEST_CASE("a GPU is named in its host, and a host where all its GPUs are slow") {
  PlayedHosts plan;
  plan.gpus = true;
  const auto gpu = localised_of(
      played(plan, [](int low, int high) { return low == 5 || high == 5 ? 0.8 : 1.0; }));
  REQUIRE(gpu.size() == 1);
  CHECK(gpu[0].subject == "n2 GPU 1");
  const auto host = localised_of(
      played(plan, [](int low, int high) { return low / 2 == 2 || high / 2 == 2 ? 0.8 : 1.0; }));
  REQUIRE(host.size() == 1);
  CHECK(host[0].subject == "n2");
}

TEST_CASE("a GPU that is slow one way alone is named, and none of its links") {
  PlayedHosts plan;
  plan.gpus = true;
  plan.both_ways = true;
  const auto report = played(plan, [](int near, int) { return near == 5 ? 0.8 : 1.0; });
  const auto found = localised_of(report);
  REQUIRE(found.size() == 1);
  CHECK(found[0].subject == "n2 GPU 1");
  // All but the one to the other GPU of its host, which is another kind of link.
  CHECK(std::get<std::int64_t>(found[0].evidence.at("links")) == 8);
  CHECK(std::get<std::int64_t>(found[0].evidence.at("links_slow")) == 8);
}

TEST_CASE("a link that alone is slow is named as that") {
  const rackproof::contract::Tournament draw(16, 9, 1);
  const auto [one, other] = draw.pairs(2)[3];
  const int slow_low = one;
  const int slow_high = other;
  const auto report = played(
      {}, [&](int low, int high) { return low == slow_low && high == slow_high ? 0.5 : 1.0; });
  const auto found = localised_of(report);
  REQUIRE(found.size() == 1);
  CHECK(found[0].subject ==
        "link n" + std::to_string(slow_low) + " - n" + std::to_string(slow_high));
}

TEST_CASE(
    "what is named neither passes nor fails, and the first line says it of links that failed") {
  PlayedHosts plan;
  plan.limit = 100;
  const auto slow = [](int low, int high) { return low == 5 || high == 5 ? 0.5 : 1.0; };
  model::Report report = played(plan, slow);
  const model::Counts counts = report.counts;
  CHECK(counts.fail == 9);
  CHECK(report.acceptance == model::Acceptance::kRejected);
  // n5 is a slow-host here, which says it already.
  CHECK(report.acceptance_reason.find("n5: all 9 links") == 0);
  CHECK(localised_of(report).size() == 1);

  plan.gpus = true;
  const auto gpu = played(plan, slow);
  CHECK(gpu.acceptance_reason.find("n2 GPU 1: ") == 0);
  CHECK(std::get<std::int64_t>(localised_of(gpu).front().evidence.at("links_failed")) ==
        std::count_if(gpu.cells.begin(), gpu.cells.end(), [](const model::Cell& one) {
          return one.verdict.outcome == model::Outcome::kFail &&
                 one.subject.host != one.subject.peer_host;
        }));
}

TEST_CASE("healthy pairs name nobody, and too few say nothing") {
  CHECK(localised_of(played({}, [](int, int) { return 1.0; })).empty());
  PlayedHosts few;
  few.members = 4;
  few.rounds = 3;
  CHECK(localised_of(played(few, [](int low, int) { return low == 1 ? 0.5 : 1.0; })).empty());
}

TEST_CASE("a host and its only adapter are named as one, with the switch port of that") {
  PlayedHosts plan;
  plan.fabric = true;
  plan.limit = 100;
  const auto report =
      played(plan, [](int low, int high) { return low == 5 || high == 5 ? 0.5 : 1.0; });
  const auto found = localised_of(report);
  REQUIRE(found.size() == 1);
  CHECK(found[0].subject == "n5");
  CHECK(found[0].text.find("host n5 or n5 NIC mlx5_0 (NIC mlx5_0, leaf1 port 5, cable C5): ") == 0);
  CHECK(found[0].evidence.at("nic") == rackproof::contract::Scalar(std::string("mlx5_0")));
  CHECK(found[0].evidence.at("leaf") == rackproof::contract::Scalar(std::string("leaf1")));
  CHECK(found[0].evidence.at("leaf_port") == rackproof::contract::Scalar(std::string("5")));
  CHECK(found[0].evidence.at("cable_serial") == rackproof::contract::Scalar(std::string("C5")));
  CHECK_FALSE(found[0].evidence.contains("rail"));
  CHECK(report.acceptance_reason.find(
            "n5: all 9 links of n5 (NIC mlx5_0, leaf1 port 5, cable C5) to other hosts failed") ==
        0);
}

TEST_CASE("a leaf is named where all that is connected to it is slow") {
  PlayedHosts plan;
  plan.fabric = true;
  plan.rounds = 15;
  const auto found = localised_of(
      played(plan, [](int low, int high) { return low / 4 == 2 || high / 4 == 2 ? 0.8 : 1.0; }));
  REQUIRE(found.size() == 1);
  CHECK(found[0].subject == "leaf leaf2");
  CHECK_FALSE(found[0].evidence.contains("nic"));
}

TEST_CASE("an adapter is told from its GPU by the links that do not leave the host") {
  PlayedHosts plan;
  plan.gpus = true;
  plan.fabric = true;
  plan.rounds = 15;
  const auto over = [](int low, int high) { return low == 5 || high == 5; };
  const auto nic = localised_of(played(
      plan, [&](int low, int high) { return over(low, high) && low / 2 != high / 2 ? 0.8 : 1.0; }));
  REQUIRE(nic.size() == 1);
  CHECK(nic[0].subject == "n2 NIC mlx5_1");
  CHECK(nic[0].text.find("n2 NIC mlx5_1 (NIC mlx5_1, rail 1, leaf1 port 5, cable C5): ") == 0);
  const auto gpu =
      localised_of(played(plan, [&](int low, int high) { return over(low, high) ? 0.8 : 1.0; }));
  REQUIRE(gpu.size() == 1);
  CHECK(gpu[0].subject == "n2 GPU 1");
  CHECK(gpu[0].evidence.at("leaf_port") == rackproof::contract::Scalar(std::string("5")));
}

TEST_CASE("of a slow link the places of both ends are told") {
  PlayedHosts plan;
  plan.fabric = true;
  const rackproof::contract::Tournament draw(16, 9, 1);
  const auto pair = draw.pairs(2)[3];
  const auto found = localised_of(played(plan, [&](int low, int high) {
    return low == pair.first && high == pair.second ? 0.5 : 1.0;
  }));
  REQUIRE(found.size() == 1);
  const auto text = [](int port) { return rackproof::contract::Scalar(std::to_string(port)); };
  CHECK(found[0].evidence.at("leaf_port") == text(pair.first));
  CHECK(found[0].evidence.at("peer_leaf_port") == text(pair.second));
}

namespace {

/// What a host that is slow by 4 % is called where its links lose `later` when they are
/// measured again.
model::Finding host_measured_again(double later, double margin, model::Report* whole = nullptr) {
  PlayedHosts plan;
  plan.margin = margin;
  plan.again = 4;
  plan.limit = 50;
  const auto of_host = [](double share) {
    return [share](int low, int high) { return low == 5 || high == 5 ? share : 1.0; };
  };
  model::Report report = played(plan, of_host(0.96), of_host(later));
  const auto found = localised_of(report);
  REQUIRE(found.size() == 1);
  CHECK(found[0].subject == "n5");
  if (whole != nullptr) *whole = std::move(report);
  return found[0];
}

bool says(const model::Finding& finding, const std::string& words) {
  return finding.text.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("a part that later values confirm keeps the run from being accepted") {
  model::Report report;
  const model::Finding finding = host_measured_again(0.96, 0.02, &report);
  CHECK(finding.severity == model::Severity::kError);
  CHECK(std::get<bool>(finding.evidence.at("confirmed")));
  CHECK(std::get<std::int64_t>(finding.evidence.at("times_again")) == 4);
  CHECK(std::get<double>(finding.evidence.at("deficit_again")) == Approx(0.04).margin(0.005));
  CHECK(says(finding, "; measured again 4 times: "));
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
  CHECK(report.acceptance_reason.find("n5") != std::string::npos);
}

TEST_CASE("a part within the margin stays a warning, and one that is sound an info") {
  const model::Finding within = host_measured_again(0.96, 0.05);
  CHECK(within.severity == model::Severity::kWarning);
  CHECK_FALSE(std::get<bool>(within.evidence.at("confirmed")));
  CHECK(says(within, "which the suite's margin allows"));
  model::Report report;
  const model::Finding sound = host_measured_again(1, 0.02, &report);
  CHECK(sound.severity == model::Severity::kInfo);
  CHECK(says(sound, "measured again 4 times: not seen any more"));
  CHECK(report.acceptance != model::Acceptance::kIncomplete);
}

TEST_CASE("a part far behind that was not measured again is not accepted where that is due") {
  PlayedHosts plan;
  plan.limit = 50;
  const auto slow = [](int low, int high) { return low == 5 || high == 5 ? 0.92 : 1.0; };
  auto report = played(plan, slow);
  REQUIRE(localised_of(report).size() == 1);
  CHECK(localised_of(report)[0].severity == model::Severity::kWarning);
  report.suite.policy.peer_outlier_fails = true;
  judge::judge(report);
  REQUIRE(localised_of(report).size() == 1);
  CHECK(localised_of(report)[0].severity == model::Severity::kError);
  CHECK(says(localised_of(report)[0], "; not all of that was measured again to confirm it"));
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
}

TEST_CASE("links of a part that is accused are to be measured again, with others beside them") {
  PlayedHosts plan;
  auto report = played(plan, [](int low, int high) { return low == 5 || high == 5 ? 0.93 : 1.0; });
  report.suite.policy.peer_outlier_fails = true;
  const auto found = judge::find_suspects(report, report.cells.front().step);
  REQUIRE_FALSE(found.empty());
  const auto is_of_host = [&](std::size_t cell) {
    const model::Subject& link = report.cells[cell].subject;
    return link.host == "n5" || link.peer_host == "n5";
  };
  // Its own, and as many others as are compared at least.
  CHECK(std::count_if(found[0].cells.begin(), found[0].cells.end(), is_of_host) == 9);
  CHECK(found[0].cells.size() == 17);
  CHECK(std::none_of(found[0].controls.begin(), found[0].controls.end(), is_of_host));
  CHECK(found[0].controls.size() >= judge::kControls);
  const auto healthy = played(plan, nothing);
  CHECK(judge::find_suspects(healthy, healthy.cells.front().step).empty());
}
