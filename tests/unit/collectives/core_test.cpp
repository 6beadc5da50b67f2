#include "benches/collectives/core.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <numeric>
#include <set>

#include "benches/collectives/table.hpp"
#include "benches/kit/errors.hpp"
#include "benches/kit/statistics.hpp"
#include "tests/unit/collectives/thread_transport.hpp"
#include "tests/unit/listed.hpp"

using namespace rackproof;
using namespace rackproof::collectives;
using namespace rackproof::reduction;

namespace {

struct Ear final : kit::Session {
  void device(protocol::Device) override {}
  void token(protocol::Token) override {}
  void phase(std::string name, double fraction) override { phases.emplace_back(name, fraction); }
  void check(protocol::Check record) override {
    order.push_back("check " + record.name);
    checks.push_back(std::move(record));
  }
  void metric(protocol::Metric record) override {
    order.push_back("metric " + record.name);
    metrics.push_back(std::move(record));
  }
  void note(std::string text, contract::Parameters said) override {
    notes.emplace_back(std::move(text), std::move(said));
  }
  std::optional<kit::Injection> injection() const override { return fault; }

  std::vector<std::pair<std::string, double>> phases;
  std::vector<protocol::Check> checks;
  std::vector<protocol::Metric> metrics;
  std::vector<std::pair<std::string, contract::Parameters>> notes;
  std::vector<std::string> order;
  std::optional<kit::Injection> fault;
};

Config quick() {
  Config config;
  config.begin = 64;
  config.end = 4096;
  config.factor = 8;
  config.iterations = 5;
  config.min_seconds = 0;
  return config;
}

std::vector<Ear> listen(int ranks, const Config& config, std::optional<kit::Injection> fault = {}) {
  std::vector<Ear> ears(ranks);
  for (Ear& ear : ears) ear.fault = fault;
  ThreadGroup group(ranks);
  run_group(group, [&](ThreadTransport& transport) {
    measure(transport, config, ears[transport.rank()]);
  });
  return ears;
}

}  // namespace

TEST_CASE("cells are every operation, type, reduction where there is one, and size") {
  Config config = quick();
  config.dtypes = {"float", "int8"};
  config.redops = {"sum", "max"};
  // 3 reducing operations x 2 types x 2 reductions x 3 sizes, 4 moving x 2 x 3
  CHECK(cells_of(config, 4).size() == 3 * 2 * 2 * 3 + 4 * 2 * 3);
  const std::vector<CellSpec> alone = cells_of(config, 1);
  for (const CellSpec& cell : alone) CHECK(cell.operation != Operation::kBroadcast);
  CHECK(alone.size() == 3 * 2 * 2 * 3 + 3 * 2 * 3);
}

TEST_CASE("sizes run by the factor and never past the end") {
  Config config = quick();
  config.operations = {"broadcast"};
  const auto sizes = [&] {
    std::vector<std::int64_t> bytes;
    for (const CellSpec& cell : cells_of(config, 2)) bytes.push_back(cell.bytes);
    return bytes;
  };
  CHECK(sizes() == std::vector<std::int64_t>{64, 512, 4096});
  config.end = 4095;
  CHECK(sizes() == std::vector<std::int64_t>{64, 512});
  config.end = 64;
  CHECK(sizes() == std::vector<std::int64_t>{64});
  config.begin = std::int64_t{1} << 61;
  config.end = std::numeric_limits<std::int64_t>::max();
  CHECK(sizes().size() == 1);
}

TEST_CASE("a command line that cannot be obeyed is refused") {
  Config config = quick();
  config.begin = 8192;
  CHECK_THROWS_AS(cells_of(config, 2), kit::UsageError);
  config = quick();
  config.operations = {"all_reduce", "all_reduce"};
  CHECK_THROWS_WITH(cells_of(config, 2), Catch::Contains("twice"));
  config = quick();
  config.operations = {"gossip"};
  CHECK_THROWS_WITH(cells_of(config, 2), Catch::Contains("gossip"));
  config = quick();
  config.dtypes = {};
  CHECK_THROWS_AS(cells_of(config, 2), kit::UsageError);
  config = quick();
  config.in_place = true;
  CHECK(cells_of(config, 2).size() == 5 * 3);
  config.operations = {"broadcast"};
  CHECK_THROWS_WITH(cells_of(config, 2), Catch::Contains("in-place"));
  config = quick();
  config.iterations = config.max_iterations + 1;
  CHECK_THROWS_AS(listen(2, config), kit::UsageError);
}

