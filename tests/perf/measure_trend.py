#!/usr/bin/env python3
"""Times `rackproof trend` over the reports of many nights: without its index, making it, and with it.

    measure_trend.py --build DIR [--rounds N] [--reports 1000] [--devices 64] [--folder DIR]

DIR is a build of rackproof. One report is made (60 metrics a device, 10 samples; make_report.cpp) and judged; each
night is that report with an id, a date and numbers of its own (noise of 0.3 %; the last third of the nights is 3 %
slower in step `gemm`). 1,000 reports of 64 devices take 7 GB in the folder. `read` is with an index whose times do not
hold, so that each report is read for its digest. All answers have to be the same, byte for byte.
"""
import argparse
import contextlib
import datetime
import os
import pathlib
import random
import re
import statistics
import subprocess
import tempfile
import time

OBSERVED = re.compile(rb'(?<="observed": )([0-9.e+]+)')
RUN_ID = re.compile(rb'"id": "large"')
BEGAN = re.compile(rb'"began_utc": "[^"]*"')


def make_nights(build, folder, devices, count):
    """Gives the size of one report."""
    raw = folder / "raw.json"
    with open(raw, "wb") as stream:
        subprocess.run([build / "tests" / "perf" / "make_report", str(devices)], stdout=stream, check=True)
    judged = folder / "judged.json"
    subprocess.run([build / "bin" / "rackproof", "judge", raw, "--out", judged], stdout=subprocess.DEVNULL, check=False)
    # Text, number, text, number, ...: written anew with other numbers.
    parts = OBSERVED.split(judged.read_bytes())
    slow = [part[part.rfind(b'"step": "'):].startswith(b'"step": "gemm"') for part in parts[0:-1:2]]
    values = [float(value) for value in parts[1::2]]
    raw.unlink()
    judged.unlink()
    if not any(slow):
        raise SystemExit("measure_trend: no number of step gemm in the judged report")
    noise = random.Random(7)
    for night in range(count):
        factors = [0.97 if one and 3 * night >= 2 * count else 1.0 for one in slow]
        parts[1::2] = [b"%.1f" % (value * factor * (1 + noise.gauss(0, 0.003)))
                       for value, factor in zip(values, factors)]
        began = datetime.datetime(2023, 1, 1, 2) + datetime.timedelta(days=night)
        text = RUN_ID.sub(b'"id": "night%05d"' % night, b"".join(parts), count=1)
        text = BEGAN.sub(began.strftime('"began_utc": "%Y-%m-%dT%H:%M:%S.000Z"').encode(), text, count=1)
        path = folder / "nights" / f"{night:05}" / "report.json"
        path.parent.mkdir(parents=True)
        path.write_bytes(text)
    return len(text)


def measured(command):
    """Wall seconds, processor seconds, MiB and answer of one run."""
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    answer = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    took = time.monotonic() - began
    code = os.waitstatus_to_exitcode(status)
    if code != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: exit code {code}")
    return took, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, answer


@contextlib.contextmanager
def many_nights(about):
    """The command line and a folder whose `nights` has the reports that it asks for."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--reports", type=int, default=1000)
    parser.add_argument("--devices", type=int, default=64)
    parser.add_argument("--folder", help="for what is generated; a temporary one by default")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder, prefix="rackproof-nights-") as name:
        folder = pathlib.Path(name)
        size = make_nights(arguments.build, folder, arguments.devices, arguments.reports)
        print(f"{arguments.reports} reports of {arguments.devices} devices, {size / 1e6:.1f} MB each")
        yield arguments, folder


def main():
    with many_nights(__doc__) as (arguments, folder):
        trend = [arguments.build / "bin" / "rackproof", "trend", folder / "nights", "--json"]
        index = folder / "index"
        answers = set()
        for what, rounds in (("without", 1), ("cold", 1), ("warm", arguments.rounds), ("read", arguments.rounds)):
            runs = []
            for _ in range(rounds):
                if what == "read":
                    for path in (folder / "nights").glob("*/report.json"):
                        os.utime(path)
                runs.append(measured(trend + (["--no-index"] if what == "without" else ["--index", index])))
            answers.update(run[3] for run in runs)
            seconds = [run[0] for run in runs]
            print(f"{what:<8} {statistics.median(seconds):7.2f} s [{min(seconds):.2f}, {max(seconds):.2f}]  "
                  f"{statistics.median(run[1] for run in runs):7.2f} cpu s  "
                  f"{statistics.median(run[2] for run in runs):6.0f} MiB", flush=True)
        print(f"index: {index.stat().st_size / 1e6:.1f} MB")
        if len(answers) != 1:
            raise SystemExit("measure_trend: the answers are not the same")


if __name__ == "__main__":
    main()
