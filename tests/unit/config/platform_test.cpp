#include "harness/config/platform.hpp"

#include <catch2/catch.hpp>
#include <ctime>
#include <map>

#include "harness/support/digest.hpp"
#include "tests/unit/config/support.hpp"

using namespace rackproof::config;
namespace contract = rackproof::contract;
namespace model = rackproof::model;

namespace {

const model::Baseline& baseline(const model::PlatformTable& table, const std::string& id) {
  for (const model::Baseline& one : table.baselines) {
    if (one.id == id) return one;
  }
  throw std::out_of_range(id);
}

std::string table_text(const std::string& id, const std::string& rest) {
  return R"({"schema": "rackproof/platform/1", "id": ")" + id + R"(", "title": "t", )" + rest + "}";
}

constexpr const char* kRule = R"("recognise": [{"fact": "cpu.model", "equals": "x"}])";

}  // namespace

TEST_CASE("a figure arrives in its base unit, with its source") {
  const auto table = load_platform(kData + "valid/site.json", "");
  const model::Baseline& triad = baseline(table, "triad");
  CHECK(triad.metric == "stream.triad");
  CHECK(triad.parameters == contract::Parameters{{"type", "double"}});
  CHECK(triad.kind == model::BaselineKind::kAbsolute);
  CHECK(triad.expected == Approx(480e9));
  CHECK(triad.unit == "B/s");
  CHECK(triad.tolerance_below == 0.05);
  CHECK(triad.tolerance_above == 0.2);
  CHECK(triad.statistic == contract::Statistic::kBest);
  CHECK(triad.table == "site");
  CHECK(triad.source == model::Source{"Site measurement", "measured-here", "2025-01-31",
                                      "rackproof 0.1.0, gcc 12.2", ""});
}

TEST_CASE("fractions, node ranges and smaller-is-better figures arrive") {
  const auto table = load_platform(kData + "valid/site.json", "");
  const model::Baseline& gemm = baseline(table, "gemm.rate[dtype=fp*]");
  CHECK(gemm.kind == model::BaselineKind::kFraction);
  CHECK(gemm.expected == 0.7);
  CHECK(gemm.unit == "ratio");
  CHECK(gemm.of == "cpu.peak_flops_fp64");
  CHECK(gemm.statistic == contract::Statistic::kMedian);
  const model::Baseline& time = baseline(table, "all_reduce.time[bytes=8]@2-4");
  CHECK(time.expected == Approx(3e-6));
  CHECK(time.unit == "s");
  CHECK_FALSE(time.tolerance_below);
  CHECK(time.tolerance_above == 0.5);
  CHECK(time.nodes_min == 2);
  CHECK(time.nodes_max == 4);
}

TEST_CASE("a table folds in its family") {
  const auto table = load_platform(kData + "valid/site.json", "");
  CHECK(table.id == "site");
  CHECK(table.chain == std::vector<std::string>{"site", "family"});
  CHECK_FALSE(table.generic);
  // Its own triad replaces the family's; the other baseline of the family follows.
  REQUIRE(table.baselines.size() == 4);
  CHECK(table.baselines.back().id == "stream.*");
  CHECK(table.baselines.back().table == "family");
  CHECK(table.baselines.back().kind == model::BaselineKind::kCorrectness);
  // Facts and rules on the same fact are replaced, the others inherited.
  CHECK(std::get<double>(table.facts.at("cpu.peak_flops_fp64")) == Approx(3.5e12));
  CHECK(std::get<std::string>(table.facts.at("memory.kind")) == "DDR5");
  REQUIRE(table.recognise.size() == 4);
  CHECK(table.recognise[0].matches == "*Xeon 8592*");
  CHECK(table.recognise[1].min == 2);
  CHECK_FALSE(table.recognise[1].max);
  CHECK(table.recognise[2].max == 8);
  CHECK(table.recognise[3].fact == "cpu.vendor");
  CHECK(table.waivers.at(0).reason == "no such unit in this family");
  CHECK(table.groups.at(0).reason == "two lots of memory");
}

