"""A GPU that gets into trouble while it is measured: the recording, the events and the verdicts say so of that GPU and of
no other, and the run ends in time."""
import json
import os
import pathlib
import signal
import subprocess
import time

import support

GOOD = {"milliwatts": 500000, "celsius": 60, "throttle": 0, "sm_mhz": 1980, "ecc_corrected": 0, "ecc_uncorrected": 0}
POWER_CAP = 4
# What a run may take on a busy machine; by themselves these take a few seconds.
BOUND = 60
XID = "4,17,5140900,-;NVRM: Xid (PCI:0000:09:00): 79, pid=1, name=x, GPU has fallen off the bus.\n"


class Trouble(support.Case):
    """Two GPUs are measured at once; something happens to the second one in the middle of that."""

    def start(self, change, *launcher):
        self.trigger = self.folder / "now"
        self.release = self.folder / "over"
        nvml = {"hosts": [{"match": "*", "gpus": 2, "device": {
            "name": "NVIDIA H200", "uuid": "GPU-{index}", "state": GOOD},
            "devices": {"0": {"pci_address": "00000000:07:00.0"},
                        "1": {"pci_address": "00000000:09:00.0",
                              "changes": [dict(change, when=str(self.trigger))] if change else []}}}]}
        table = self.write("table.json", support.platform(support.HOLDS))
        suite = self.write("suite.json", support.suite(
            [support.step("slow", placement="device", arguments=["--mode", "slow", "--until", str(self.release)])]))
        process = subprocess.Popen(
            [*launcher, str(support.RACKPROOF), "run", "--suite", suite, "--out", "out", "--platform", table],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder, stdin=subprocess.DEVNULL,
            env=support.environment(TESTED_IN=str(self.folder), LD_LIBRARY_PATH=support.FAKE_NVML,
                                    FAKE_NVML_FILE=self.write("nvml.json", nvml)))
        self.addCleanup(self.stop, process)
        self.began = time.monotonic()
        self.wait_for(lambda: process.poll() is not None or (
            self.measures("GPU-0") and self.measures("GPU-1") and self.samples() >= 2), what="a sample of both GPUs")
        self.assertIsNone(process.poll())
        return process

    def measures(self, gpu):
        """Whether its attempt is under way."""
        text = (self.folder / "out" / "journals" / "0001-rank-00000.jsonl").read_text()
        return any(line["j"] == "begin" and line["head"]["subject"].get("device") == gpu
                   for line in map(json.loads, text.splitlines(keepends=False)))

    def samples(self):
        """How many the recording has by now."""
        done = self.rackproof("record", "--dump", "out/journals/0001-rank-00000.recording", "--format", "csv")
        return len(done.stdout.splitlines()) - 1

    def finish(self, process):
        self.release.touch()
        out, err = process.communicate(timeout=BOUND)
        self.assertLess(time.monotonic() - self.began, BOUND)
        self.told = out + err
        report = self.report()
        checked = self.rackproof("check", "out/report.json")
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        self.attempts = {a["subject"]["device"]: a for a in report["attempts"]}
        self.recorded = {gpu: {s["name"]: s for s in a.get("recorded", [])} for gpu, a in self.attempts.items()}
        self.verdicts = {c["subject"]["device"]: c["verdict"] for c in report["cells"]}
        self.causes = {c["subject"]["device"]: [cause["rule"] for cause in c.get("causes", [])]
                       for c in report["cells"]}
        self.assertEqual(sorted(self.attempts), ["GPU-0", "GPU-1"], self.told)
        # The log of this machine's kernel is heard too.
        self.events = [e for e in report.get("events", []) if e.get("device", "").startswith("GPU-")]
        return report

    def play(self, change):
        process = self.start(change)
        count = self.samples()
        self.trigger.touch()
        # Counters are read at each tenth.
        self.wait_for(lambda: self.samples() >= count + 12, what="samples of that")
        return self.finish(process)

    def assert_only_the_second_fails(self, report, kind, cause):
        """With an event as the reason."""
        self.assertEqual({e["device"] for e in self.events}, {"GPU-1"}, self.told)
        self.assertEqual(self.verdicts["GPU-0"]["outcome"], "pass", self.told)
        self.assertEqual(self.verdicts["GPU-1"]["outcome"], "fail", self.told)
        self.assertEqual(self.verdicts["GPU-1"]["reason_id"], "hardware-fault")
        self.assertEqual(self.causes["GPU-1"][0], cause, self.told)
        self.assertEqual(self.causes["GPU-0"], [])
        event = next(e for e in self.events if e["kind"] == kind)
        self.assertEqual(event["severity"], "error")
        self.assertEqual(event["attempts"], [self.attempts["GPU-1"]["nonce"]])
        finding, = [f for f in report["findings"] if f["id"] == "hardware-event"]
        self.assertEqual(finding["severity"], "isolate")
        self.assertTrue(finding["subject"].endswith("/GPU-1"), finding)
        self.assertIn(event["text"], finding["text"])
        self.assertEqual(finding["step"], "slow")
        self.assertEqual(report["acceptance"], "rejected")

    def test_power_cap(self):
        report = self.play({"state": {"throttle": POWER_CAP, "milliwatts": 700000, "sm_mhz": 900}})
        self.assertGreater(self.recorded["GPU-1"]["gpu.throttle"]["shares"]["power-cap"], 0, self.recorded)
        self.assertLess(self.recorded["GPU-1"]["gpu.sm_clock"]["min"], 1e9)
        self.assertNotIn("power-cap", self.recorded["GPU-0"]["gpu.throttle"].get("shares", {}))
        self.assertEqual(self.recorded["GPU-0"]["gpu.sm_clock"]["min"], 1980e6)
        self.assertEqual(self.events, [])
        self.assertEqual(report["acceptance"], "accepted", self.told)

    def test_ecc_counter_that_moves(self):
        report = self.play({"state": {"ecc_corrected": 12, "ecc_uncorrected": 3}})
        self.assert_only_the_second_fails(report, "ecc", "ecc-uncorrected")
        self.assertEqual([(e["text"], e["count"]) for e in self.events], [("NVML: 3 more uncorrected ECC errors", 3)])
        self.assertEqual(self.recorded["GPU-1"]["gpu.ecc_uncorrected"]["delta"], 3)
        self.assertEqual(self.recorded["GPU-1"]["gpu.ecc_corrected"]["delta"], 12)
        # A counter that did not move is left out, unless a sample of it was missed.
        for counter in ("gpu.ecc_uncorrected", "gpu.ecc_corrected"):
            self.assertEqual(self.recorded["GPU-0"].get(counter, {}).get("delta", 0), 0)

    def test_xid_of_broken_hardware(self):
        report = self.play({"xid": 48})
        self.assert_only_the_second_fails(report, "xid", "xid")
        self.assertEqual([(e["code"], e["text"]) for e in self.events], [(48, "NVML: Xid 48")])
        self.assertEqual(self.recorded["GPU-1"]["gpu.last_xid"]["max"], 48)
        self.assertEqual(self.recorded["GPU-1"]["gpu.xids"]["delta"], 1)
        redacted = self.rackproof("redact", "out/report.json", "--out", "shared.json", "--map", "map.json")
        self.assertEqual(redacted.returncode, 0, redacted.stderr)

    def test_xid_of_a_program(self):
        report = self.play({"xid": 13})
        self.assertEqual([(e["kind"], e["code"], e["severity"], e["device"]) for e in self.events],
                         [("xid", 13, "warning", "GPU-1")])
        self.assertEqual(self.events[0]["attempts"], [self.attempts["GPU-1"]["nonce"]])
        self.assertEqual(self.verdicts["GPU-1"]["outcome"], "pass")
        self.assertEqual([f for f in report["findings"] if f["id"] == "hardware-event"], [])

    def test_lost_from_the_bus(self):
        report = self.play({"state": {"lost": 1}})
        self.assert_only_the_second_fails(report, "gpu-lost", "gpu-lost")
        self.assertEqual(self.recorded["GPU-1"]["gpu.power"]["missing"], "the GPU is lost")
        self.assertNotIn("missing", self.recorded["GPU-0"]["gpu.power"])

    def test_driver_that_hangs(self):
        report = self.play({"state": {"hang_ms": 600000}})
        # One driver has both.
        for gpu in ("GPU-0", "GPU-1"):
            self.assertRegex(self.recorded[gpu]["gpu.power"]["missing"], r"^no answer in [\d.]+ s$")
            self.assertGreater(self.recorded[gpu]["gpu.power"]["samples"], 0)
        self.assertEqual({a["ending"]["kind"] for a in report["attempts"]}, {"completed"})
        self.assertTrue(report["recordings"][0]["closed"])

    def test_xid_in_the_log_of_the_kernel_outlives_the_recorder(self):
        log = self.folder / "kmsg"
        log.touch()
        launcher = ["unshare", "--mount", "sh", "-c", 'mount --bind "$0" /dev/kmsg && exec "$@"', str(log)]
        tried = subprocess.run([*launcher, "true"], capture_output=True, text=True, check=False)
        if tried.returncode != 0:
            self.skipTest("nothing can be put in place of /dev/kmsg here: " + tried.stderr.strip())
        process = self.start(None, *launcher)
        with log.open("a") as kernel:
            kernel.write(XID)
        journal = self.folder / "out" / "journals" / "0001-rank-00000.jsonl"
        self.wait_for(lambda: "NVRM: Xid" in journal.read_text(), what="the event in the journal")
        for pid, line in support.processes_of(self.folder):
            if "\0record\0" in line:
                os.kill(pid, signal.SIGKILL)
        report = self.finish(process)
        self.assert_only_the_second_fails(report, "xid", "xid-told")
        self.assertEqual(self.events[0]["code"], 79)
        self.assertEqual(self.events[0]["text"], XID.strip().split(";")[1])
        self.assertIn("recording-ends", [f["id"] for f in report["findings"]])


