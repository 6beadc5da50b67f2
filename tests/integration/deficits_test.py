"""What is slow is not accepted, and the report begins with it: deficits that an audit found accepted, played on a healthy
DGX H100, H200 NVL or four HGX H200."""
import unittest

import racks
import support


def slow(factor, **what):
    return dict(what, factor=factor)


NCCL = {"program": "collectives-nccl"}
ONE_GPU = {"program": "gemm-cuda", "device": "GPU-dgx-00-3"}
ACCEPTED, REJECTED, INCOMPLETE = 0, 3, 4


@unittest.skipUnless(support.HAS_MPIRUN, support.WITHOUT_MPIRUN)
@unittest.skipUnless(racks.SCRIPTED_BENCH.exists(), "the scripted bench is not built")
@support.share
@unittest.skipUnless(racks.namespaces_work(), "this kernel gives no namespaces for hosts of their own")
class Deficits(support.Case):
    def play(self, factors, exit_code, words, rack="dgx-h100", suite="acceptance", why=(), **more):
        """The first words of the report have `words` in them, and its terminal output `why`."""
        done = racks.Rack(rack, self.folder, suite, factors, **more).run()
        told = done.stdout[:4000] + done.stderr[-2000:]
        self.assertEqual(done.returncode, exit_code, told)
        first = support.verdict_of(done.stdout)
        for word in words:
            self.assertIn(word, first, told)
        shown = " ".join(self.rackproof("show", "out").stdout.split()) if why else ""
        for word in why:
            self.assertIn(word, shown, told)

    def test_fp64_at_a_tenth(self):
        self.play([slow(0.1, program="gemm-cuda", parameters={"dtype": "fp64"})], REJECTED,
                  ["gemm.rate dtype=fp64", "below-limit"])

    def test_fp64_of_one_gpu_at_a_third(self):
        self.play([slow(0.3, **ONE_GPU, parameters={"dtype": "fp64"})], REJECTED,
                  ["1 of ", "GPU-dgx-00-3", "gemm.rate dtype=fp64"])

    def test_fp8_of_one_gpu_7_percent_below_its_peers(self):
        self.play([slow(0.93, **ONE_GPU, parameters={"dtype": "fp8*"})], REJECTED,
                  ["1 of ", "GPU-dgx-00-3", "gemm.rate dtype=fp8_e4m3", "peer-outlier"])

    def play_collective(self, operation):
        self.play([slow(0.1, **NCCL, metric=f"{operation}.*")], REJECTED, [f"{operation}.busbw", "below-limit"])

    def test_all_gather_at_a_tenth(self):
        self.play_collective("all_gather")

    def test_reduce_scatter_at_a_tenth(self):
        self.play_collective("reduce_scatter")

    def test_alltoall_at_a_tenth(self):
        self.play_collective("alltoall")

    def test_small_all_reduces_at_a_hundredth(self):
        self.play([slow(0.01, **NCCL, metric="all_reduce.*", parameters={"bytes": "8"})], REJECTED,
                  ["all_reduce.time bytes=8", "above-limit"])

    def test_host_memory_at_a_tenth(self):
        self.play([slow(0.1, program="stream-host")], REJECTED, ["stream.", "below-limit"])

    def test_sustained_load_at_half(self):
        self.play([slow(0.5, program="burn-cuda")], REJECTED, ["burn.rate", "below-limit"])

    def test_memory_of_all_gpus_12_percent_below(self):
        self.play([slow(0.88, program="stream-cuda")], REJECTED, ["stream.", "below-limit"])

    def test_pcie_at_half_its_width(self):
        self.play([slow(0.5, program="copy-cuda", metric="copy.h2d"), slow(0.5, program="copy-cuda", metric="copy.d2h")],
                  REJECTED, ["copy.h2d", "below-limit"])

    def test_three_times_too_good(self):
        self.play([slow(3)], INCOMPLETE, ["implausible"])

    def test_groups_of_one_host_15_percent_below_those_of_the_others(self):
        self.play([slow(0.85, **NCCL, host="hgx-02")], REJECTED, ["node:hgx-02", "peer-outlier"],
                  rack="hgx-h200-slow-gpu", suite="fabric")

    def test_everything_at_a_fifth(self):
        self.play([slow(0.2)], REJECTED, ["nvl-00 GPU ", "below-limit"], rack="h200-nvl")

    def play_fabric(self, nccl, exit_code, words, **more):
        """Four Azure ND H200 v5 whose numbers are healthy."""
        self.play([slow(1)], exit_code, words, rack="hgx-h200-slow-gpu", suite="fabric", table="azure-nd-h200-v5",
                  nccl=nccl, **more)

    def test_tcp_in_place_of_the_fabric_at_a_healthy_number(self):
        self.play_fabric({"network": "Socket"}, REJECTED, ["all_reduce.busbw", "condition-differs"])

    def test_no_direct_way_from_adapter_to_gpu_at_a_healthy_number(self):
        self.play_fabric({"gdr": False}, REJECTED, ["all_reduce.busbw", "condition-differs"])

    def test_one_rail_of_eight_down_on_all_hosts_at_a_healthy_number(self):
        self.play_fabric({}, REJECTED, ["all_reduce.busbw", "condition-differs"], rails_down=(3,),
                         why=["hgx-00 (as 3 more) sent its data through 7 RDMA ports; not through mlx5_3:1 (DOWN)"])

    def test_one_rail_of_eight_up_and_not_used_at_a_healthy_number(self):
        self.play_fabric({}, REJECTED, ["all_reduce.busbw", "condition-differs"], rails_idle=(3,),
                         why=["through 7 RDMA ports; not through mlx5_3:1; table azure-nd-h200-v5 demands 8"])

    def test_the_same_fabric_when_it_is_healthy(self):
        self.play_fabric({}, ACCEPTED, ["ACCEPTED 4 hosts, 32 GPUs"])

    def test_no_sharp_in_the_switches_of_a_node(self):
        # A ring carries 0.77 of what NVLS does (360 to 370 of 480 GB/s on H100).
        self.play([slow(0.77, **NCCL, metric="all_reduce.*")], REJECTED, ["all_reduce.busbw"], nccl={"nvls": False})


if __name__ == "__main__":
    support.main()
