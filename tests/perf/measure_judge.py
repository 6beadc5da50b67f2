#!/usr/bin/env python3
"""Times rackproof on reports and tables of many devices, as they grow.

    measure_judge.py --build DIR [--rounds N] [--devices 1000,10000,100000] [--folder DIR]

DIR is a build of rackproof. Generates a report of each number of devices (60 metrics, 10 samples; make_report.cpp) and a table of as
many nodes (462 metrics; make_rows.cpp), and prints for each verb medians over the rounds: wall time,
processor time of all threads, and the largest memory. The largest of them take 10 GB in the folder.
"""
import argparse
import math
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

GENERATORS = {"judge": "make_report", "diagnose": "make_rows"}


def measured(command):
    """Wall seconds, processor seconds and MiB of one run."""
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    took = time.monotonic() - began
    code = os.waitstatus_to_exitcode(status)
    # 3: one device is slow in each report and each table.
    if code != 3:
        raise SystemExit(f"{' '.join(command)}: exit code {code}\n{errors.decode()}")
    return took, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def generated(build, folder, verb, count):
    path = folder / f"{verb}-{count}.json"
    with open(path, "wb") as stream:
        subprocess.run([str(build / "tests" / "perf" / GENERATORS[verb]), str(count)],
                       stdout=stream, check=True)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--devices", default="1000,10000,100000")
    parser.add_argument("--folder", help="for what is generated; a temporary one by default")
    arguments = parser.parse_args()
    counts = [int(count) for count in arguments.devices.split(",")]
    print(f"{'verb':<9} {'devices':>8} {'input MB':>9} {'s':>8} {'[least, most]':>18} {'cpu s':>7} {'MiB':>6} "
          "  growth")
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        for verb in GENERATORS:
            before = None
            for count in counts:
                path = generated(arguments.build, pathlib.Path(folder), verb, count)
                runs = [measured([str(arguments.build / "bin" / "rackproof"), verb, str(path)])
                        for _ in range(arguments.rounds)]
                seconds = [run[0] for run in runs]
                middle = statistics.median(seconds)
                growth = ""
                if before:
                    exponent = math.log(middle / before[1]) / math.log(count / before[0])
                    growth = f"n^{exponent:.2f}"
                span = f"[{min(seconds):.2f}, {max(seconds):.2f}]"
                print(f"{verb:<9} {count:>8} {path.stat().st_size / 1e6:>9.0f} {middle:>8.3f} "
                      f"{span:>18} {statistics.median(run[1] for run in runs):>7.2f} "
                      f"{statistics.median(run[2] for run in runs):>6.0f}   {growth}",
                      flush=True)
                before = (count, middle)
                path.unlink()


if __name__ == "__main__":
    main()
