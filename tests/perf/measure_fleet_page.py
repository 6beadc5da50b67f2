#!/usr/bin/env python3
"""How long the page of a fleet takes to write and to open.

    measure_fleet_page.py --build DIR [--racks 20] [--nights 50] [--devices 16] [--rounds N] [--folder DIR]

DIR is a build of rackproof with the page's script. The reports are those of many_racks.py, one a rack and night, in a ledger
that is made before the clock starts; the page is opened in headless Chromium (tests/page/measure.mjs). Prints a row of a table.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile

from many_racks import make_racks
from measure_trend import measured

SOURCE = pathlib.Path(__file__).resolve().parents[2]
MODULES = SOURCE / "build" / "tools" / "page" / "node_modules"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    for name, default in (("racks", 20), ("nights", 50), ("devices", 16), ("rounds", 5)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--folder", help="for what is generated; a temporary one by default")
    options = parser.parse_args()
    build = options.build.resolve()
    with tempfile.TemporaryDirectory(dir=options.folder, prefix="rackproof-racks-") as name:
        folder = pathlib.Path(name)
        make_racks(build, folder, options.racks, options.nights, options.devices)
        page = folder / "fleet.html"
        fleet = [build / "bin" / "rackproof", "fleet", "--ledger", folder / "fleet.sqlite"]
        added = measured(fleet + ["add", folder / "nights"])
        runs = [measured(fleet + ["page", "-o", page]) for _ in range(options.rounds)]
        node = shutil.which("node") or shutil.which("nodejs")
        seen = json.loads(subprocess.run([node, SOURCE / "tests" / "page" / "measure.mjs", page, str(options.rounds), "fleet"],
                                         check=True, capture_output=True, text=True,
                                         env=dict(os.environ, RACKPROOF_PAGE_MODULES=str(MODULES))).stdout)
        print("| racks x nights | devices | ledger made | page written | size | first paint | all drawn | search | order | "
              "elements |\n|---|---|---|---|---|---|---|---|---|---|")
        print(f"| {options.racks} x {options.nights} | {options.devices} | {added[0]:.1f} s | "
              f"{statistics.median(run[0] for run in runs):.2f} s | {page.stat().st_size / 1e6:.2f} MB | {seen['paint']} ms | "
              f"{seen['loaded']} ms | {seen['search']} ms | {seen['order']} ms | {seen['elements']} |", flush=True)


if __name__ == "__main__":
    main()
