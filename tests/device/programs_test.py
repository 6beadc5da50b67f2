#!/usr/bin/env python3
"""Runs each GPU program on the first device: records are whole and proved, a wrong bit is caught.

Exit 77, with the reason, where there is no device. RACKPROOF_BUILD is the build folder; with RACKPROOF_SIZES=host
sizes are those for a CPU that plays the device. With --print it only prints each program with the arguments of its
short run.
"""
import json
import os
import pathlib
import subprocess
import sys
import unittest

BUILD = pathlib.Path(os.environ.get("RACKPROOF_BUILD", "build/gpu"))
PROGRAMS = BUILD / "libexec" / "rackproof"
SKIPPED = 77
UNAVAILABLE = 3
WRONG_ANSWER = 4

# program -> arguments of a short run on one device
SHORT = {
    "stream-cuda": ["--size", "512M", "--iterations", "5", "--type", "double,float"],
    "copy-cuda": ["--size", "64M", "--copies", "4", "--samples", "3", "--tests", "h2d,d2h,latency"],
    "gemm-cuda": ["--shape", "1024", "--seconds", "0.2", "--settle", "0", "--burst", "0.1",
                  "--search-seconds", "0.2"],
    "burn-cuda": ["--dtype", "bf16,fp64", "--seconds", "2", "--window", "0.2", "--size", "1024",
                  "--memory-fraction", "0.1", "--search-seconds", "0.2"],
    "align-cuda": ["--subjects", "65536", "--seconds", "0.2", "--passes", "2"],
    "collectives-nccl": ["--ops", "all_reduce,all_gather", "--begin", "64", "--end", "16M", "--factor",
                         "512", "--min-seconds", "0.02"],
}
LOOK = ["--size", "512M", "--iterations", "2"]  # of stream-cuda: is there a device?
if os.environ.get("RACKPROOF_SIZES") == "host":
    SHORT = {
        "stream-cuda": ["--size", "1M", "--iterations", "2", "--type", "double,float", "--variant",
                        "plain"],
        "copy-cuda": ["--size", "64K", "--copies", "2", "--samples", "2", "--tests", "h2d,d2h,latency"],
        "gemm-cuda": ["--shape", "128", "--seconds", "0.1", "--settle", "0", "--burst", "0.05",
                      "--search-seconds", "0.05"],
        "burn-cuda": ["--dtype", "bf16,fp64", "--seconds", "2", "--window", "0.2", "--size", "128",
                      "--depth", "128", "--memory-fraction", "0.14", "--search-seconds", "0.05"],
        "align-cuda": ["--queries", "1", "--subjects", "64", "--seconds", "0", "--passes", "2", "--verify",
                       "sampled", "--sample-cells", "100000", "--tile", "8x20-bytes"],
        "collectives-nccl": ["--ops", "all_reduce,all_gather", "--begin", "64", "--end", "64K",
                             "--factor", "1024", "--min-seconds", "0.01"],
    }
    LOOK = ["--size", "1M", "--iterations", "2", "--variant", "plain"]


def run(program, arguments, timeout=200):
    done = subprocess.run([PROGRAMS / program, "--json", *arguments], capture_output=True, text=True,
                          timeout=timeout, check=False)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def built():
    return {name: words for name, words in SHORT.items() if (PROGRAMS / name).exists()}


class Programs(unittest.TestCase):
    def test_a_short_run_is_whole_and_proved(self):
        for program, arguments in built().items():
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
        for program, arguments in built().items():
            with self.subTest(program):
                code, records, stderr = run(program, [*arguments, "--inject", "bitflip:12345:3"])
                self.assertEqual(code, WRONG_ANSWER, stderr)
                self.assertIn("fault_injected", json.dumps(records[0]))
                failed = [r for r in records if r["kind"] == "check" and not r["passed"]]
                self.assertTrue(failed)
                self.assertTrue(any("first_wrong" in check for check in failed))

    def test_a_bit_that_burn_makes_wrong_itself_is_caught(self):
        if "burn-cuda" not in built():
            self.skipTest("burn-cuda is not built")
        code, records, stderr = run("burn-cuda", [*SHORT["burn-cuda"], "--flip", "1"])
        self.assertEqual(code, WRONG_ANSWER, stderr)
        self.assertEqual(records[0]["fault_injected"], "flip:1")
        wrong = [r for r in records if r["kind"] == "check" and not r["passed"]]
        self.assertEqual([check["wrong"] for check in wrong], [1])
        self.assertIn("window", wrong[0]["first_wrong"]["where"])

    def test_a_device_that_is_not_there_is_refused(self):
        for program in built():
            with self.subTest(program):
                self.assertEqual(run(program, ["--device", "999"])[0], 2)


if __name__ == "__main__":
    if "--print" in sys.argv:
        print("\n".join(" ".join([name, *words]) for name, words in SHORT.items()))
        sys.exit(0)
    code, _, said = run("stream-cuda", LOOK)
    if code == UNAVAILABLE:
        print("skipped:", said.strip())
        sys.exit(SKIPPED)
    unittest.main()
