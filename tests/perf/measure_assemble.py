#!/usr/bin/env python3
"""The memory that assemble takes for journals of samples alone, the most costly thing that a journal can hold.

    measure_assemble.py --stage DIR [--steps N] [--folder DIR]

DIR is an installed rackproof, or tests/stage of a build. Each of N steps (52) gives a million samples in 20 cells: 1 GB of
journals, and 1.4 GB of report. Prints megabytes of both, the largest memory of the run and of `rackproof assemble`, and
how long that takes. Takes 3 GB in the folder.
"""
import argparse
import json
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

CELLS = 20
SAMPLES = 50_000
BENCH = """#!/usr/bin/env python3
import json, os, random, sys
if "--describe" in sys.argv:
    print('{"name": "many", "backend": "host", "summary": "many samples"}')
    sys.exit()
def say(kind, **fields):
    print(json.dumps({"kind": kind, "nonce": os.environ["RACKPROOF_NONCE"], **fields}, separators=(",", ":")))
say("hello", protocol=1, bench="many", backend="host", version="1", commit="c", arguments=[], build={}, libraries={})
say("check", name="c", passed=True, detail="d", compared=10, wrong=0)
random.seed(int(sys.argv[-1]))
for cell in range(@CELLS@):
    values = [1e9 * (1 + 0.01 * random.random()) for _ in range(@SAMPLES@)]
    for at in range(0, len(values), 1000):
        say("sample", series=cell, values=values[at:at + 1000])
    say("metric", name="many.rate", unit="B/s", better="more", statistic="mean", value=sum(values) / len(values), series=cell,
        parameters={"c": cell}, subject={"kind": "node"}, check="c")
say("end", reason="done", exit_code=0, seconds=0.1)
"""


def suite(steps):
    return {"schema": "rackproof/suite/1", "id": "many", "title": "Many samples", "purpose": "measures assemble",
            "time_budget": "30 min", "judge": {"disturbed": "ignore"},
            "steps": [{"id": f"s{i}", "title": "samples", "bench": "many", "backend": "host",
                       "arguments": ["--seed", str(i)], "placement": "node", "deadline": "60 s",
                       "expect": [{"metric": "many.rate", "parameters": {"c": list(range(CELLS))}}]} for i in range(steps)]}


def run(command):
    """Seconds, and the largest MiB of any child so far."""
    began = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    # 4: what no table judges is never accepted.
    if done.returncode != 4:
        raise SystemExit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}")
    return time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def measure(stage, steps, folder):
    shutil.copytree(stage, folder / "stage", symlinks=True)
    bench = folder / "stage" / "libexec" / "rackproof" / "many-host"
    bench.write_text(BENCH.replace("@CELLS@", str(CELLS)).replace("@SAMPLES@", str(SAMPLES)))
    bench.chmod(0o755)
    (folder / "suite.json").write_text(json.dumps(suite(steps)))
    rackproof = str(folder / "stage" / "bin" / "rackproof")
    out = folder / "run"
    # Memory is that of the largest child ever: each verb has a process of its own to be measured in.
    verbs = {"run": [rackproof, "run", "--suite", str(folder / "suite.json"), "--no-record", "--out", str(out)],
             "assemble": [rackproof, "assemble", str(out)]}
    for verb, command in verbs.items():
        said = subprocess.run([sys.executable, __file__, "--command", *command], stdout=subprocess.PIPE, text=True, check=True)
        seconds, mebibytes = json.loads(said.stdout)
        journals = sum(file.stat().st_size for file in (out / "journals").iterdir()) / 1e6
        report = (out / "report.json").stat().st_size / 1e6
        print(f"{verb:<9} journals {journals:.0f} MB, report {report:.0f} MB: {seconds:.1f} s, {mebibytes:.0f} MiB")


def main():
    if sys.argv[1:2] == ["--command"]:
        print(json.dumps(run(sys.argv[2:])))
        return
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stage", required=True, type=pathlib.Path)
    parser.add_argument("--steps", type=int, default=52)
    parser.add_argument("--folder", help="for what is generated; a temporary one by default")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        measure(arguments.stage, arguments.steps, pathlib.Path(folder))


if __name__ == "__main__":
    main()
