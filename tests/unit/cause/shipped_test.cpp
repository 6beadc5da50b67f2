#include <catch2/catch.hpp>
#include <set>

#include "harness/cause/causes.hpp"
#include "harness/cause/explain.hpp"
#include "tests/unit/cause/scene.hpp"

namespace rackproof::cause {
namespace {

model::CauseTable shipped() {
  return cause::load_causes(std::string(RACKPROOF_SOURCE_DIR) + "/configs/causes.json");
}

/// What the shipped table says of a GPU that was recorded so.
std::vector<std::string> said(std::vector<model::SeriesSummary> recorded,
                              std::map<std::string, model::Fact> facts = {}) {
  Stage stage;
  stage.report.cause_table = shipped();
  stage.tried("gemm", "n1", "n1-0").recorded = std::move(recorded);
  stage.device(0, 0).facts = std::move(facts);
  explain(stage.report);
  std::vector<std::string> texts;
  for (const auto& cause : stage.cell_of("gemm", "n1/n1-0").causes) {
    texts.push_back(cause.rule + ": " + cause.text);
  }
  return texts;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("the shipped table says what held a GPU back") {
  CHECK(said({throttle("n1-0", "power-cap", 0.93)},
             {{"gpu.power_limit_watts", known(600.0)},
              {"gpu.power_limit_default_watts", known(700.0)}}) ==
        Texts{"power-cap-lowered: power cap 600 W (limit 700 W) active 93 % of the time"});
  model::SeriesSummary both = throttle("n1-0", "hardware-slowdown", 0.4);
  both.shares["power-brake"] = 0.4;
  CHECK(said({both, gauge("gpu.sm_clock", "n1-0", "Hz", 0.3e9, 1e9, 1.9e9)}) ==
        Texts{"power-brake: power brake of the node asserted 40 % of the time, SM clock down to "
              "300 MHz"});
  CHECK(said({throttle("n1-0", "idle", 0.1), gauge("gpu.sm_clock", "n1-0", "Hz", 1e9, 1e9, 1e9),
              gauge("gpu.utilization", "n1-0", "1", 0.9, 1, 1)},
             {{"gpu.sm_clock_hertz", known(std::int64_t{1'980'000'000})}}) ==
        Texts{"sm-clock-low: SM clock 1 GHz (median) of 1.98 GHz possible, and no throttle reason "
              "says why"});
}

TEST_CASE("the shipped table says what broke before what slowed down") {
  CHECK(
      said({throttle("n1-0", "temperature", 0.5), counter("gpu.xids", "n1-0", 2),
            gauge("gpu.last_xid", "n1-0", "1", 0, 0, 79), counter("gpu.ecc_uncorrected", "n1-0", 1),
            gauge("gpu.temperature", "n1-0", "degC", 40, 80, 91)}) ==
      Texts{"xid: 2 Xid event(s), the last one Xid 79",
            "ecc-uncorrected: 1 uncorrected ECC error(s) in its memory",
            "thermal: slowed down for temperature 50 % of the time, at most 91 degC"});
}

TEST_CASE("a GPU that worked as it should gives no cause") {
  CHECK(said({throttle("n1-0", "idle", 0.02), gauge("gpu.sm_clock", "n1-0", "Hz", 1e9, 1.9e9, 2e9),
              gauge("gpu.utilization", "n1-0", "1", 0.9, 1, 1),
              gauge("gpu.remap_failure", "n1-0", "1", 0, 0, 0)},
             {{"gpu.sm_clock_hertz", known(std::int64_t{1'980'000'000})},
              {"gpu.power_limit_watts", known(700.0)},
              {"gpu.power_limit_default_watts", known(700.0)},
              {"gpu.pcie_width_now", known(std::int64_t{16})},
              {"gpu.pcie_width", known(std::int64_t{16})}}) ==
        Texts{"no-cause-seen: no cause seen"});
}

TEST_CASE("errors on NVLink are told as each generation counts them") {
  for (const char* series : {"gpu.nvlink_replays", "gpu.nvlink_symbol_errors"}) {
    Stage stage;
    stage.report.cause_table = shipped();
    stage.tried("gemm", "n1", "n1-0").recorded = {counter(series, "n1-0", 12)};
    model::Cell& cell = stage.cell_of("gemm", "n1/n1-0");
    cell.metric = "copy.peer_write";
    explain(stage.report);
    REQUIRE(cell.causes.size() == 1);
    CHECK(cell.causes[0].rule == "nvlink-errors");
    CHECK(cell.causes[0].text == "12 NVLink error(s) in 12 s");
  }
}

TEST_CASE("what crosses no link is not explained by one") {
  Stage stage;
  stage.report.cause_table = shipped();
  stage.device(0, 0).facts["gpu.pcie_width_now"] = known(std::int64_t{8});
  stage.device(0, 0).facts["gpu.pcie_width"] = known(std::int64_t{16});
  model::Cell& cell = stage.cell_of("gemm", "n1/n1-0");
  for (const auto& [metric, rule] :
       {std::pair("gemm.rate", "not-recorded"), std::pair("copy.local", "not-recorded"),
        std::pair("copy.h2d", "pcie-width"), std::pair("all_reduce.busbw", "pcie-width")}) {
    cell.metric = metric;
    explain(stage.report);
    REQUIRE(cell.causes.size() == 1);
    CHECK(cell.causes[0].rule == rule);
  }
}

}  // namespace rackproof::cause
