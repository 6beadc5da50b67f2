#!/usr/bin/env python3
"""Runs steps-nccl over all GPUs by hand, and as one process for each. Exit 77 with fewer than two.

Usage: members_test.py PROGRAM
"""
import json
import os
import subprocess
import sys
import unittest

PROGRAM = sys.argv[1]
SKIPPED = 77
USAGE = 2
UNAVAILABLE = 3
WRONG_ANSWER = 4
SHORT = ["--json", "--rounds", "6"]
SWEEP = ["--messages", "sweep", "--sizes", "64M"]
NAMES = ("compute_time", "message_time", "joint_time", "overlap", "compute_slowdown", "message_slowdown")
ON_HOST = os.environ.get("RACKPROOF_SIZES") == "host"
if ON_HOST:
    SHORT += ["--scale", "64", "--sequence", "64"]
    SWEEP = ["--messages", "sweep", "--sizes", "64K"]


def records_of(text):
    return [json.loads(line) for line in text.splitlines()]


def by_hand(*arguments, short=None):
    done = subprocess.run([PROGRAM, *(short or SHORT), *arguments], capture_output=True, text=True, timeout=250, check=False)
    return done.returncode, records_of(done.stdout), done.stderr


def of_kind(records, kind):
    return [record for record in records if record["kind"] == kind]


class Members(unittest.TestCase):
    def whole(self, records, cells):
        passed = {check["name"] for check in of_kind(records, "check") if check["passed"]}
        self.assertEqual(len(passed), cells)
        self.assertEqual(len(of_kind(records, "check")), cells)
        metrics = of_kind(records, "metric")
        self.assertEqual(sorted(metric["name"] for metric in metrics),
                         sorted(f"steps.{name}" for name in NAMES for _ in range(cells)))
        for metric in metrics:
            self.assertIn(metric["check"], passed)
            self.assertEqual(len(metric["samples"]), 6)
            self.assertEqual(metric["parameters"]["dp"], len(DEVICES))
        for name in ("compute_time", "message_time", "joint_time"):
            self.assertTrue(all(metric["value"] > 0 for metric in metrics if metric["name"] == f"steps.{name}"))

    def test_by_hand(self):
        code, records, stderr = by_hand("--messages", "gradients,sweep", *SWEEP[2:])
        self.assertEqual(code, 0, stderr)
        self.whole(records, 2)
        gradients = next(metric for metric in of_kind(records, "metric") if metric["parameters"]["message"] == "gradients")
        note = next(note for note in of_kind(records, "note") if "layer_parameters" in note["facts"])
        self.assertEqual(gradients["parameters"]["bytes"], 2 * note["facts"]["layer_parameters"])

    def test_one_wrong_bit_of_a_sum_is_found_in_its_rank_and_element(self):
        code, records, stderr = by_hand(*SWEEP, "--inject", "bitflip:77:3")
        self.assertEqual(code, WRONG_ANSWER, stderr)
        check, = of_kind(records, "check")
        self.assertEqual((check["passed"], check["wrong"]), (False, 1))
        last = len(DEVICES) - 1
        self.assertEqual(check["first_wrong"]["where"], f"rank {last}, sweep all-reduce, element 77")
        self.assertEqual(check["first_wrong"]["rank"], last)

    def test_products_that_wait_for_the_message_hide_nothing(self):
        _, records, stderr = by_hand(*SWEEP, "--plant", "serialised")
        value = {metric["name"].split(".")[1]: metric["value"] for metric in of_kind(records, "metric")}
        message = value["message_slowdown"] * value["message_time"]
        products = value["compute_slowdown"] * value["compute_time"]
        # One after the other: the whole is the sum of its parts. Beside each other it is the longer of the two.
        self.assertGreater(value["joint_time"], 0.8 * (message + products), stderr)
        self.assertEqual(records[0]["fault_injected"], "serialised")

    def test_one_process_for_each_device(self):
        ranks = len(DEVICES)
        environment = {**os.environ, "RACKPROOF_GROUP": "test-group"}
        programs = []
        for rank, device in enumerate(DEVICES):
            words = [PROGRAM, *SHORT, *SWEEP, "--ranks", str(ranks), "--rank", str(rank), "--device", device]
            programs.append(subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                             env=environment))
            if rank > 0:
                programs[rank].stdin.write(line)
                programs[rank].stdin.close()
                continue
            programs[0].stdin.close()
            head = []
            while not head or head[-1]["kind"] != "token":
                head.append(json.loads(programs[0].stdout.readline()))
            token = head[-1]
            line = f"rackproof-token test-group {ranks} {token['name']} {token['value']}\n"
        said = [records_of(program.stdout.read()) for program in programs]
        self.assertEqual([program.wait(timeout=60) for program in programs], [0] * ranks)
        self.whole(said[0], 1)
        for records in said[1:]:
            self.assertFalse(of_kind(records, "metric") + of_kind(records, "check"))
            self.assertEqual(records[-1]["exit_code"], 0)

    def test_what_cannot_be_is_refused_before_a_group_is_brought_up(self):
        for arguments, words in ((["--scale", "3"], "--scale 3: expected a divisor"),
                                 (["--messages", "sweep", "--sizes", "3"], "--sizes 3: expected a multiple of 2 bytes"),
                                 (["--plant", "x"], "--plant x: expected serialised"),
                                 (["--messages", "sweep", "--sizes", "1T"], "GB more than it has")):
            code, records, stderr = by_hand(*arguments, short=["--json"])
            self.assertEqual(code, USAGE, arguments)
            self.assertIn(words, stderr)
            self.assertFalse(of_kind(records, "token") + of_kind(records, "metric"))


CODE, FIRST, STDERR = by_hand(*SWEEP)
DEVICES = [record["id"] for record in of_kind(FIRST, "device")]
if CODE not in (0, UNAVAILABLE):
    sys.exit(f"{PROGRAM} ended with {CODE}: {STDERR.strip()}")
if CODE == UNAVAILABLE or len(DEVICES) < 2:
    print("skipped:", STDERR.strip())
    sys.exit(SKIPPED)
unittest.main(argv=sys.argv[:1])
