#!/usr/bin/env python3
"""Measures what a compressed report costs its readers: time and largest memory of `rackproof show`, `judge` and `verify`
of one report, plain and compressed by zstd, in turn.

Usage: measure_compressed.py --rackproof PROGRAM [--rounds 5] REPORT.json
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile
import time


def cost(command):
    """Wall time, processor time, largest memory in MiB."""
    began = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, used = os.wait4(process.pid, 0)
    return time.monotonic() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", type=pathlib.Path)
    parser.add_argument("--rackproof", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rackproof-compressed-") as name:
        plain = pathlib.Path(name) / "report.json"
        plain.write_bytes(options.report.read_bytes())
        subprocess.run(["zstd", "-q", "-k", "-1", plain], check=True)
        files = {"plain": plain, "compressed": plain.with_name("report.json.zst")}
        print("| verb | form | size | wall time | processor time | largest memory |\n|---|---|---|---|---|---|")
        for words in (["show"], ["judge"], ["verify", "--unsigned"]):
            costs = {form: [] for form in files}
            for turn in range(options.rounds):
                for form in list(files)[:: 1 if turn % 2 == 0 else -1]:
                    costs[form].append(cost([options.rackproof, words[0], files[form], *words[1:]]))
            for form, rows in costs.items():
                wall, processor, memory = (statistics.median(column) for column in zip(*rows))
                print(f"| `{words[0]}` | {form} | {files[form].stat().st_size / 1e6:.2f} MB | {wall:.3f} s | "
                      f"{processor:.3f} s | {memory:.0f} MiB |", flush=True)


if __name__ == "__main__":
    main()
