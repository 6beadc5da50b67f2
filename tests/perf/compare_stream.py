#!/usr/bin/env python3
"""Compares stream-host with builds of the plain method of STREAM (stream_original.c).

The method is built with -O2 and with -O3 -march=native; both builds and both variants of stream-host
run in turn, round after round. Ratios are taken within a round; the table gives the median over the
rounds and a bootstrap interval of it. Absolute rates of a shared machine mean little.

    compare_stream.py --bench PATH [--rounds N] [--elements N] [--compiler gcc]
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

from rounds import interval

KERNELS = ["copy", "scale", "add", "triad"]
FLAGS = {"O2": ["-O2"], "O3": ["-O3", "-march=native"]}


def build(compiler, flags, elements, program):
    source = pathlib.Path(__file__).with_name("stream_original.c")
    command = [compiler, *flags, "-fopenmp", "-mcmodel=medium", f"-DELEMENTS={elements}", str(source)]
    subprocess.run(command + ["-o", program], check=True)


def run_original(program, threads):
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads), OMP_PROC_BIND="spread")
    output = subprocess.run([program], check=True, capture_output=True, text=True, env=environment)
    return dict(zip(KERNELS, map(float, output.stdout.split())))


def least_elements(bench):
    """What stream-host chooses by itself: an array of four times the caches in use."""
    command = [bench, "--json", "--domain", "node", "--variant", "plain", "--iterations", "2"]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    records = [json.loads(line) for line in output.splitlines()]
    return next(r["facts"]["elements"] for r in records
                if r["kind"] == "note" and "elements" in r.get("facts", {}))


def run_bench(bench, variant, elements, chosen):
    command = [bench, "--json", "--domain", "node", "--variant", variant, "--elements", str(elements)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    records = [json.loads(line) for line in output.splitlines()]
    facts = next(r["facts"] for r in records if r["kind"] == "note" and "triad" in r["facts"])
    words = (facts["triad"], facts["pages"])
    chosen[variant][words] = chosen[variant].get(words, 0) + 1
    metrics = [record for record in records if record["kind"] == "metric"]
    return {record["name"].split(".")[1]: record["value"] for record in metrics}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bench", required=True)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--elements", type=int, default=0,
                        help="of each array; 0: 80 million, or more where the caches are larger")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--compiler", default="gcc")
    arguments = parser.parse_args()
    if arguments.elements == 0:
        arguments.elements = max(80_000_000, least_elements(arguments.bench))

    rounds = []
    chosen = {"plain": {}, "tuned": {}}
    with tempfile.TemporaryDirectory() as folder:
        for name, flags in FLAGS.items():
            build(arguments.compiler, flags, arguments.elements, f"{folder}/{name}")
        runs = {name: lambda name=name: run_original(f"{folder}/{name}", arguments.threads)
                for name in FLAGS}
        for variant in chosen:
            runs[variant] = lambda variant=variant: run_bench(
                arguments.bench, variant, arguments.elements, chosen)
        for index in range(arguments.rounds):
            order = list(runs) if index % 2 == 0 else list(reversed(runs))
            rounds.append({name: runs[name]() for name in order})

    print(f"# {arguments.elements} elements an array, {arguments.threads} threads")
    print(f"{'kernel':<8}" + "".join(f"{name + ' GB/s':>13}" for name in runs) +
          "   plain/best of gcc        tuned/O3")
    for kernel in KERNELS:
        line = f"{kernel:<8}"
        for name in runs:
            line += f"{statistics.median(r[name][kernel] for r in rounds) / 1e9:>13.1f}"
        plain = [r["plain"][kernel] / max(r[name][kernel] for name in FLAGS) for r in rounds]
        tuned = [r["tuned"][kernel] / r["O3"][kernel] for r in rounds]
        for ratios in (plain, tuned):
            low, high = interval(ratios)
            line += f"   {statistics.median(ratios):.3f} [{low:.3f}, {high:.3f}]"
        print(line)
    for variant, words in chosen.items():
        print(f"# {variant} triad: " +
              ", ".join(f"{store} on {pages} pages {n} times" for (store, pages), n in words.items()))


if __name__ == "__main__":
    main()