TEST_CASE("rank 0 says a check before the metrics it proves and the others say phases alone") {
  const std::vector<Ear> ears = listen(3, quick());
  const Ear& ear = ears.front();
  REQUIRE(ear.checks.size() == 7 * 3);
  REQUIRE(ear.metrics.size() == 7 * 3 * 3);
  for (const auto& metric : ear.metrics) CHECK(test::is_listed(metric, "collectives", "mpi"));
  CHECK(ear.order.at(0) == "check all_reduce.64.float.sum");
  CHECK(ear.order.at(1) == "metric all_reduce.time");
  CHECK(ear.order.at(2) == "metric all_reduce.latency_p99");
  CHECK(ear.order.at(3) == "metric all_reduce.busbw");
  std::set<std::string> names;
  for (const protocol::Check& check : ear.checks) {
    CHECK(check.passed);
    CHECK(check.compared > 0);
    CHECK(names.insert(check.name).second);
  }
  for (std::size_t rank = 1; rank < ears.size(); ++rank) {
    CHECK(ears[rank].order.empty());
    CHECK(ears[rank].notes.empty());
    CHECK(ears[rank].phases.size() >= 7 * 3 + 1);
    CHECK(ears[rank].phases.back().second == 1.0);
  }
  CHECK(ear.phases.front().first == "all_reduce 64 B float sum");
  for (std::size_t i = 1; i < ear.phases.size(); ++i) {
    CHECK(ear.phases[i].second >= ear.phases[i - 1].second);
  }
}

TEST_CASE("parameters name a cell as the command line does, and values agree with samples") {
  Config config = quick();
  config.operations = {"all_gather", "reduce"};
  const Ear ear = listen(3, config).front();
  for (const protocol::Metric& metric : ear.metrics) {
    CHECK(test::is_listed(metric, "collectives", "nccl"));
    const bool reducing = metric.name.starts_with("reduce.");
    CHECK(metric.parameters.contains("redop") == reducing);
    CHECK(std::get<std::int64_t>(metric.parameters.at("ranks")) == 3);
    CHECK(std::get<std::string>(metric.parameters.at("dtype")) == "float");
    CHECK(metric.subject.kind == contract::SubjectKind::kGroup);
    REQUIRE_FALSE(metric.samples.empty());
    if (metric.name.ends_with(".latency_p99")) {
      CHECK(metric.statistic == contract::Statistic::kP99);
      CHECK(metric.value == kit::percentile(metric.samples, 99));
    } else {
      CHECK(metric.statistic == contract::Statistic::kMedian);
      CHECK(metric.value == kit::median(metric.samples));
    }
  }
  // 64 B cannot be shared by 3 ranks: named as asked for, measured at 60 B, and said.
  CHECK(std::get<std::int64_t>(ear.metrics.front().parameters.at("bytes")) == 64);
  const double time = ear.metrics.at(0).samples.front();
  const double rate = ear.metrics.at(2).samples.front();
  CHECK(rate == Approx(60.0 * 2 / 3 / time).epsilon(1e-6).margin(1));
  CHECK_THAT(ear.notes.at(1).first, Catch::Contains("measured at 60 B"));
}

TEST_CASE("one rank alone says so, and has no bus bandwidth") {
  const Ear ear = listen(1, quick()).front();
  CHECK(ear.checks.size() == 6 * 3);
  for (const protocol::Metric& metric : ear.metrics) CHECK_FALSE(metric.name.ends_with("busbw"));
  CHECK_THAT(ear.notes.at(1).first, Catch::Contains("one rank alone"));
  Config config = quick();
  config.operations = {"broadcast"};
  CHECK_THROWS_AS(listen(1, config), kit::Unavailable);
}

TEST_CASE("an injected bit fails the check, which says rank, element, got and want") {
  Config config = quick();
  config.operations = {"all_reduce"};
  config.begin = config.end;
  const Ear ear = listen(2, config, kit::Injection{100, 0}).front();
  REQUIRE(ear.checks.size() == 1);
  CHECK_FALSE(ear.checks[0].passed);
  CHECK(ear.checks[0].wrong == 1);
  REQUIRE(ear.checks[0].first_wrong);
  CHECK_THAT(ear.checks[0].first_wrong->where, Catch::Contains("rank 1, element 100"));
  CHECK(ear.checks[0].first_wrong->rank == 1);
  CHECK(ear.checks[0].first_wrong->got != ear.checks[0].first_wrong->want);
}

