#!/usr/bin/env python3
"""Measures what signing and verifying cost: processor and wall time of `rackproof sign` and `rackproof verify`, for a
run of this machine with its journals beside it, and for made reports of many devices without any.

Usage: measure_signoff.py --build DIR [--suite smoke] [--devices 8,64] [--rounds 5]
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile
import time


def cost(command, folder):
    before = os.times()
    began = time.monotonic()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    wall = time.monotonic() - began
    after = os.times()
    if done.returncode != 0:
        raise SystemExit(f"{command[1]} ended with {done.returncode}: {done.stdout}{done.stderr}")
    return (after.children_user + after.children_system - before.children_user - before.children_system, wall)


def show(what, size, costs):
    processor, wall = (statistics.median(column) for column in zip(*costs))
    print(f"| {what} | {size / 1e6:.2f} MB | {processor:.3f} s | {wall:.3f} s |", flush=True)


def measure(name, rackproof, report, rounds, folder):
    sign = [rackproof, "sign", report, "--key", "key", "--role", "vendor", "--signer", "v@example.com", "--replace"]
    size = (folder / report / "report.json").stat().st_size
    show(f"sign, {name}", size, [cost(sign, folder) for _ in range(rounds)])
    show(f"verify, {name}", size,
         [cost([rackproof, "verify", report, "--signers", "signers"], folder) for _ in range(rounds)])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--suite", default="smoke")
    parser.add_argument("--devices", default="8,64")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    stage = options.build.resolve() / "tests" / "stage" / "bin" / "rackproof"
    with tempfile.TemporaryDirectory(prefix="rackproof-signoff-") as name:
        folder = pathlib.Path(name)
        subprocess.run(["/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", folder / "key"],
                       check=True)
        (folder / "signers").write_text("v@example.com " + (folder / "key.pub").read_text())
        subprocess.run([stage, "run", "--suite", options.suite, "--out", "run"], cwd=folder, capture_output=True)
        print("| what | report | processor time | wall time |\n|---|---|---|---|")
        measure(f"a run of `{options.suite}` and its journals", stage, "run", options.rounds, folder)
        for devices in options.devices.split(","):
            (folder / devices).mkdir()
            with open(folder / "made.json", "wb") as made:
                subprocess.run([options.build.resolve() / "tests" / "perf" / "make_report", devices], stdout=made,
                               check=True)
            subprocess.run([stage, "judge", "made.json", "-o", f"{devices}/report.json"], cwd=folder,
                           capture_output=True)
            measure(f"{devices} devices", stage, devices, options.rounds, folder)


if __name__ == "__main__":
    main()
