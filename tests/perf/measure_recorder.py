#!/usr/bin/env python3
"""What recording costs the programs that are measured meanwhile.

    measure_recorder.py --build DIR [--pairs N] [--interval MS] [--benches stream,gemm,collectives]

Each bench runs in pairs, once under `rackproof record` and once alone, in the order ABBA, so that a
machine that drifts favours neither. A pair gives one number: by how much longer the bench's work took
under the recorder, as the mean over what it measures. The table has the median over the pairs with a
bootstrap interval. 20 pairs are the least to believe; the machine must be idle.
"""
import argparse
import json
import math
import pathlib
import shutil
import statistics
import subprocess
import tempfile

from rounds import interval

MPIRUN = [str(pathlib.Path(__file__).resolve().parents[1] / "support" / "mpirun"), "-n", "2"]
GOAL = 0.002


def commands(libexec):
    return {
        "stream": [f"{libexec}/stream-host", "--json", "--domain", "node", "--variant", "plain"],
        "gemm": [f"{libexec}/gemm-host", "--json", "--dtype", "fp64", "--shape", "2048x2048x2048",
                 "--min-samples", "20", "--seconds", "0.001"],
        "collectives": [*MPIRUN, f"{libexec}/collectives-mpi", "--json", "--ops", "all_reduce",
                        "--begin", "8", "--end", str(1 << 20)],
    }


def seconds_of(output):
    """What each metric took, in units of its own: only ratios are used."""
    taken = {}
    for line in output.splitlines():
        if not line.startswith("{"):
            continue
        record = json.loads(line)
        if record["kind"] == "check" and not record["passed"]:
            raise SystemExit("a check failed: " + line)
        if record["kind"] != "metric":
            continue
        name = record["name"] + json.dumps(record.get("parameters", {}), sort_keys=True)
        middle = statistics.median(record["samples"])
        taken[name] = middle if record["better"] == "less" else 1 / middle
    return taken


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{command[0]} ended with {done.returncode}: {done.stderr.strip()}")
    return done


def longer_by(record, bench, on_first):
    """Of one pair of runs: by which share the work took longer under the recorder."""
    taken = {}
    for on in (True, False) if on_first else (False, True):
        taken[on] = seconds_of(run([*record, "--", *bench] if on else bench).stdout)
    return math.exp(statistics.mean(math.log(taken[True][name] / taken[False][name])
                                    for name in taken[False])) - 1


def own_cost(rackproof, file):
    """CPU seconds for a sample, and samples, of a recording."""
    lines = run([rackproof, "record", "--dump", str(file)]).stdout.splitlines()
    last = json.loads(lines[-1])
    return last["values"]["recorder.cpu"] / last["sequence"], last["sequence"]


def compare(name, bench, arguments, folder):
    rackproof = f"{arguments.build}/bin/rackproof"
    file = pathlib.Path(folder) / f"{name}.recording"
    record = [rackproof, "record", "--quiet", "--out", str(file), "--interval", str(arguments.interval)]
    longer, costs = [], []
    for index in range(arguments.pairs):
        longer.append(longer_by(record, bench, index % 2 == 1))
        costs.append(own_cost(rackproof, file))
    low, high = interval(longer)
    cost = statistics.median(one for one, _ in costs)
    verdict = "within the goal" if high < GOAL else "not within the goal" if low > GOAL else "not known: noise"
    print(f"{name:<12} {arguments.pairs:>5} {statistics.median(longer) * 100:>8.3f} % "
          f"[{low * 100:+.3f}, {high * 100:+.3f}] %  {cost * 1e6:>6.0f} us a sample, "
          f"{sum(n for _, n in costs):>6} samples  {verdict}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True)
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--interval", type=float, default=100)
    parser.add_argument("--benches", default="stream,gemm,collectives")
    arguments = parser.parse_args()
    known = commands(f"{arguments.build}/libexec/rackproof")
    print(f"# recorder on against off, {arguments.interval:g} ms; goal: upper bound under {GOAL * 100:g} %")
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.benches.split(","):
            if name == "collectives" and shutil.which("mpirun") is None:
                print(f"{name:<12} mpirun is not installed")
                continue
            compare(name, known[name], arguments, folder)


if __name__ == "__main__":
    main()