class ByHand(support.Case):
    def test_events_are_lines_on_stderr_at_once(self):
        (self.folder / "root" / "dev").mkdir(parents=True)
        log = self.folder / "root" / "dev" / "kmsg"
        log.write_text(XID)
        process = subprocess.Popen(
            ["sh", "-c", 'exec "$0" "$@" >out 2>err', str(support.RACKPROOF), "record", "--out", "r", "--sysroot", "root",
             "--interval", "20", "--quiet"],
            cwd=self.folder, stdin=subprocess.DEVNULL, env=support.environment(TESTED_IN=str(self.folder)))
        self.addCleanup(self.stop, process)
        # The head is written when the log is open.
        self.wait_for((self.folder / "r").exists, what="the recording")
        with log.open("a") as kernel:
            kernel.write(XID.replace("79", "31"))
        text = self.wait_for((self.folder / "err").read_text, what="the event")
        self.assertEqual(text, "rackproof: xid (warning): 0000:09:00: " + XID.strip().split(";")[1].replace("79", "31") + "\n")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=30), 0)
        self.assertEqual((self.folder / "out").read_text(), "")

    def test_without_a_log_of_the_kernel_there_is_a_note(self):
        pathlib.Path(self.folder, "root").mkdir()
        done = self.rackproof("record", "--out", "r", "--sysroot", "root", "--", "true")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("kernel messages are not watched: /dev/kmsg: No such file or directory", done.stderr)


if __name__ == "__main__":
    support.main()
