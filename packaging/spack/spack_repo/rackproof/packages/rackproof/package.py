# SPDX-License-Identifier: Apache-2.0

import pathlib

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *

# The recipe lies in the tree that it builds: a checkout, whose tags and branches are the versions.
TREE = pathlib.Path(__file__).resolve().parents[6]


class Rackproof(CMakePackage, CudaPackage):
    """Benchmark and acceptance tests for GPU clusters: finds out what a machine is, measures it,
    verifies every answer and judges it against a table for that machine type."""

    git = TREE.as_uri()

    license("Apache-2.0")

    version("main", branch="main")
    version("0.1.0", tag="v0.1.0")

    variant("mpi", default=True, description="Runs over several ranks, and benches between them")
    variant("nccl", default=True, when="+cuda", description="Benches between GPUs")

    generator("ninja")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("boost@1.74:")
    depends_on("cli11@2.1:")
    depends_on("fmt@9:")
    depends_on("hwloc@2:")
    depends_on("nlohmann-json@3.11:")
    # Its threads are OpenMP's, as those of the benches.
    depends_on("openblas threads=openmp")
    depends_on("openssl@3:")
    depends_on("simdjson@3:")
    depends_on("sqlite@3.31:")
    depends_on("valijson")
    depends_on("zstd@1.4.8:")
    depends_on("openmpi@4:", when="+mpi")
    depends_on("cuda@12.8:", when="+cuda")
    depends_on("nccl@2.28:", when="+nccl")

    conflicts("cuda_arch=none", when="+cuda", msg="cuda_arch says for which GPUs: cuda_arch=90")
    conflicts("%gcc@:11", msg="C++20 as rackproof uses it takes gcc 12")

    sanity_check_is_file = ["bin/rackproof", "share/man/man1/rackproof.1"]

    def cmake_args(self):
        args = [
            self.define("RACKPROOF_TESTS", False),
            self.define("RACKPROOF_BLAS", True),
            self.define("BLA_VENDOR", "OpenBLAS"),
            self.define_from_variant("RACKPROOF_MPI", "mpi"),
            self.define_from_variant("RACKPROOF_CUDA", "cuda"),
            self.define("RACKPROOF_NCCL", self.spec.satisfies("+nccl")),
        ]
        if self.spec.satisfies("+cuda"):
            architectures = self.spec.variants["cuda_arch"].value
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", architectures))
        return args

    def test_list(self):
        """the benches that were built can be started"""
        rackproof = which(self.prefix.bin.rackproof, required=True)
        assert "stream-host" in rackproof("list", "benches", output=str.split, error=str.split)
