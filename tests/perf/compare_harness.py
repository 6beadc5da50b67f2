#!/usr/bin/env python3
"""What the harness itself costs, beside the bare system calls.

    compare_harness.py --stage DIR [--rounds N]

DIR is a staged installation with the fake bench (the build target `stage`). Rounds of the harness and
of posix_spawn with waitpid alternate; the table gives medians over the rounds with a bootstrap interval.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

from rounds import interval

MPI = [str(pathlib.Path(__file__).resolve().parents[1] / "support" / "mpirun"), "--mca", "btl", "vader,self"]
STEPS = 100


def environment():
    return dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


def suite(folder, count, *arguments):
    steps = [{"id": f"s{i}", "title": "s", "bench": "fake", "backend": "host",
              "arguments": list(arguments), "placement": "node", "deadline": "60 s",
              "grace": "1 s", "attempts": 1,
              "expect": [{"metric": "fake.rate", "parameters": {"mode": arguments[1]}}]}
             for i in range(count)]
    path = pathlib.Path(folder) / f"suite-{count}.json"
    path.write_text(json.dumps({"schema": "rackproof/suite/1", "id": "perf", "title": "perf",
                                "purpose": "overhead", "time_budget": "600 s",
                                "judge": {"disturbed": "ignore"}, "steps": steps}))
    return str(path)


def run(stage, folder, path, ranks=0):
    out = tempfile.mkdtemp(dir=folder)
    command = [f"{stage}/bin/rackproof", "run", "--suite", path, "--out", out]
    if ranks:
        command = MPI + ["-n", str(ranks)] + command
    began = time.clock_gettime(time.CLOCK_MONOTONIC)
    subprocess.run(command, check=False, capture_output=True, env=environment())
    return began, out


def journal(out, rank=0):
    path = pathlib.Path(out) / "journals" / f"0001-rank-{rank:05}.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()]


def seconds_per_step(out):
    steps = [line["t"] for line in journal(out) if line["j"] == "step"]
    return (steps[-1] - steps[0]) / (len(steps) / 2)


def start_up(began, out):
    report = json.loads((pathlib.Path(out) / "report.json").read_text())
    return float(report["attempts"][0]["stderr_tail"]) - began


def waiting_share(stage, folder):
    """CPU share of a rank that waits while a bench of another rank sleeps."""
    path = suite(folder, 1, "--mode", "slow", "--seconds", "8")
    out = tempfile.mkdtemp(dir=folder)
    command = MPI + ["-n", "2", f"{stage}/bin/rackproof", "run", "--suite", path, "--out", out]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env=environment())
    file = pathlib.Path(out) / "journals" / "0001-rank-00001.jsonl"
    own = pathlib.Path(out) / "journals" / "0001-rank-00000.jsonl"
    while not (own.exists() and '"begun"' in own.read_text()):
        time.sleep(0.05)
    pid = json.loads(file.read_text().splitlines()[0])["pid"]

    def ticks():
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    time.sleep(0.5)
    before, at = ticks(), time.monotonic()
    time.sleep(6)
    share = (ticks() - before) / (time.monotonic() - at)
    process.wait()
    return share


def show(name, values, unit, scale, limit):
    low, high = interval(values)
    print(f"{name:<46} {statistics.median(values) * scale:>9.3f} {unit:<3} "
          f"[{low * scale:.3f}, {high * scale:.3f}]  goal <= {limit}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stage", required=True)
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    stage = str(pathlib.Path(arguments.stage).resolve())
    with tempfile.TemporaryDirectory() as folder:
        bare = f"{folder}/spawn_bare"
        source = pathlib.Path(__file__).with_name("spawn_bare.c")
        subprocess.run(["gcc", "-O2", str(source), "-o", bare], check=True)
        many = suite(folder, STEPS, "--mode", "ok")
        one = suite(folder, 1, "--mode", "stamp")
        over, starts, ranked = [], [], []
        for index in range(arguments.rounds):
            def spawned():
                return float(subprocess.run(
                    [bare, str(STEPS), f"{stage}/libexec/rackproof/fake-host", "--mode", "ok"],
                    check=True, capture_output=True, text=True).stdout)

            def supervised():
                return seconds_per_step(run(stage, folder, many)[1])

            if index % 2 == 0:
                plain, ours = spawned(), supervised()
            else:
                ours, plain = supervised(), spawned()
            over.append(ours - plain)
            starts.append(start_up(*run(stage, folder, one)))
            if shutil.which("mpirun"):
                ranked.append(seconds_per_step(run(stage, folder, many, ranks=2)[1]))
        show("solo: a step over posix_spawn and waitpid", over, "ms", 1e3, "1 ms")
        show("solo: start of rackproof to start of the bench", starts, "ms", 1e3, "50 ms")
        if ranked:
            show("2 ranks: a step", ranked, "ms", 1e3, "300 ms")
            share = [waiting_share(stage, folder) for _ in range(3)]
            show("2 ranks: CPU share of a rank that waits", share, "%", 100, "0.5 %")


if __name__ == "__main__":
    main()
