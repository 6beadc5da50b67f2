#!/usr/bin/env python3
"""Runs collectives-nccl as members of a group, one process a device, as a harness does.

Exit 77, with the reason, where there is no device. RACKPROOF_BUILD is the build folder; with RACKPROOF_SIZES=host
sizes are those for a CPU that plays the devices.
"""
import json
import os
import pathlib
import subprocess
import sys
import time
import unittest

BUILD = pathlib.Path(os.environ.get("RACKPROOF_BUILD", "build/gpu"))
PROGRAM = BUILD / "libexec" / "rackproof" / "collectives-nccl"
SHORT = ["--json", "--ops", "all_reduce,alltoall", "--begin", "64", "--end", "1M", "--factor", "128",
         "--min-seconds", "0.02"]
if os.environ.get("RACKPROOF_SIZES") == "host":
    SHORT[SHORT.index("1M")] = "64K"
LOOK = ["--json", "--ops", "all_reduce", "--begin", "64", "--end", "64", "--min-seconds", "0.02"]
SKIPPED = 77
USAGE = 2
UNAVAILABLE = 3
GAVE_UP = 6
GROUP = "members-test.1"


def start(rank, ranks, device, extra=()):
    words = [PROGRAM, *SHORT, "--ranks", str(ranks), "--rank", str(rank), "--device", device, *extra]
    environment = dict(os.environ, RACKPROOF_GROUP=GROUP, RACKPROOF_NONCE=f"n{rank}")
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env=environment)


def token_of(member):
    for line in member.stdout:
        record = json.loads(line)
        if record["kind"] == "token":
            return record
    return None


def token_line(token, ranks, group=GROUP):
    return f"rackproof-token {group} {ranks} {token['name']} {token['value']}\n"


def devices():
    done = subprocess.run([PROGRAM, *LOOK], capture_output=True, text=True, timeout=200, check=False)
    if done.returncode == UNAVAILABLE:
        return []
    if done.returncode != 0:
        # A skip is for machines without a device alone.
        sys.exit(f"{PROGRAM} ended with {done.returncode}: {done.stderr.strip()}")
    records = [json.loads(line) for line in done.stdout.splitlines()]
    return [record["id"] for record in records if record["kind"] == "device"]


class Members(unittest.TestCase):
    def test_a_member_alone(self):
        member = start(0, 1, DEVICES[0])
        out, err = member.communicate(timeout=200)
        self.assertEqual(member.returncode, 0, err)
        metrics = [json.loads(line) for line in out.splitlines() if '"kind":"metric"' in line]
        bring_up = [m for m in metrics if m["name"] == "collectives.bringup"]
        self.assertEqual(len(bring_up), 1)
        self.assertLess(bring_up[0]["value"], 3)

    def test_all_devices_as_a_group(self):
        if len(DEVICES) < 2:
            self.skipTest("one device")
        ranks = len(DEVICES)
        first = start(0, ranks, DEVICES[0])
        first.stdin.close()
        first.stdin = None
        token = token_of(first)
        self.assertIsNotNone(token)
        others = [start(rank, ranks, DEVICES[rank]) for rank in range(1, ranks)]
        for other in others:
            other.stdin.write(token_line(token, ranks))
            other.stdin.close()
            other.stdin = None
        out, err = first.communicate(timeout=200)
        self.assertEqual(first.returncode, 0, err)
        self.assertIn("all_reduce.busbw", out)
        for other in others:
            out, err = other.communicate(timeout=200)
            self.assertEqual(other.returncode, 0, err)
            self.assertNotIn("busbw", out)

    def test_a_member_that_does_not_come_ends_the_group_at_the_bring_up_deadline(self):
        begun = time.monotonic()
        first = start(0, 2, DEVICES[0], ["--bring-up", "3"])
        _, err = first.communicate(timeout=200)
        self.assertEqual(first.returncode, GAVE_UP, err)
        self.assertIn("did not come together within 3 s", err)
        self.assertLess(time.monotonic() - begun, 40)

    def test_a_token_that_is_not_for_this_member_is_refused(self):
        token = {"name": "nccl", "value": "nccl1:" + "0" * 256}
        short = {"name": "nccl", "value": "nccl1:00"}
        for line, word in ((token_line(token, 2, "other.1"), "another group"),
                           (token_line(token, 3), "members"), (token_line(short, 2), "short"),
                           ("", "no token"), ("garbage\n", "no token")):
            member = start(1, 2, DEVICES[0])
            _, err = member.communicate(line, timeout=200)
            self.assertEqual(member.returncode, USAGE, err)
            self.assertIn(word, err)


if __name__ == "__main__":
    if not PROGRAM.exists():
        print(f"skipped: {PROGRAM} is not built")
        sys.exit(SKIPPED)
    DEVICES = devices()
    if not DEVICES:
        print("skipped: no device")
        sys.exit(SKIPPED)
    unittest.main()
