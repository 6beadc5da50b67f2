#!/usr/bin/env python3
"""Runs each GPU program on the first device: records are whole and proved, a wrong bit is caught.

Which programs there are and how they are run for a moment is told by the benches themselves (scripts/programs). Exit 77,
with the reason, where there is no device. RACKPROOF_BUILD is the build folder; with RACKPROOF_SIZES=host sizes are those
for a CPU that plays the device.
"""
import json
import os
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("RACKPROOF_BUILD", "build/gpu"))
PROGRAMS = BUILD / "libexec" / "rackproof"
PLAYED = os.environ.get("RACKPROOF_SIZES") == "host"
SKIPPED = 77
UNAVAILABLE = 3
WRONG_ANSWER = 4


def told(what):
    """Program and arguments of each run of this kind, of the programs that are built."""
    done = subprocess.run([ROOT / "scripts" / "programs", "--backend", "cuda", "--backend", "nccl", what],
                          capture_output=True, text=True, check=True)
    runs = [line.split() for line in done.stdout.splitlines()]
    return [(words[0], words[1:]) for words in runs if (PROGRAMS / words[0]).exists()]


SHORT = told("played" if PLAYED else "brief")
FAULTS = told("played-faults" if PLAYED else "faults")


def run(program, arguments, timeout=200):
    done = subprocess.run([PROGRAMS / program, "--json", *arguments], capture_output=True, text=True,
                          timeout=timeout, check=False)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr


class Programs(unittest.TestCase):
    def test_a_short_run_is_whole_and_proved(self):
        for program, arguments in SHORT:
            with self.subTest(program):
                code, records, stderr = run(program, arguments)
                self.assertEqual(code, 0, stderr)
                self.assertEqual(records[0]["kind"], "hello")
                self.assertEqual(records[-1]["kind"], "end")
                passed = {r["name"] for r in records if r["kind"] == "check" and r["passed"]}
                metrics = [r for r in records if r["kind"] == "metric"]
                self.assertTrue(metrics)
                for metric in metrics:
                    self.assertIn(metric["check"], passed)
                    self.assertGreater(metric["value"], 0)

    def test_a_wrong_bit_is_caught_and_located(self):
        for program, arguments in SHORT:
            with self.subTest(program):
                code, records, stderr = run(program, [*arguments, "--inject", "bitflip:12345:3"])
                self.assertEqual(code, WRONG_ANSWER, stderr)
                self.assertIn("fault_injected", json.dumps(records[0]))
                failed = [r for r in records if r["kind"] == "check" and not r["passed"]]
                self.assertTrue(failed)
                self.assertTrue(any("first_wrong" in check for check in failed))

    def test_a_fault_that_a_program_makes_of_its_own_is_caught_and_located(self):
        for program, arguments in FAULTS:
            with self.subTest(program, arguments=arguments):
                code, records, stderr = run(program, arguments)
                self.assertEqual(code, WRONG_ANSWER, stderr)
                self.assertTrue(records[0]["fault_injected"])
                failed = [r for r in records if r["kind"] == "check" and not r["passed"]]
                self.assertTrue(any("first_wrong" in check for check in failed), failed)

    def test_a_device_that_is_not_there_is_refused(self):
        for program, _ in SHORT:
            with self.subTest(program):
                self.assertEqual(run(program, ["--device", "999"])[0], 2)


if __name__ == "__main__":
    if not SHORT:
        sys.exit(f"no GPU program is built in {PROGRAMS}")
    code, _, said = run(*SHORT[-1])
    if code == UNAVAILABLE:
        print("skipped:", said.strip())
        sys.exit(SKIPPED)
    unittest.main()
