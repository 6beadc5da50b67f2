"""Whole runs over GPUs that the hosts play (docs/gpu-on-cpu.md): the real harness, the real benches, small sizes."""
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "integration"))
import racks  # noqa: E402
import support  # noqa: E402

HOSTS = 2
NAME = "play-%d"
GIB = 2**30

# What the steps of the suite acceptance are told in place of what they are told there. Options that are not named
# here stay; what a step expects follows.
HOST_PRODUCTS = ["64x64x64", "256x32x32", "32x256x32", "32x32x256"]
SMALL = {
    "stream-double": {"--variant": "plain", "--iterations": "2"},
    "stream-float": {"--variant": "plain", "--iterations": "2"},
    "gemm": {"--shape": ",".join(HOST_PRODUCTS), "--seconds": "0.05", "--threads": "1"},
    "align": {"--seconds": "0", "--passes": "2", "--subjects": "256", "--sample-cells": "100000"},
    "collectives": {"--end": "128", "--min-seconds": "0.002"},
    "collectives-types": {"--begin": "64", "--end": "64", "--min-seconds": "0.002"},
    "burn-fp64": {"--seconds": "1", "--window": "0.1", "--memory-fraction": "0.001", "--size": "128", "--threads": "1"},
    "burn-fp32": {"--seconds": "1", "--window": "0.1", "--memory-fraction": "0.001", "--size": "128", "--threads": "1"},
    "stream-gpu": {"--variant": "plain", "--size": "512K", "--iterations": "2"},
    "gemm-gpu": {"--shape": "64"},
    "gemm-gpu-fp8": {"--shape": "64"},
    "gemm-gpu-blocks": {"--shape": "128"},
    "align-gpu": {"--seconds": "0", "--passes": "1", "--subjects": "64", "--queries": "1", "--sample-cells": "100000",
                  "--tile": "8x20-bytes", "--threads": "1"},
    "copy-gpu": {"--size": "256K", "--copies": "2", "--samples": "2"},
    "copy-peers": {"--size": "64K", "--copies": "2", "--samples": "2"},
    "burn-gpu-bf16": {},
    "burn-gpu-fp64": {},
    "collectives-gpu": {"--end": "64", "--min-seconds": "0", "--iterations": "2", "--warmup": "0"},
    "collectives-gpu-large": {"--begin": "4K", "--end": "8K", "--min-seconds": "0", "--iterations": "2", "--warmup": "0"},
    "overlap-gpu": {"--scale": "64", "--sequence": "64", "--rounds": "6"},
    "training-gpu": {"--scale": "64", "--sequence": "64", "--layers": "1", "--steps": "3"},
    "pairs-gpu-latency": {"--samples": "2", "--warmup": "1"},
    "pairs-gpu-bandwidth": {"--sizes": "16K", "--samples": "2", "--warmup": "1"},
}
GEMM = {"--seconds": "0.05", "--settle": "0", "--burst": "0.02", "--search-seconds": "0.02", "--min-samples": "2"}
BURN = {"--seconds": "2.5", "--window": "0.1", "--size": "128", "--depth": "128", "--memory-fraction": "0.14",
        "--search-seconds": "0.02"}
BYTES = {"collectives": {"from": 8, "to": 128, "factor": 4}, "collectives-types": {"from": 64, "to": 64, "factor": 2},
         "copy-gpu": 256 << 10, "copy-peers": 64 << 10, "collectives-gpu": {"from": 8, "to": 64, "factor": 8},
         "collectives-gpu-large": {"from": 4 << 10, "to": 8 << 10, "factor": 2}, "pairs-gpu-bandwidth": 16 << 10}
# The gradients of a layer of llama-8b whose vectors are 64 times shorter, in bf16.
OVERLAP_BYTES = 2 * (64 * (64 + 2 * 16 + 64) + 3 * 64 * 224)


def sizes_of(step):
    """Rows, columns and depth in the order of what the step expects."""
    if step["bench"] != "gemm":
        return []
    if step["backend"] == "host":
        return [list(map(int, shape.split("x"))) for shape in HOST_PRODUCTS]
    return [[int(SMALL[step["id"]]["--shape"])] * 3] * len(step["expect"])


