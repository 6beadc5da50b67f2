#include "harness/inventory/doctor.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "harness/inventory/inventory.hpp"
#include "tests/unit/inventory/machine.hpp"

namespace rackproof::inventory {
namespace {

constexpr double kMebi = 1048576.0;

Surroundings healthy() { return {false, "/tmp", 1e11, "", 1e10, "/usr/bin/mpirun"}; }

model::NodeInventory node_with(const std::map<std::string, contract::Scalar>& facts) {
  model::NodeInventory node;
  for (const auto& [name, value] : facts) node.facts[name] = {value, "test", ""};
  return node;
}

std::vector<std::string> ids(const std::vector<Complaint>& complaints) {
  std::vector<std::string> found;
  found.reserve(complaints.size());
  for (const Complaint& complaint : complaints) found.push_back(complaint.id);
  return found;
}

using Ids = std::vector<std::string>;

}  // namespace

TEST_CASE("a healthy machine has no complaints") {
  CHECK(examine({}, {}, healthy()).empty());
  CHECK(examine(collect(Machine("epyc-two-sockets").root()), {}, healthy()).empty());
}

TEST_CASE("facts that are unreadable cause no complaint") {
  const model::NodeInventory node = collect(Machine().root());
  CHECK(examine(node, {}, healthy()).empty());
}

TEST_CASE("root under Open MPI") {
  Surroundings surroundings = healthy();
  surroundings.is_root = true;
  const auto complaints = examine({}, {}, surroundings);
  REQUIRE(ids(complaints) == Ids{"mpi-root-refused"});
  CHECK(complaints[0].blocking);
  CHECK(complaints[0].under_launcher_only);
  CHECK(complaints[0].fix.find("export OMPI_ALLOW_RUN_AS_ROOT=1 "
                               "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1") != std::string::npos);
  CHECK(ids(examine({}, {{"OMPI_ALLOW_RUN_AS_ROOT", "1"}}, surroundings)) ==
        Ids{"mpi-root-refused"});
  CHECK(examine({}, {{"OMPI_ALLOW_RUN_AS_ROOT", "1"}, {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}},
                surroundings)
            .empty());
  CHECK(examine({}, {{"OMPI_COMM_WORLD_RANK", "0"}}, surroundings).empty());
  surroundings.mpirun.reset();
  CHECK(ids(examine({}, {}, surroundings)) == Ids{"no-launcher"});
}

TEST_CASE("temporary space") {
  Surroundings surroundings = healthy();
  surroundings.temporary_free_bytes = 63 * kMebi;
  CHECK(ids(examine({}, {}, surroundings)) == Ids{"tmp-too-small"});
  CHECK(examine({}, {}, surroundings)[0].blocking);
  CHECK(examine({}, {}, surroundings)[0].under_launcher_only);
  surroundings.temporary_free_bytes = 200 * kMebi;
  CHECK(ids(examine({}, {}, surroundings)) == Ids{"tmp-too-small"});
  CHECK_FALSE(examine({}, {}, surroundings)[0].blocking);
  surroundings.temporary_free_bytes.reset();
  surroundings.temporary_problem = "Permission denied";
  const auto complaints = examine({}, {}, surroundings);
  REQUIRE(ids(complaints) == Ids{"tmp-unusable"});
  CHECK(complaints[0].what.find("Permission denied") != std::string::npos);
}

TEST_CASE("a Slurm step without PMIx") {
  CHECK(ids(examine({}, {{"SLURM_STEP_NUM_TASKS", "4"}}, healthy())) ==
        Ids{"launcher-without-pmi"});
  CHECK(examine({}, {{"SLURM_STEP_NUM_TASKS", "4"}, {"PMIX_RANK", "0"}}, healthy()).empty());
  CHECK(examine({}, {{"SLURM_STEP_NUM_TASKS", "1"}}, healthy()).empty());
  CHECK(examine({}, {{"SLURM_STEP_NUM_TASKS", "many"}}, healthy()).empty());
}

TEST_CASE("locked memory matters with InfiniBand only") {
  const contract::Scalar adapters = std::int64_t{8};
  const contract::Scalar low = std::int64_t{8388608};
  CHECK(examine(node_with({{"limit.memlock_bytes", low}}), {}, healthy()).empty());
  const auto complaints = examine(
      node_with({{"infiniband.count", adapters}, {"limit.memlock_bytes", low}}), {}, healthy());
  REQUIRE(ids(complaints) == Ids{"memlock-low"});
  CHECK(complaints[0].blocking);
  CHECK(complaints[0].what.find("8 MiB") != std::string::npos);
  CHECK(examine(node_with({{"infiniband.count", adapters},
                           {"limit.memlock_bytes", std::string("unlimited")}}),
                {}, healthy())
            .empty());
  CHECK(examine(node_with({{"infiniband.count", adapters},
                           {"limit.memlock_bytes", std::int64_t{1} << 40},
                           {"memory.total_bytes", std::int64_t{1} << 39}}),
                {}, healthy())
            .empty());
}

TEST_CASE("files, governor, limits and load") {
  CHECK(ids(examine(node_with({{"limit.open_files", std::int64_t{1023}}}), {}, healthy())) ==
        Ids{"few-file-descriptors"});
  CHECK(ids(examine(node_with({{"cpu.governor", std::string("powersave")}}), {}, healthy())) ==
        Ids{"slow-governor"});
  CHECK(ids(examine(node_with({{"cgroup.cpus", 1.5}, {"cpu.usable_threads", std::int64_t{2}}}), {},
                    healthy())) == Ids{"cpu-limit"});
  CHECK(examine(node_with({{"cgroup.cpus", 2.0}, {"cpu.usable_threads", std::int64_t{2}}}), {},
                healthy())
            .empty());
  Surroundings surroundings = healthy();
  surroundings.load = {2, 1, 0.9, 0.1, 0, std::nullopt, ""};
  const auto busy = examine({}, {}, surroundings);
  REQUIRE(ids(busy) == Ids{"busy-machine"});
  CHECK(busy[0].what.find("others took 39 % of the time of its 2 processors") != std::string::npos);
  CHECK_FALSE(busy[0].blocking);
  // What was busy in the last minute and is no more harms nothing.
  surroundings.load = {2, 1, 0.15, 0.1, 0, std::nullopt, ""};
  CHECK(examine(node_with({{"load.over_1_minute", 9.5}, {"cpu.threads", std::int64_t{2}}}), {},
                surroundings)
            .empty());
  surroundings = healthy();
  surroundings.shm_bytes = 64 * kMebi;
  CHECK(ids(examine({}, {}, surroundings)) == Ids{"small-shm"});
}

TEST_CASE("benches that refuse to measure, by themselves and for a variable of the caller") {
  Surroundings surroundings = healthy();
  surroundings.refusals = {
      {"burn-host", "its kernels need SSE", ""},
      {"gemm-host", "its kernels need no vectors", "OPENBLAS_CORETYPE=generic"}};
  const auto complaints = examine({}, {}, surroundings);
  REQUIRE(ids(complaints) == Ids{"bench-refuses", "bench-refuses"});
  CHECK(complaints[0].what == "burn-host would measure nothing here: its kernels need SSE");
  CHECK_FALSE(complaints[0].blocking);
  CHECK(complaints[1].what.find("with OPENBLAS_CORETYPE=generic in the environment, gemm-host") ==
        0);
  CHECK(complaints[1].what.find("its kernels need no vectors") != std::string::npos);
  CHECK(complaints[1].fix == "unset OPENBLAS_CORETYPE");
  CHECK_FALSE(complaints[1].blocking);
}

TEST_CASE("a Grace node in a bad state: blocking complaints first, each with a cure") {
  const Machine machine("grace");
  const auto complaints =
      examine(collect(machine.root()), {}, look_around({}, "/tmp", machine.root()));
  CHECK(ids(complaints) == Ids{"tmp-unusable", "memlock-low", "few-file-descriptors",
                               "slow-governor", "cpu-limit", "no-launcher"});
  CHECK(std::is_partitioned(complaints.begin(), complaints.end(),
                            [](const Complaint& complaint) { return complaint.blocking; }));
  CHECK_FALSE(complaints.front().under_launcher_only);
  for (const Complaint& complaint : complaints) {
    CHECK_FALSE(complaint.what.empty());
    CHECK_FALSE(complaint.fix.empty());
  }
}

}  // namespace rackproof::inventory