TEST_CASE("what a family demands is demanded of its heirs") {
  const auto table = load_platform(kData + "valid/site.json", "");
  REQUIRE(table.demands.size() == 1);
  const model::Demand& demand = table.demands[0];
  CHECK(demand.table == "family");
  CHECK(demand.metric == "*.busbw");
  CHECK(demand.backend == "nccl");
  CHECK(demand.parameters == contract::Parameters{{"ranks", std::int64_t{8}}});
  CHECK(demand.nodes_min == 2);
  CHECK(demand.nodes_max == 64);
  REQUIRE(demand.where.size() == 1);
  CHECK(demand.where[0].fact == "infiniband.count");
  CHECK(demand.where[0].min == 1);
  CHECK(demand.conditions == contract::Parameters{{"gdr", true}});
  CHECK(demand.refused == contract::Parameters{{"network", std::string("Socket")}});
  CHECK(demand.ports_min == 4);
  CHECK(demand.reason == "the fabric is not used");
}

TEST_CASE("a bound for GPUs leaves that of the host beside it, and neither is generic") {
  const auto table = load_platform(kConfigs + "platforms/gpu-generic.json", "");
  std::map<std::string, std::string> backend_of;
  for (const model::Baseline& one : table.baselines) backend_of[one.id] = one.backend;
  CHECK(backend_of.at("gpu-stream-bound") == "cuda");
  CHECK(backend_of.at("stream-correct").empty());
  CHECK(backend_of.at("gpu-gemm-fp32-bound") == "cuda");
  CHECK(backend_of.at("gemm-fp32-bound") == "host");
  for (const model::Baseline& one : table.baselines) {
    CHECK(one.generic == (one.kind != model::BaselineKind::kBound));
  }
}

TEST_CASE("the digest covers every file of the chain") {
  const TemporaryFolder folder;
  const std::string site = slurp(kData + "valid/site.json");
  const std::string family = slurp(kData + "valid/family.json");
  const std::string path = folder.file("site.json", site);
  folder.file("family.json", family);
  CHECK(load_platform(path, "").digest == rackproof::support::sha256_hex(site + family));
  folder.file("family.json", family + "\n");
  CHECK(load_platform(path, "").digest == rackproof::support::sha256_hex(site + family + "\n"));
}

TEST_CASE("a family is looked for beside the table, then in the search directory") {
  const TemporaryFolder mine;
  const std::string path =
      mine.file("mine.json", table_text("mine", std::string(R"("extends": "family", )") + kRule));
  const auto load = [&](const std::string& directory) {
    return complaint([&] { load_platform(path, directory); });
  };
  CHECK(load(kData + "valid") == "accepted");
  CHECK(load(kData + "suites").find("there is no platform table 'family': neither") !=
        std::string::npos);
  mine.file("family.json", table_text("family", R"("generic": true)"));
  CHECK(load_platform(path, kData + "valid").baselines.empty());
}

TEST_CASE("what a table extends must be the table of that id") {
  const TemporaryFolder folder;
  const std::string path =
      folder.file("a.json", table_text("a", R"("extends": "b", "generic": true)"));
  const auto load = [&] { return complaint([&] { load_platform(path, ""); }); };
  folder.file("b.json", table_text("c", R"("generic": true)"));
  CHECK(load() ==
        path + ":1: extends: '" + folder.path() + "/b.json' has the id 'c'; expected 'b'");
  folder.file("b.json", table_text("b", R"("extends": "c", "generic": true)"));
  folder.file("c.json", table_text("c", R"("extends": "b", "generic": true)"));
  CHECK(load().find("c.json:1: extends: the table extends itself, through 'b'") !=
        std::string::npos);
}

TEST_CASE("an inherited baseline keeps an id of its own") {
  const TemporaryFolder folder;
  const std::string one = R"({"id": "one", "metric": "m", "judge": "correctness"})";
  const std::string two = R"({"id": "one", "metric": "n", "judge": "correctness"})";
  folder.file("base.json", table_text("base", R"("generic": true, "baselines": [)" + one + "]"));
  const std::string path =
      folder.file("top.json", table_text("top", R"("extends": "base", )" + std::string(kRule) +
                                                    R"(, "baselines": [)" + two + "]"));
  const auto table = load_platform(path, "");
  REQUIRE(table.baselines.size() == 2);
  CHECK(table.baselines[0].id == "one");
  CHECK(table.baselines[1].id == "base:one");
}

TEST_CASE("an inherited figure of another dimension is found") {
  const TemporaryFolder folder;
  const std::string figure = R"("judge": "absolute", "tolerance_below": 0,
    "source": {"title": "t", "kind": "datasheet", "date": "2024-05"}, "expected": {"value": 1, )";
  folder.file("base.json",
              table_text("base", std::string(kRule) + R"(, "baselines": [{"metric": "a.*", )" +
                                     figure + R"("unit": "W"}}])"));
  const std::string path = folder.file(
      "top.json", table_text("top", R"("extends": "base", "baselines": [{"metric": "a.b", )" +
                                        figure + R"("unit": "s"}}])"));
  CHECK(complaint([&] { load_platform(path, ""); }).find("'a.b' is in s here and in W at ") !=
        std::string::npos);
}

