#!/usr/bin/env python3
"""Compares gemm-host with a bare loop of the same cblas_dgemm call (gemm_bare.c).

    compare_gemm.py --bench PATH [--rounds N] [--size N] [--calls N]

Both run in turn, round after round, with the kernels of OpenBLAS that the bench chooses; the ratio is taken
within a round. Also shows what the bench spent on proving the timed results, as it says itself.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

from rounds import interval


def run_bench(bench, size, calls):
    command = [bench, "--json", "--dtype", "fp64", "--shape", f"{size}x{size}x{size}",
               "--min-samples", str(calls), "--seconds", "0.001"]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    records = [json.loads(line) for line in output.splitlines()]
    metric = next(r for r in records if r["kind"] == "metric")
    facts = {}
    for record in records:
        if record["kind"] == "note":
            facts.update(record["facts"])
    return statistics.median(metric["samples"]), facts


def kernels_of(bench):
    """What makes OpenBLAS use the kernels that the bench uses; nothing for another library."""
    core = run_bench(bench, 64, 2)[1].get("kernels")
    return {"OPENBLAS_CORETYPE": core} if core else {}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bench", required=True)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--size", type=int, default=2048)
    parser.add_argument("--calls", type=int, default=15)
    arguments = parser.parse_args()
    threads = str(len(os.sched_getaffinity(0)))
    kernels = kernels_of(arguments.bench)
    ratios, proofs = [], []
    with tempfile.TemporaryDirectory() as folder:
        bare = f"{folder}/gemm_bare"
        source = pathlib.Path(__file__).with_name("gemm_bare.c")
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "openblas"], check=True,
                               capture_output=True, text=True).stdout.split()
        subprocess.run(["gcc", "-O2", str(source), "-o", bare, *flags, "-lm"], check=True)
        size = str(arguments.size)

        def plain():
            command = [bare, size, size, size, str(arguments.calls)]
            return float(subprocess.run(command, check=True, capture_output=True, text=True,
                                        env=dict(os.environ, OPENBLAS_NUM_THREADS=threads,
                                                 **kernels)).stdout)

        for index in range(arguments.rounds):
            if index % 2 == 0:
                reference = plain()
                rate, facts = run_bench(arguments.bench, arguments.size, arguments.calls)
            else:
                rate, facts = run_bench(arguments.bench, arguments.size, arguments.calls)
                reference = plain()
            ratios.append(rate / reference)
            proofs.append(facts)
    low, high = interval(ratios)
    print(f"kernels: {kernels.get('OPENBLAS_CORETYPE', 'not told by this library')}")
    print(f"fp64 {size}^3: gemm-host / bare loop {statistics.median(ratios):.4f} "
          f"[{low:.4f}, {high:.4f}]  goal >= 0.99")
    shares = [facts["timed_proof_seconds"] / facts["timed_seconds"] for facts in proofs
              if "timed_proof_seconds" in facts]
    if shares:
        print(f"proof of the timed results: {statistics.median(shares) * 100:.2f} % of their time  "
              f"goal <= 0.5 %")


if __name__ == "__main__":
    main()
