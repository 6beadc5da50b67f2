#!/usr/bin/env python3
"""Compares collectives-mpi with a bare loop of the same MPI calls.

Both are started in turn, round after round, by the same launcher; what is compared is the ratio,
within a round, of the means of the middle halves of their samples. The table gives the median ratio
over the rounds and a bootstrap interval of it.

    compare_collectives.py --bench PATH [--rounds N] [--launcher "mpirun -n 2"]
"""
import argparse
import json
import pathlib
import shlex
import statistics
import subprocess
import tempfile

from rounds import interval


LAUNCHER = f"{pathlib.Path(__file__).resolve().parents[1]}/support/mpirun -n 2"


def build_bare(program):
    source = pathlib.Path(__file__).with_name("collectives_bare.c")
    subprocess.run(["mpicc", "-O2", str(source), "-o", program], check=True)


def middle_mean(samples):
    """The mean of the middle half, as collectives_bare takes it: see there."""
    ordered = sorted(samples)
    quarter = len(ordered) // 4
    return statistics.mean(ordered[quarter:len(ordered) - quarter])


def bench_times(launcher, bench, operation, begin, end, extra):
    command = launcher + [bench, "--json", "--ops", operation, "--begin", str(begin), "--end", str(end)]
    output = subprocess.run(command + extra, check=True, capture_output=True, text=True).stdout
    times = {}
    for line in output.splitlines():
        if not line.startswith("{"):
            continue
        record = json.loads(line)
        if record["kind"] == "check" and not record["passed"]:
            raise SystemExit("a check failed: " + line)
        if record["kind"] == "metric" and record["name"] == operation + ".time":
            times[record["parameters"]["bytes"]] = middle_mean(record["samples"])
    return times


def bare_times(launcher, bare, operation, sizes):
    command = launcher + [bare, operation]
    for size in sizes:
        iterations = max(200, min(20000, int(4e8 / (size + 20000))))
        command += [str(size), str(iterations)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rows = [line.split() for line in output.splitlines() if line.startswith(operation + " ")]
    return {int(row[1]): float(row[2]) for row in rows}


def compare(arguments, bare):
    launcher = shlex.split(arguments.launcher)
    extra = shlex.split(arguments.bench_options)
    sizes = []
    size = arguments.begin
    while size <= arguments.end:
        sizes.append(size)
        size *= 2
    print(f"{'operation':<11} {'bytes':>8} {'bare us':>9} {'bench us':>9} {'ratio':>6}  95 % interval")
    for operation in arguments.ops.split(","):
        rounds = []
        for index in range(arguments.rounds):
            runs = {}
            for which in ["bench", "bare"] if index % 2 else ["bare", "bench"]:
                if which == "bench":
                    runs[which] = bench_times(launcher, arguments.bench, operation,
                                              arguments.begin, arguments.end, extra)
                else:
                    runs[which] = bare_times(launcher, bare, operation, sizes)
            rounds.append(runs)
        for size in sizes:
            one = [run["bare"][size] for run in rounds]
            other = [run["bench"][size] for run in rounds]
            ratios = [b / a for a, b in zip(one, other)]
            low, high = interval(ratios)
            print(f"{operation:<11} {size:>8} {statistics.median(one) * 1e6:>9.2f} "
                  f"{statistics.median(other) * 1e6:>9.2f} {statistics.median(ratios):>6.3f}  "
                  f"{low:.3f} to {high:.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bench", required=True)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--launcher", default=LAUNCHER)
    parser.add_argument("--begin", type=int, default=8)
    parser.add_argument("--end", type=int, default=4 << 20)
    parser.add_argument("--ops", default="all_reduce,all_gather,alltoall")
    parser.add_argument("--bench-options", default="")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bare = folder + "/collectives_bare"
        build_bare(bare)
        compare(arguments, bare)


if __name__ == "__main__":
    main()