def small(step):
    """The step with sizes for GPUs that a CPU plays, and with what it expects of them."""
    options = dict(zip(step["arguments"][::2], step["arguments"][1::2]))
    more = {"gemm-cuda": GEMM, "burn-cuda": BURN}.get(f"{step['bench']}-{step['backend']}", {})
    options.update({**more, **SMALL[step["id"]]})
    if "--shape" in options:
        options.pop("--shapes", None)
    step = {**step, "arguments": [word for pair in options.items() for word in pair], "deadline": "150 s",
            "grace": "2 s"}
    step.pop("takes", None)
    if "bring_up" in step:
        step["bring_up"] = "60 s"
    for expected in step["expect"]:
        if "bytes" in expected["parameters"] and step["id"] in BYTES:
            expected["parameters"]["bytes"] = BYTES[step["id"]]
    for expected in step["expect"] if step["bench"] == "steps" else []:
        expected["parameters"].update(scale=64, sequence=64)
        expected["parameters"].update({"bytes": OVERLAP_BYTES} if step["id"] == "overlap-gpu" else {"layers": 1})
    for expected in step["expect"] if step["bench"] == "stream" else []:
        expected["parameters"]["variant"] = "plain"
    for expected, size in zip(step["expect"], sizes_of(step)):
        expected["parameters"].update(zip("mnk", size))
    return step


def suite(steps=None):
    """The suite acceptance and the training steps of certification, or these steps of them, small. Of speeds nothing is asked: no rule of peers, since the CPU
    shares its time among the GPUs as it likes, and no deadline of hours."""
    whole = racks.read_json(racks.SUITES / "acceptance.json")
    more = [{**step, "repeat": 1} for step in racks.read_json(racks.SUITES / "certification.json")["steps"]
            if step["id"] == "training-gpu"]
    whole["steps"] = [small(step) for step in [*whole["steps"], *more] if steps is None or step["id"] in steps]
    ids = {step["id"] for step in whole["steps"]}
    whole["claims"] = [claim for claim in whole["claims"] if ids.issuperset(claim["steps"])]
    if not whole["claims"]:
        del whole["claims"]
    whole["judge"].update(peer_outlier="finding", peer_minimum=1000000, disturbed="ignore")
    return whole


def uuid(host, index):
    return f"GPU-c9000000-0000-0000-00{host:02x}-0000000000{index:02x}"


def nvml_of(host, gpus):
    """What NVML says of the GPUs that a host plays: the same as their driver."""
    device = {"name": "NVIDIA H200 on a CPU", "pci_id": "10de:2335", "compute_capability": "9.0",
              "memory_bytes": GIB, "memory_bus_bits": 6144, "memory_clock_mhz": 3201, "sm_clock_mhz": 1980,
              "cores": 16896, "power_limit_watts": 700, "ecc": True, "persistence": True,
              "state": {"milliwatts": 650000, "celsius": 50, "sm_mhz": 1980, "memory_mhz": 3201}}
    own = {str(i): {"uuid": uuid(host, i), "pci_address": f"00000000:{0x18 + i:02X}:00.0"} for i in range(gpus)}
    return {"match": NAME % host, "gpus": gpus, "device": device, "devices": own}


class Play:
    """A run in a folder. `lines` go to the file of the layer: HOST PROGRAM WORDS."""

    def __init__(self, folder, lines=(), steps=None, gpus=4, change=lambda suite: None):
        self.folder, self.gpus = folder, gpus
        machine = [f"{NAME % host} * devices={gpus},memory=1G,multiprocessors=1,host={host}" for host in range(HOSTS)]
        (folder / "machines").write_text("\n".join([*machine, *lines]) + "\n")
        (folder / "nvml.json").write_text(json.dumps({"hosts": [nvml_of(host, gpus) for host in range(HOSTS)]}))
        made = suite(steps)
        change(made)
        (folder / "suite.json").write_text(json.dumps(made, indent=1))
        # Without limits: nothing that is measured here is anybody's speed.
        correct = {"id": "correct", "metric": "*", "judge": "correctness"}
        table = support.platform([correct], id="no-limits", title="No limits", generic=True)
        (folder / "table.json").write_text(json.dumps(table))

    def run(self, *arguments, timeout=500, **variables):
        env = support.environment(TESTED_IN=str(self.folder), FAKE_NVML_FILE=str(self.folder / "nvml.json"),
                                  CUDA_HOST_PLAY=str(self.folder / "machines"), LD_LIBRARY_PATH=f"{support.FAKE_NVML}:{support.BUILD}/lib/cuda_host",
                                  **variables)
        command = [*support.MPIRUN, "-n", str(HOSTS), str(racks.AS_HOST), NAME, "1", "-", str(support.RACKPROOF), "run",
                   "--suite", "suite.json", "--platform", "table.json", "--require", "gpu", "--out", "out",
                   "--expect", f"hosts={HOSTS},gpus={HOSTS * self.gpus}", *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=timeout, cwd=self.folder, env=env,
                              stdin=subprocess.DEVNULL, check=False)
