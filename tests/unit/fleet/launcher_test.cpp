#include "harness/fleet/launcher.hpp"

#include <catch2/catch.hpp>

using rackproof::fleet::detect_launcher;

TEST_CASE("nothing in the environment is solo") {
  const auto launcher = detect_launcher({{"PATH", "/bin"}});
  CHECK(launcher.name == "solo");
  CHECK_FALSE(launcher.wants_mpi);
  CHECK(launcher.problem.empty());
}

TEST_CASE("Open MPI's mpirun tells size and rank") {
  const auto launcher = detect_launcher(
      {{"OMPI_COMM_WORLD_SIZE", "72"}, {"OMPI_COMM_WORLD_RANK", "5"}, {"PMIX_RANK", "5"}});
  CHECK(launcher.name == "mpirun");
  CHECK(launcher.size == 72);
  CHECK(launcher.rank == 5);
  CHECK(launcher.wants_mpi);
}

TEST_CASE("mpirun lets the other ranks go on only with recovery") {
  const std::map<std::string, std::string> plain = {{"OMPI_COMM_WORLD_SIZE", "2"}};
  CHECK_FALSE(detect_launcher(plain).outlives_ranks);
  auto recovery = plain;
  recovery["OMPI_MCA_orte_enable_recovery"] = "1";
  CHECK(detect_launcher(recovery).outlives_ranks);
  recovery["OMPI_MCA_orte_enable_recovery"] = "0";
  CHECK_FALSE(detect_launcher(recovery).outlives_ranks);
}

TEST_CASE("srun with PMIx is a team, without it a problem") {
  const auto good =
      detect_launcher({{"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "8"}, {"PMIX_RANK", "3"}});
  CHECK(good.name == "srun");
  CHECK(good.size == 8);
  CHECK(good.rank == 3);
  CHECK(good.wants_mpi);
  const auto bad = detect_launcher(
      {{"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "8"}, {"SLURM_PROCID", "3"}});
  CHECK_FALSE(bad.wants_mpi);
  CHECK(bad.rank == 3);
  CHECK(bad.problem.find("--mpi=pmix") != std::string::npos);
}

TEST_CASE("a batch script or a step of one task is solo") {
  CHECK(detect_launcher({{"SLURM_JOB_ID", "1"}, {"SLURM_PROCID", "0"}}).name == "solo");
  CHECK(detect_launcher({{"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}}).problem.empty());
}

TEST_CASE("another MPI's launcher is noticed, so that its ranks do not run alone") {
  const auto launcher = detect_launcher({{"PMI_RANK", "1"}, {"PMI_SIZE", "4"}});
  CHECK(launcher.wants_mpi);
  CHECK(launcher.size == 4);
}
