#!/usr/bin/env python3
"""How long the page of a large report takes to write and to open.

  measure_page.py --build DIR [--devices N] [--rounds N]

DIR is a build of rackproof with the page's script. Generates and judges a report of N devices (20 and 60 metrics;
make_report.cpp), renders it as Markdown and as a page in turn, whose difference is the page's own time, and opens the
page in headless Chromium (tests/page/measure.mjs). Prints a table.
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

SOURCE = pathlib.Path(__file__).resolve().parents[2]
MODULES = SOURCE / "build" / "tools" / "page" / "node_modules"


def seconds(command, **more):
    began = time.monotonic()
    subprocess.run(command, check=True, **more)
    return time.monotonic() - began


def measure(build, devices, steps, rounds, folder):
    rackproof = build / "bin" / "rackproof"
    report, judged, page = folder / "report.json", folder / "judged.json", folder / "page.html"
    with open(report, "wb") as made:
        subprocess.run([build / "tests" / "perf" / "make_report", str(devices), str(steps)], stdout=made, check=True)
    # Judged: some fail, so that its exit code is not 0.
    subprocess.run([rackproof, "judge", report, "-o", judged], stdout=subprocess.DEVNULL, check=False)
    times = {"md": [], "html": []}
    for _ in range(rounds):
        for form in times:
            out = page if form == "html" else folder / "page.md"
            times[form].append(seconds([rackproof, "render", "--format", form, "-o", out, judged]))
    node = shutil.which("node") or shutil.which("nodejs")
    seen = json.loads(subprocess.run([node, SOURCE / "tests" / "page" / "measure.mjs", page, str(rounds)], check=True,
                                     capture_output=True, text=True,
                                     env=dict(os.environ, RACKPROOF_PAGE_MODULES=str(MODULES))).stdout)
    script = len((build / "generated" / "reports" / "html" / "script.hpp").read_bytes())
    html, markdown = statistics.median(times["html"]), statistics.median(times["md"])
    print(f"| {devices} x {steps * 10} | {html:.2f} s | {html - markdown:.2f} s | {page.stat().st_size / 1e6:.2f} MB | "
          f"{script / 1e6:.2f} MB | {seen['paint']} ms | {seen['loaded']} ms | {seen['search']} ms | {seen['order']} ms | "
          f"{seen['elements']} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--devices", type=int, default=10000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print("| devices x metrics | read and written | the page's share | size | of it script | first paint | all drawn | "
          "search | order | elements |\n|---|---|---|---|---|---|---|---|---|---|")
    for steps in (2, 6):
        with tempfile.TemporaryDirectory(dir=options.build) as folder:
            measure(options.build.resolve(), options.devices, steps, options.rounds, pathlib.Path(folder))


if __name__ == "__main__":
    main()
