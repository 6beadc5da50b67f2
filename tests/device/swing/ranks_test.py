#!/usr/bin/env python3
"""Runs swing-cuda over the GPUs of this machine, under a launcher. Exit 77 without one, or with fewer than two GPUs.

Where the host plays the GPUs their power follows their load, by the stand-in for NVML, and what a supply and its smoothing
do is played too. Nothing that is held here depends on how fast the machine is; a load that a busy machine kept from
being one is run again.

Usage: ranks_test.py PROGRAM
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv[1]
SKIPPED, USAGE, UNAVAILABLE, WRONG_ANSWER, DEVICE_ERROR = 77, 2, 3, 4, 5
ON_HOST = os.environ.get("RACKPROOF_SIZES") == "host"
BUILD = pathlib.Path(os.environ["RACKPROOF_BUILD"])
MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none"]
SHORT = {"--frequencies": "2", "--seconds": "2", "--exchanges": "50", **({"--size": "128"} if ON_HOST else {})}
DEVICE = {"name": "A GPU on a CPU", "uuid": "GPU-c9000000-0000-0000-0000-00000000000{index}", "pci_id": "10de:2901",
          "compute_capability": "10.0", "power_limit_watts": 1000}
STATE = {"celsius": 50, "busy_watts": 900, "idle_watts": 150}
SMOOTHING = {"smoothing": 1, "smooths": 1, "smoothing_profile": 0, "smoothing_floor_watts": 500,
             "smoothing_hysteresis_ms": 400, "smoothing_rise_milliwatts": 4e6, "smoothing_fall_milliwatts": 4e6}
TRIES = 5


def of_kind(records, kind):
    return [record for record in records if record["kind"] == kind]


class Ranks(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="rackproof-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def environment(self, state, devices):
        env = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        if not ON_HOST:
            return env
        played = {"match": "*", "gpus": 4, "device": {**DEVICE, "state": {**STATE, **(state or {})}}}
        if devices:
            played["devices"] = {str(at): {"state": {**STATE, **more}} for at, more in devices.items()}
        (self.folder / "nvml.json").write_text(json.dumps({"hosts": [played]}))
        busy = self.folder / "busy"
        busy.unlink(missing_ok=True)
        return {**env, "FAKE_NVML_FILE": str(self.folder / "nvml.json"), "CUDA_HOST_BUSY": str(busy),
                "LD_LIBRARY_PATH": f"{BUILD}/tests/fake-nvml:{BUILD}/lib/cuda_host"}

    def swing(self, ranks, *arguments, state=None, devices=None):
        words = [word for pair in SHORT.items() if pair[0] not in arguments for word in pair]
        done = subprocess.run([*MPIRUN, "-n", str(ranks), PROGRAM, "--json", *words, *map(str, arguments)],
                              capture_output=True, text=True, timeout=250, check=False, cwd=self.folder,
                              stdin=subprocess.DEVNULL, env=self.environment(state, devices))
        return done, [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]

    def right(self, ranks, *arguments, **played):
        done, records = self.swing(ranks, *arguments, **played)
        self.assertEqual(done.returncode, 0, done.stderr)
        checks = of_kind(records, "check")
        self.assertTrue(checks and all(check["passed"] and check["compared"] > 0 for check in checks), checks)
        return records

    @staticmethod
    def notes(records, fact):
        return [note for note in of_kind(records, "note") if fact in note.get("facts", {})]

    def test_two_gpus_swing_and_their_work_is_proved(self):
        for _ in range(TRIES):
            records = self.right(2)
            if not ON_HOST or any(metric["name"] == "swing.power_amplitude" for metric in of_kind(records, "metric")):
                break
        names = {check["name"] for check in of_kind(records, "check")}
        self.assertEqual(names, {"swing.clocks", "swing.in_phase.2", "swing.spread.2"})
        metrics = {metric["name"] for metric in of_kind(records, "metric")}
        self.assertTrue({"swing.skew", "swing.skew_p99", "swing.coherence", "swing.spread_coherence"} <= metrics, metrics)
        power = self.notes(records, "power")[0]
        self.assertEqual(power["facts"]["sensed"], 2)
        if ON_HOST:
            self.assertTrue(power["facts"]["power"])
            self.assertIn("swing.power_amplitude", metrics)
            told = self.notes(records, "smoothing")
            self.assertEqual([note["facts"]["smoothing"] for note in told], ["not told"])

    def test_a_flipped_bit_is_named_with_rank_pulse_and_element(self):
        done, records = self.swing(2, "--inject", "bitflip:77:3")
        self.assertEqual(done.returncode, WRONG_ANSWER, done.stderr)
        wrong = [check for check in of_kind(records, "check") if not check["passed"]]
        self.assertEqual(wrong[0]["first_wrong"]["where"], "rank 0, pulse 1, element 77")

    def test_what_cannot_be_is_refused(self):
        for ranks, arguments, words in ((1, [], "at least 2 ranks"), (2, ["--device", "0"], "at most one rank a GPU"),
                                        (2, ["--size", "99"], "multiple"),
                                        (2, ["--frequencies", "99"], "from 0.01 to 50")):
            done, records = self.swing(ranks, *arguments)
            self.assertEqual(done.returncode, USAGE, (arguments, done.stderr))
            self.assertIn(words, done.stderr)
            self.assertFalse(of_kind(records, "metric"))

    @unittest.skipUnless(ON_HOST, "it takes a supply that is played")
    def test_a_rack_that_brakes_in_phase_only_accuses_its_supply(self):
        # With a third of a beat on, and half of one between the two, they are never at work together but in phase.
        arguments = ("--duty", "0.3", "--frequencies", "1,2", "--seconds", "3", "--rounds", "2", "--on-limit", "go-on")
        for _ in range(TRIES):
            records = self.right(2, *arguments, state={"brake_devices": 2})
            said = [note["text"] for note in self.notes(records, "event") if note["facts"]["event"] == "power brake"]
            if said and "suspect" in said[0]:
                break
        self.assertRegex(said[0], r"^power brake in phase only: in 4 of 4 runs in phase and in none of 4 with phases spread "
                                  r"\(by chance: 0\.014\), on .+/GPU-.+00, .+/GPU-.+01\. The same load out of step does no "
                                  r"harm: suspect the power supply")

    @unittest.skipUnless(ON_HOST, "it takes a supply that is played")
    def test_a_rack_that_brakes_under_any_load_accuses_no_supply(self):
        for _ in range(TRIES):
            records = self.right(2, "--rounds", "3", "--on-limit", "go-on", state={"brake_devices": 1})
            said = [note["text"] for note in self.notes(records, "event") if note["facts"]["event"] == "power brake"]
            if said and "does not take a load in step" in said[0]:
                break
        self.assertIn("it does not take a load in step", said[0])
        self.assertNotIn("suspect", said[0])

    @unittest.skipUnless(ON_HOST, "it takes a supply that is played")
    def test_a_power_brake_stops_all_before_more_gpus_join(self):
        for _ in range(TRIES):
            done, records = self.swing(4, "--start-fraction", "0.5", "--stage-seconds", "3", state={"brake_devices": 2})
            if done.returncode == DEVICE_ERROR:
                break
        self.assertEqual(done.returncode, DEVICE_ERROR, done.stderr)
        self.assertIn("stopped by power brake", done.stderr)
        self.assertIn("2 of 4 ranks in phase", done.stderr)
        self.assertEqual([check["name"] for check in of_kind(records, "check")], ["swing.clocks"])

    @unittest.skipUnless(ON_HOST, "it takes smoothing that is played")
    def test_every_gpu_whose_smoothing_is_off_or_does_nothing_is_found(self):
        devices = {0: SMOOTHING, 1: {**SMOOTHING, "smoothing": 0, "smooths": 0}, 2: {**SMOOTHING, "smooths": 0},
                   3: SMOOTHING}
        for _ in range(TRIES):
            records = self.right(4, "--frequencies", "1", "--seconds", "5", "--phases", "in-phase", devices=devices)
            told = {note["facts"]["smoothing"]: note for note in self.notes(records, "smoothing")}
            if set(told) == {"off", "under its floor", "as set"}:
                break
        self.assertEqual(set(told), {"off", "under its floor", "as set"}, told)
        self.assertTrue(told["off"]["facts"]["first"].endswith("01"))
        self.assertTrue(told["under its floor"]["facts"]["first"].endswith("02"))
        self.assertIn("set to profile 0, floor 500 W", told["under its floor"]["text"])
        self.assertEqual([note["facts"]["gpus"] for note in told.values()].count(1), 2)
        self.assertEqual(told["as set"]["facts"]["gpus"], 2)


if shutil.which("mpirun") is None:
    print("skipped: no mpirun here")
    sys.exit(SKIPPED)
if not ON_HOST:
    listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False) if shutil.which("nvidia-smi") else None
    if listed is None or listed.stdout.count("GPU ") < 2:
        print("skipped: fewer than two GPUs here")
        sys.exit(SKIPPED)
unittest.main(argv=sys.argv[:1])