TEST_CASE("launch and registration are parameters only where they are not the usual ones") {
  struct Fixed final : Group {
    int rank() const override { return 0; }
    int size() const override { return 2; }
    TransportFacts facts() const override { return {"fixed", "1", "nowhere"}; }
    CellResult measure_cell(const CellSpec& spec, const MeasuringRule&,
                            const std::optional<kit::Injection>&, const Progress&) override {
      CellResult result;
      result.shape = shape_of(spec.operation, 2, spec.bytes, size_of(spec.dtype));
      result.seconds = {1e-5, 2e-5, 3e-5};
      result.per_sample = spec.launch == Launch::kGraph ? 64 : 1;
      result.operations = 3 * result.per_sample;
      result.compared = 1;
      result.chosen = {{"algorithm", "RING"}};
      return result;
    }
  } group;
  Config config = quick();
  config.repertoire = nccl_repertoire();
  config.operations = {"all_reduce"};
  config.dtypes = {"bfloat16"};
  config.redops = {"avg"};
  config.begin = config.end;
  Ear plain;
  measure(group, config, plain);
  REQUIRE(plain.metrics.size() == 3);
  CHECK_FALSE(plain.metrics[0].parameters.contains("launch"));
  CHECK_FALSE(plain.metrics[0].parameters.contains("register"));
  CHECK(plain.checks[0].name == "all_reduce.4096.bfloat16.avg");
  config.launch = "graph";
  config.registration = "symmetric";
  Ear ear;
  measure(group, config, ear);
  for (const protocol::Metric& metric : ear.metrics) {
    CHECK(test::is_listed(metric, "collectives", "nccl"));
    CHECK(std::get<std::string>(metric.parameters.at("launch")) == "graph");
    CHECK(std::get<std::string>(metric.parameters.at("register")) == "symmetric");
    CHECK(std::get<std::string>(metric.parameters.at("redop")) == "avg");
    CHECK(metric.conditions == contract::Parameters{{"algorithm", std::string("RING")}});
  }
  CHECK(ear.checks[0].name == "all_reduce.4096.bfloat16.avg.graph.symmetric");
  CHECK_THAT(ear.checks[0].detail, Catch::Contains("192 of them timed"));
  const contract::Parameters& facts = ear.notes.back().second;
  CHECK(std::get<std::string>(facts.at("algorithm")) == "RING");
  CHECK(std::get<std::int64_t>(facts.at("operations_per_sample")) == 64);
  config.launch = "rocket";
  CHECK_THROWS_WITH(measure(group, config, ear), Catch::Contains("rocket"));
}

TEST_CASE("an average without an exact result is refused before anything is measured") {
  Config config = quick();
  config.repertoire = nccl_repertoire();
  config.operations = {"all_reduce"};
  config.dtypes = {"float8e4m3"};
  config.redops = {"avg"};
  CHECK(cells_of(config, 64).size() == 3);
  CHECK_THROWS_WITH(cells_of(config, 65), Catch::Contains("avg of float8e4m3 over 65 ranks"));
  config.operations = {"all_gather"};
  CHECK(cells_of(config, 65).size() == 3);
}

TEST_CASE("thinning keeps the order, the number and a value out of every part") {
  std::vector<double> values(4321);
  std::iota(values.begin(), values.end(), 0.0);
  const std::vector<double> kept = thinned(values, 1000);
  REQUIRE(kept.size() == 1000);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const std::size_t from = i * 4321 / 1000;
    const std::size_t to = (i + 1) * 4321 / 1000;
    CHECK(kept[i] >= static_cast<double>(from));
    CHECK(kept[i] < static_cast<double>(to));
  }
  CHECK(thinned(values, 4321) == values);
  CHECK(thinned({}, 10).empty());
}

TEST_CASE("the median stays when one iteration in a thousand takes 50 ms, the mean does not") {
  std::vector<double> seconds(20'000, 250e-9);
  for (std::size_t i = 0; i < seconds.size(); ++i) seconds[i] += static_cast<double>(i % 97) * 1e-9;
  const double quiet = kit::median(thinned(seconds, 1000));
  const double quiet_mean = kit::mean(seconds);
  for (std::size_t i = 500; i < seconds.size(); i += 1000) seconds[i] = 0.05;
  CHECK(kit::median(thinned(seconds, 1000)) == Approx(quiet).epsilon(0.05));
  CHECK(kit::mean(seconds) > 3 * quiet_mean);
}

TEST_CASE("the table has one row for a cell, under one header for an operation") {
  Ear ear;
  std::string text;
  TableSession table(ear, [&](std::string_view line) { text += line; });
  ThreadGroup group(2);
  Config config = quick();
  config.operations = {"all_reduce", "sendrecv"};
  Ear other;
  run_group(group, [&](ThreadTransport& transport) {
    measure(transport, config, transport.rank() == 0 ? static_cast<kit::Session&>(table) : other);
  });
  std::map<std::string, int> starts;
  std::string line;
  for (const char c : text) {
    if (c != '\n') {
      line += c;
      continue;
    }
    const auto first = line.find_first_not_of(' ');
    ++starts[first == std::string::npos ? "" : line.substr(first, line.find(' ', first) - first)];
    line.clear();
  }
  CHECK(starts["64"] == 2);
  CHECK(starts["512"] == 2);
  CHECK(starts["4096"] == 2);
  CHECK_THAT(text, Catch::Contains("# all_reduce\n") && Catch::Contains("# sendrecv\n") &&
                       Catch::Contains("busbw"));
  CHECK(ear.checks.size() == 6);
  CHECK(ear.metrics.empty());
  CHECK(ear.notes.size() == 1);
}
