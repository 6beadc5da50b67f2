#!/usr/bin/env python3
"""Runs GPU programs on machines that a host plays and in which something is wrong (docs/gpu-on-cpu.md).

RACKPROOF_BUILD is the build folder.
"""
import json
import os
import pathlib
import subprocess
import time
import unittest

PROGRAMS = pathlib.Path(os.environ["RACKPROOF_BUILD"]) / "libexec" / "rackproof"
DONE, USAGE, UNAVAILABLE, WRONG_ANSWER, DEVICE_ERROR = 0, 2, 3, 4, 5
STREAM = ["stream-cuda", "--size", "1M", "--iterations", "2", "--variant", "plain", "--type", "double"]
GROUP = ["collectives-nccl", "--ops", "all_reduce", "--begin", "4K", "--end", "4K", "--min-seconds", "0",
         "--iterations", "4"]


def run(machine, words, **environment):
    program, *arguments = words
    done = subprocess.run([PROGRAMS / program, "--json", *arguments], capture_output=True, text=True,
                          timeout=200, check=False,
                          env={**os.environ, "RACKPROOF_CUDA_HOST": machine, **environment})
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def devices(records):
    return [record["id"] for record in records if record["kind"] == "device"]


def uuid(kind, index):
    first = "19" if kind == "MIG" else "c9"
    return f"{kind}-{first}000000-0000-0000-0000-{index:012x}"


class Machines(unittest.TestCase):
    def ends(self, code, machine, words, text="", **environment):
        got, records, stderr = run(machine, words, **environment)
        self.assertEqual(got, code, stderr + json.dumps(records[-3:]))
        self.assertIn(text, stderr + json.dumps(records))
        return records

    def test_no_driver_and_an_old_one_and_no_device_are_told(self):
        self.ends(UNAVAILABLE, "driver=0", STREAM)
        self.ends(UNAVAILABLE, "driver=12040", STREAM, "too old")
        self.ends(UNAVAILABLE, "devices=0", STREAM)
        self.ends(UNAVAILABLE, "devices=2", STREAM, CUDA_VISIBLE_DEVICES="")

    def test_a_program_for_other_devices_blames_no_device(self):
        self.ends(DONE, "major=10,code=10", STREAM)
        self.ends(UNAVAILABLE, "major=8,code=9", STREAM, "built without kernels for this device")
        self.ends(UNAVAILABLE, "major=8,code=9,memory=600M", GROUP, "built without kernels for this device")

    def test_a_device_is_measured_by_its_uuid(self):
        for index in (0, 2):
            records = self.ends(DONE, "devices=3", [*STREAM, "--device", uuid("GPU", index)])
            self.assertEqual(devices(records), [uuid("GPU", index)])
        self.ends(USAGE, "devices=3", [*STREAM, "--device", uuid("GPU", 7)])

    def test_an_instance_of_mig_is_measured_under_its_own_name(self):
        for index in (0, 2):
            records = self.ends(DONE, "mig=3", [*STREAM, "--device", uuid("MIG", index)])
            self.assertEqual(devices(records), [uuid("MIG", index)])
        # The harness says it before the program starts; another instance is not taken for it.
        asked = [*STREAM, "--device", uuid("MIG", 1)]
        self.ends(DONE, "mig=3", asked, CUDA_VISIBLE_DEVICES=uuid("MIG", 1))
        self.ends(USAGE, "mig=3", asked, CUDA_VISIBLE_DEVICES=uuid("MIG", 2))

    def test_wrong_bits_in_what_lies_on_the_device_are_wrong_answers_of_an_alignment(self):
        words = ["align-cuda", "--queries", "1", "--subjects", "64", "--seconds", "0", "--passes", "1", "--sample-cells",
                 "100000", "--tile", "8x20-bytes-half2", "--threads", "1"]
        self.ends(DONE, "memory=1G", words)
        # From the queries, the table, the offsets, the letters on, and from the first scores on.
        for first in (1, 2, 3, 4, 8):
            with self.subTest(first):
                self.ends(WRONG_ANSWER, f"memory=1G,flip=0:{first}", words, "first_wrong")

    def test_a_memory_error_ends_a_run_and_is_named(self):
        self.ends(DEVICE_ERROR, "ecc=0:2", STREAM, "cudaErrorECCUncorrectable")
        self.ends(DEVICE_ERROR, "fault=0:1", STREAM, "the context is lost")
        # Of another device.
        self.ends(DONE, "devices=2,ecc=1:1", [*STREAM, "--device", "0"])

    def test_memory_that_cannot_be_had_is_told_with_what_is_free(self):
        self.ends(USAGE, "alloc=0:2", STREAM, "B are free")

    def test_a_group_is_right_and_one_wrong_bit_is_not(self):
        self.ends(DONE, "devices=2,memory=600M", GROUP)
        # Of operations that carry data: others let members begin together.
        for number in (1, 5, 9):
            records = self.ends(WRONG_ANSWER, f"devices=2,memory=600M,wrong=1:{number}", GROUP)
            wrong = [r for r in records if r["kind"] == "check" and not r["passed"]]
            self.assertTrue(wrong)

    def test_a_slow_member_makes_a_group_slow_and_right(self):
        begun = time.monotonic()
        self.ends(DONE, "devices=2,memory=600M,slow=1:20000", GROUP)
        self.assertGreater(time.monotonic() - begun, 0.08)

    def test_a_word_that_is_not_known_is_refused(self):
        got, _, stderr = run("devises=2", STREAM)
        self.assertEqual(got, USAGE)
        self.assertIn("'devises=2': no such word", stderr)


if __name__ == "__main__":
    unittest.main()