namespace {

std::string refusal_of(const std::string& text) {
  const TemporaryFolder folder;
  return complaint([&] { load_platform(folder.file("t.json", text), ""); });
}

model::PlatformTable loaded(const std::string& text) {
  const TemporaryFolder folder;
  return load_platform(folder.file("t.json", text), "");
}

constexpr const char* kSource =
    R"("source": {"title": "s", "kind": "third-party-measured", "date": "2026-01", "n": 8,
        "size": "8 GiB", "scale": "8 GPUs, 1 node"})";

std::string curve_with(const std::string& points, const std::string& more = "") {
  return table_text("t", std::string(kRule) + R"(, "baselines": [{"metric": "all_reduce.busbw",
      "judge": "curve", "unit": "GB/s", "tolerance_below": 0.1, )" +
                             more + R"("points": [)" + points + "], " + kSource + "}]");
}

constexpr const char* kPoints = R"({"bytes": 1048576, "ranks": 8, "nodes": 1, "value": 60},
    {"bytes": 33554432, "ranks": 8, "nodes": 1, "value": 300},
    {"bytes": 1073741824, "ranks": 8, "nodes": 1, "value": 470})";

}  // namespace

TEST_CASE("a curve arrives with its points, its source and what it demands") {
  const model::PlatformTable table = loaded(curve_with(
      kPoints, R"("smaller": "correctness", "backend": "nccl", "demand": {"transports": "P2P*"}, )"
               R"("when": {"algorithm": "*TREE*"}, )"));
  REQUIRE(table.baselines.size() == 1);
  const model::Baseline& curve = table.baselines[0];
  CHECK(curve.kind == model::BaselineKind::kCurve);
  CHECK(curve.unit == "B/s");
  REQUIRE(curve.points.size() == 3);
  CHECK(curve.points[1] == model::CurvePoint{33554432, 8, 1, 300e9});
  CHECK(curve.smaller_by_correctness);
  CHECK(curve.backend == "nccl");
  CHECK(curve.demand == contract::Parameters{{"transports", "P2P*"}});
  CHECK(curve.when == contract::Parameters{{"algorithm", "*TREE*"}});
  CHECK(curve.id.ends_with(" when algorithm=*TREE*"));
  CHECK(curve.source.n == 8);
  CHECK(curve.source.size == "8 GiB");
  CHECK(curve.source.scale == "8 GPUs, 1 node");
}

TEST_CASE("a curve of too few sizes, or with two figures for one place, is refused") {
  const std::string point = R"({"bytes": 8, "ranks": 8, "nodes": 1, "value": 60})";
  CHECK(refusal_of(curve_with(point)).find("at least 3 different sizes, got 1") !=
        std::string::npos);
  CHECK(refusal_of(curve_with(std::string(kPoints) + ", " + point + ", " + point))
            .find("a second figure for the same bytes, ranks and nodes") != std::string::npos);
  CHECK(refusal_of(curve_with(kPoints, R"("nodes": {"min": 1}, )"))
            .find("has no meaning for a baseline that judges by a curve") != std::string::npos);
  std::string glob = curve_with(kPoints);
  glob.replace(glob.find("all_reduce.busbw"), 16, "all_reduce.*");
  CHECK(refusal_of(glob).find("a curve is for the busbw of one collective") != std::string::npos);
}

TEST_CASE("an abstract table needs no rules and cannot be generic") {
  const model::PlatformTable table = loaded(table_text("family", R"("abstract": true)"));
  CHECK(table.is_abstract);
  CHECK(refusal_of(table_text("t", R"("abstract": true, "generic": true)"))
            .find("cannot be both generic and abstract") != std::string::npos);
}

TEST_CASE("what is expected of a fact arrives with its severity") {
  const model::PlatformTable table = loaded(table_text("t", std::string(kRule) + R"(, "expect": [
      {"fact": "gpu.nvml_count", "equals": 8, "severity": "error", "remedy": "count them"},
      {"fact": "gpu.pcie_width", "min": 8, "max": 16, "severity": "warning"}])"));
  const auto& expect = table.expect;
  REQUIRE(expect.size() == 3);
  CHECK(expect[0].rule.fact == "gpu.nvml_count");
  CHECK(expect[0].rule.equals == contract::Scalar(std::int64_t{8}));
  CHECK(expect[0].severity == model::Severity::kError);
  CHECK(expect[0].remedy == "count them");
  CHECK(expect[1].rule.min == 8.0);
  CHECK(expect[2].rule.max == 16.0);
  CHECK(refusal_of(table_text("t", std::string(kRule) + R"(, "expect": [{"fact": "a", "min": 1}])"))
            .find("severity") != std::string::npos);
}

