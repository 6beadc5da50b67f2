#!/usr/bin/env python3
"""Runs pairs-nccl over all GPUs by hand, and as one process for each. Exit 77 with fewer than two.

Usage: members_test.py PROGRAM
"""
import json
import os
import subprocess
import sys
import unittest

PROGRAM = sys.argv[1]
SKIPPED = 77
UNAVAILABLE = 3
WRONG_ANSWER = 4
SHORT = ["--json", "--sizes", "8,1M", "--samples", "3"]
if os.environ.get("RACKPROOF_SIZES") == "host":
    SHORT = ["--json", "--sizes", "8,16K", "--samples", "3"]


def records_of(text):
    return [json.loads(line) for line in text.splitlines()]


def by_hand(*arguments):
    done = subprocess.run([PROGRAM, *SHORT, *arguments], capture_output=True, text=True, timeout=250,
                          check=False)
    return done.returncode, records_of(done.stdout), done.stderr


def devices_of(records):
    return [record["id"] for record in records if record["kind"] == "device"]


class Members(unittest.TestCase):
    def whole(self, records, ranks):
        passed = {r["name"] for r in records if r["kind"] == "check" and r["passed"]}
        self.assertFalse([r for r in records if r["kind"] == "check" and not r["passed"]])
        metrics = [r for r in records if r["kind"] == "metric"]
        links = [m for m in metrics if m["subject"]["kind"] == "link"]
        self.assertEqual(len(links), ranks * (ranks - 1) // 2 * 2 * 4)
        for metric in metrics:
            self.assertIn(metric["check"], passed)
            self.assertGreater(metric["value"], 0)

    def test_by_hand(self):
        code, records, stderr = by_hand()
        self.assertEqual(code, 0, stderr)
        self.whole(records, len(DEVICES))

    def test_one_wrong_bit_is_found(self):
        code, records, stderr = by_hand("--inject", "bitflip:7:3")
        self.assertEqual(code, WRONG_ANSWER, stderr)
        failed = [r["name"] for r in records if r["kind"] == "check" and not r["passed"]]
        self.assertEqual(len(failed), 2)

    def test_one_process_for_each_device(self):
        ranks = len(DEVICES)
        environment = {**os.environ, "RACKPROOF_GROUP": "test-group"}
        programs = []
        for rank, device in enumerate(DEVICES):
            words = [PROGRAM, *SHORT, "--ranks", str(ranks), "--rank", str(rank), "--device", device]
            programs.append(subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                             text=True, env=environment))
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
        self.whole(said[0], ranks)
        for records in said[1:]:
            self.assertFalse([r for r in records if r["kind"] == "metric"])
            self.assertEqual(records[-1]["exit_code"], 0)


CODE, FIRST, STDERR = by_hand("--tests", "latency")
DEVICES = devices_of(FIRST)
if CODE not in (0, UNAVAILABLE):
    sys.exit(f"{PROGRAM} ended with {CODE}: {STDERR.strip()}")
if CODE == UNAVAILABLE or len(DEVICES) < 2:
    print("skipped:", STDERR.strip())
    sys.exit(SKIPPED)
unittest.main(argv=sys.argv[:1])
