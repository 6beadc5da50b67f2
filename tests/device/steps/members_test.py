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
STEPS = ["--json", "--layers", "2", "--steps", "3"]
ON_HOST = os.environ.get("RACKPROOF_SIZES") == "host"
if ON_HOST:
    SHORT += ["--scale", "64", "--sequence", "64"]
    STEPS += ["--scale", "64", "--sequence", "64"]
    SWEEP = ["--messages", "sweep", "--sizes", "64K"]


def records_of(text):
    return [json.loads(line) for line in text.splitlines()]


def by_hand(*arguments, short=None, machine=None):
    played = {"RACKPROOF_CUDA_HOST": machine} if machine else {}
    done = subprocess.run([PROGRAM, *(short or SHORT), *arguments], capture_output=True, text=True, timeout=250, check=False,
                          env={**os.environ, **played})
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

    def test_steps_are_proved_however_ranks_share_the_model(self):
        for sharing in ("data", "fsdp") + (("tensor",) if len(DEVICES) in (2, 4, 8) else ()):
            code, records, stderr = by_hand("--parts", "train", "--sharing", sharing, short=STEPS)
            self.assertEqual(code, 0, stderr)
            check, = of_kind(records, "check")
            self.assertTrue(check["passed"] and check["name"] == "steps.train" and check["compared"] > 0)
            value = {metric["name"].split(".")[1]: metric for metric in of_kind(records, "metric")}
            self.assertEqual(set(value), {"step_time", "step_time_p99", "step_time_predicted", "step_over_parts", "mfu", "slowest_rank"})
            self.assertEqual(len(value["step_time"]["samples"]), 3)
            parameters = value["step_time"]["parameters"]
            self.assertEqual(parameters["tp"] * parameters["dp"], len(DEVICES))
            self.assertEqual(parameters.get("fsdp", False), sharing == "fsdp")

    @unittest.skipUnless(ON_HOST, "it takes messages that are late on purpose")
    def test_nothing_hides_the_messages_that_products_wait_for(self):
        if len(DEVICES) != 4:
            self.skipTest("a tensor group of so many ranks does not fit the card")
        machine = os.environ["RACKPROOF_CUDA_HOST"] + ",slow=1:20000"
        for _ in range(5):
            code, records, stderr = by_hand("--parts", "train", "--sharing", "tensor", "--plant", "slow-gemm:0:4000",
                                            short=STEPS, machine=machine)
            self.assertEqual(code, 0, stderr)
            value = {metric["name"].split(".")[1]: metric["value"] for metric in of_kind(records, "metric")}
            # Products take about as long as messages: beside each other they would take half.
            if value["step_time"] > 0.75 * value["step_time_predicted"]:
                break
        self.assertGreater(value["step_time"], 0.75 * value["step_time_predicted"])

    def test_passes_forward_are_proved(self):
        if len(DEVICES) not in (2, 4, 8):
            self.skipTest("a tensor group of so many ranks does not fit the card")
        code, records, stderr = by_hand("--parts", "prefill,decode", "--batches", "1,8", short=STEPS)
        self.assertEqual(code, 0, stderr)
        self.assertEqual([check["name"] for check in of_kind(records, "check") if check["passed"]],
                         ["steps.prefill", "steps.decode.1", "steps.decode.8"])
        self.assertEqual([metric["parameters"]["batch"] for metric in of_kind(records, "metric")
                          if metric["name"] == "steps.token_time"], [1, 8])

    def test_one_wrong_bit_of_a_step_is_found_in_rank_layer_message_and_element(self):
        code, records, stderr = by_hand("--parts", "train", "--sharing", "fsdp", "--inject", "bitflip:77:3", short=STEPS)
        self.assertEqual(code, WRONG_ANSWER, stderr)
        check, = of_kind(records, "check")
        self.assertEqual((check["passed"], check["wrong"]), (False, 1))
        self.assertEqual(check["first_wrong"]["where"],
                         f"rank {len(DEVICES) - 1}, layer 0, weights all-gather, element 77")

    def test_a_slow_product_is_named_with_its_rank(self):
        _, records, stderr = by_hand("--parts", "train", "--plant", "slow-gemm:1:1000", short=STEPS)
        said = [note["text"] for note in of_kind(records, "note") if note["facts"].get("slow")]
        self.assertEqual(len(said), 1, stderr)
        self.assertTrue(said[0].startswith("slow GEMM: mlp.down forward takes rank 1 "), said)
        self.assertEqual(records[0]["fault_injected"], "slow-gemm:1:1000")

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
                                 (["--plant", "slow-gemm:1:0"], "--plant slow-gemm:1:0: expected serialised or slow-gemm"),
                                 (["--parts", "decode", "--batches", "0"], "--batches 0: expected numbers from 1"),
                                 (["--parts", "train", "--card", "mixtral-8x7b"], "has experts"),
                                 (["--parts", "train", "--layers", "9999"], "fewer --layers"),
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
