#include "harness/warden/environment.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using rackproof::warden::child_environment;
using rackproof::warden::is_stripped;

TEST_CASE("a child must not take itself for a rank, nor be bound, nor be hooked") {
  for (const char* name :
       {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_SIZE", "SLURM_PROCID", "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS", "KMP_AFFINITY", "LD_PRELOAD", "RACKPROOF_NONCE"}) {
    CHECK(is_stripped(name));
  }
}

TEST_CASE("what a bench needs stays") {
  for (const char* name : {"PATH", "HOME", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "NCCL_DEBUG",
                           "TMPDIR", "OMPX", "COMPI_X"}) {
    CHECK_FALSE(is_stripped(name));
  }
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
