#include "harness/warden/environment.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "tests/unit/temporary_folder.hpp"

using rackproof::warden::child_environment;
using rackproof::warden::is_stripped;
using rackproof::warden::settle_environment;
using rackproof::warden::trusted_folders;

TEST_CASE("a child must not take itself for a rank, nor be bound, nor be hooked") {
  for (const char* name :
       {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_SIZE", "SLURM_PROCID", "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS", "KMP_AFFINITY", "LD_PRELOAD", "LD_AUDIT", "LD_DEBUG",
        "GLIBC_TUNABLES", "CUDA_INJECTION64_PATH", "OPENSSL_CONF", "RACKPROOF_NONCE"}) {
    CHECK(is_stripped(name));
  }
}

TEST_CASE("what a bench needs stays") {
  for (const char* name :
       {"PATH", "HOME", "LD_LIBRARY_PATH", "CUDA_LAUNCH_BLOCKING", "NCCL_DEBUG", "TMPDIR",
        "RACKPROOF_DROPPED", "RACKPROOF_VISIBLE_DEVICES", "OMPX", "COMPI_X"}) {
    CHECK_FALSE(is_stripped(name));
  }
}

TEST_CASE("a library path keeps the folders that only their owner can fill") {
  const TemporaryFolder folder;
  const std::string mine = folder.path() + "/mine";
  const std::string open = folder.path() + "/open";
  for (const std::string& path : {mine, open}) std::filesystem::create_directory(path);
  std::filesystem::permissions(mine, std::filesystem::perms(0755));
  std::filesystem::permissions(open, std::filesystem::perms(0777));
  CHECK(trusted_folders(mine) == mine);
  CHECK(trusted_folders(":" + open + ":relative:.::" + mine + "/none:" + mine + ":") == mine);
  CHECK(trusted_folders(open).empty());
  CHECK(trusted_folders("").empty());
}

TEST_CASE("what is kept from children is said") {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string(value == nullptr ? "(none)" : value);
  };
  setenv("LD_BIND_NOT", "1", 1);
  setenv("LD_LIBRARY_PATH", "relative", 1);
  settle_environment();
  CHECK_THAT(variable("RACKPROOF_DROPPED"), Catch::Contains("LD_BIND_NOT"));
  CHECK_THAT(variable("RACKPROOF_DROPPED"), Catch::Contains("folders of LD_LIBRARY_PATH"));
  CHECK(variable("LD_LIBRARY_PATH") == "(none)");
  setenv("CUDA_VISIBLE_DEVICES", "2,3", 1);
  settle_environment();
  CHECK_THAT(variable("RACKPROOF_DROPPED"), Catch::Contains("CUDA_VISIBLE_DEVICES"));
  CHECK(variable("RACKPROOF_VISIBLE_DEVICES") == "2,3");
  unsetenv("LD_BIND_NOT");
  unsetenv("CUDA_VISIBLE_DEVICES");
  settle_environment();
  CHECK(variable("RACKPROOF_VISIBLE_DEVICES") == "(none)");
  CHECK_THAT(variable("RACKPROOF_DROPPED"), !Catch::Contains("LD_BIND_NOT"));
}

TEST_CASE("a caller's choice of GPUs is none of a child's: it sees what it is placed on, or all") {
  CHECK(is_stripped("CUDA_VISIBLE_DEVICES"));
  std::string visible = "CUDA_VISIBLE_DEVICES=0";
  char* ours[] = {visible.data(), nullptr};
  CHECK(child_environment(ours, {}).empty());
  CHECK(child_environment(ours, {{"CUDA_VISIBLE_DEVICES", "GPU-7"}}) ==
        std::vector<std::string>{"CUDA_VISIBLE_DEVICES=GPU-7"});
}

TEST_CASE("nobody changes the arithmetic of a bench by the environment, nor unseen") {
  for (const char* name :
       {"CUBLAS_EMULATE_SINGLE_PRECISION", "CUBLAS_EMULATE_DOUBLE_PRECISION",
        "CUBLAS_EMULATION_STRATEGY", "CUBLAS_FIXEDPOINT_EMULATION_MANTISSA_BIT_COUNT",
        "CUBLASLT_HEURISTICS_LUT_FILE", "NVIDIA_TF32_OVERRIDE"}) {
    CHECK(is_stripped(name));
    setenv(name, "1", 1);
    settle_environment();
    CHECK_THAT(std::getenv("RACKPROOF_DROPPED"), Catch::Contains(name));
    unsetenv(name);
  }
  settle_environment();
  CHECK_FALSE(is_stripped("NVIDIA_VISIBLE_DEVICES"));
}

TEST_CASE("settings go over what is inherited") {
  std::string path = "PATH=/bin";
  std::string rank = "PMIX_RANK=3";
  std::string nonce = "RACKPROOF_NONCE=old";
  std::string odd = "no-equals-sign";
  char* ours[] = {path.data(), rank.data(), nonce.data(), odd.data(), nullptr};
  const auto out = child_environment(ours, {{"RACKPROOF_NONCE", "new"}, {"OMP_NUM_THREADS", "2"}});
  const std::vector<std::string> expected = {"PATH=/bin", "no-equals-sign", "OMP_NUM_THREADS=2",
                                             "RACKPROOF_NONCE=new"};
  CHECK(out == expected);
}