TEST_CASE("the source of a fact is kept") {
  const model::PlatformTable table = loaded(table_text("t", std::string(kRule) +
                                                                R"(, "facts": {"gpu.tdp_watts":
      {"value": 700, "unit": "W", )" + kSource + "}}"));
  CHECK(table.facts.at("gpu.tdp_watts") == contract::Scalar(700.0));
  CHECK(table.fact_sources.at("gpu.tdp_watts").n == 8);
}

TEST_CASE("a table of 50 MB is refused by its size before it is read") {
  const TemporaryFolder folder;
  const std::string path = folder.file("large.json", "{\"schema\": \"rackproof/platform/1\"}");
  std::filesystem::resize_file(path, 50'000'000);
  const std::clock_t began = std::clock();  // of this process alone
  CHECK(complaint([&] { load_platform(path, ""); }) ==
        path + ": is 50000000 bytes long; at most 4194304 bytes (4 MiB) are read");
  CHECK(std::clock() - began < CLOCKS_PER_SEC);
}

TEST_CASE("integers and other types may have rates of one metric in their own units") {
  const TemporaryFolder folder;
  const std::string head = R"({"schema": "rackproof/platform/1", "id": "a", "title": "A",
    "recognise": [{"fact": "cpu.model", "equals": "x"}], "baselines": [)";
  const auto baseline = [](const std::string& parameters, const std::string& unit) {
    return R"({"metric": "gemm.rate", "parameters": {)" + parameters +
           R"(}, "judge": "absolute", "expected": {"value": 700, "unit": ")" + unit +
           R"("}, "tolerance_below": 0.1, "source": {"title": "T", "kind": "datasheet", "date": "2025-01"}})";
  };
  const auto load = [&](const std::string& first, const std::string& second) {
    const std::string path = folder.file("a.json", head + first + "," + second + "]}");
    return complaint([&] { load_platform(path, ""); });
  };
  CHECK(load(baseline(R"("dtype": "bf16")", "TFLOP/s"), baseline(R"("dtype": "int8")", "TOP/s")) ==
        "accepted");
  CHECK(load(baseline(R"("dtype": "bf16")", "TFLOP/s"), baseline(R"("m": 8192)", "TOP/s")) !=
        "accepted");
  CHECK(load(baseline(R"("dtype": "bf16")", "TFLOP/s"), baseline(R"("dtype": "int8")", "TB/s")) !=
        "accepted");
}

TEST_CASE("curves of one metric stand side by side when they are of other numbers of nodes") {
  const TemporaryFolder folder;
  const auto curve = [](int nodes, double value) {
    std::string points;
    for (const char* bytes : {"1048576", "67108864", "1073741824"}) {
      points += (points.empty() ? "" : ", ") + std::string("{\"bytes\": ") + bytes +
                ", \"ranks\": 16, \"nodes\": " + std::to_string(nodes) +
                ", \"value\": " + std::to_string(value) + "}";
    }
    return R"({"metric": "all_reduce.busbw", "judge": "curve", "unit": "GB/s", "points": [)" +
           points +
           R"(], "tolerance_below": 0.1, "source": {"title": "T", "kind": "datasheet", "date": "2025-01"}})";
  };
  const std::string head = R"({"schema": "rackproof/platform/1", "id": "a", "title": "A",
    "recognise": [{"fact": "cpu.model", "equals": "x"}], "baselines": [)";
  const std::string path = folder.file("a.json", head + curve(1, 400) + "," + curve(2, 300) + "]}");
  const auto table = load_platform(path, "");
  REQUIRE(table.baselines.size() == 2);
  CHECK(table.baselines[0].id == "all_reduce.busbw@1-1");
  CHECK(table.baselines[1].id == "all_reduce.busbw@2-2");
  folder.file("a.json", head + curve(1, 400) + "," + curve(1, 300) + "]}");
  CHECK(complaint([&] { load_platform(path, ""); }) ==
        path +
            ":2: baselines[1]: a second baseline for 'all_reduce.busbw' with the same parameters, "
            "backend and nodes");
}
