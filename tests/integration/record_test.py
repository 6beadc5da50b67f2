"""rackproof record as a user types it, and what becomes of it when things go wrong."""
import csv
import hashlib
import io
import json
import os
import pathlib
import signal
import subprocess

import support

NVML = {"hosts": [{"match": "*", "gpus": 2, "device": {
    "name": "A", "uuid": "GPU-{index}",
    "state": {"milliwatts": 300000, "celsius": 50, "throttle": 0, "ecc_uncorrected": 0}}}]}


class Record(support.Case):
    def lines(self, name="r"):
        done = self.rackproof("record", "--dump", name)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        return lines[0], lines[1:]

    def start(self, *arguments, **env):
        process = subprocess.Popen(
            [str(support.RACKPROOF), "record", "--out", "r", *arguments], cwd=self.folder,
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            env=support.environment(RACKPROOF_TEST=str(self.folder), **env))
        self.addCleanup(self.stop, process)
        return process

    def samples_so_far(self, name="r"):
        return self.lines(name)[1] if (self.folder / name).exists() else []

    def nvml(self, **device):
        document = json.loads(json.dumps(NVML))
        document["hosts"][0]["device"].update(device)
        return {"LD_LIBRARY_PATH": support.FAKE_NVML,
                "FAKE_NVML_FILE": self.write("nvml.json", document)}

    def test_a_program_is_watched_and_its_code_is_given(self):
        done = self.rackproof("record", "--out", "r", "--", "python3", "-c",
                              "import time; time.sleep(1); raise SystemExit(7)")
        self.assertEqual(done.returncode, 7, done.stderr)
        self.assertRegex(done.stderr, r"r: \d+ samples, \d+ us of CPU for a sample and device")
        head, samples = self.lines()
        self.assertTrue(head["ended"])
        self.assertEqual((head["overwritten"], head["damaged"]), (0, 0))
        # A sample each 0.1 s where the machine lets it, and the last one.
        self.assertGreaterEqual(len(samples), 4)
        self.assertGreaterEqual(samples[-1]["time_s"], 0.9)
        for key in ("load.1", "memory.available", "cpu.idle", "recorder.cpu"):
            self.assertIn(key, samples[0]["values"])
            self.assertIn(key, samples[-1]["values"])
        self.assertEqual(samples[0]["values"]["load.1"] >= 0, True)
        done = self.rackproof("record", "--dump", "r", "--format", "csv")
        rows = list(csv.reader(io.StringIO(done.stdout)))
        self.assertEqual(len(rows), len(samples) + 1)
        self.assertEqual({len(row) for row in rows}, {2 + len(head["columns"])})

    def test_killed_recorder_leaves_its_samples(self):
        process = self.start("--interval", "10")
        self.wait_for(lambda: len(self.samples_so_far()) >= 20, what="20 samples")
        process.send_signal(signal.SIGKILL)
        process.wait()
        head, samples = self.lines()
        self.assertFalse(head["ended"])
        self.assertEqual([s["sequence"] for s in samples], list(range(1, len(samples) + 1)))
        self.assertGreaterEqual(len(samples), 20)

    def test_without_a_program_it_records_until_it_is_stopped(self):
        process = self.start("--interval", "10")
        self.wait_for(lambda: len(self.samples_so_far()) >= 3, what="samples")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=30), 0)
        self.assertTrue(self.lines()[0]["ended"])

    def test_stop_goes_on_to_the_program(self):
        process = self.start("--", "sleep", "1000")
        self.wait_for(lambda: len(self.samples_so_far()) >= 1, what="samples")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=30), 128 + signal.SIGTERM)

    def test_gpus_are_recorded(self):
        done = self.rackproof("record", "--out", "r", "--", "true", **self.nvml())
        self.assertEqual(done.returncode, 0, done.stderr)
        head, samples = self.lines()
        # Not everywhere may one read the log of the kernel.
        self.assertEqual([n for n in head["notes"] if "/dev/kmsg" not in n], [])
        self.assertEqual(samples[0]["values"]["gpu.power{GPU-1}"], 300)
        self.assertEqual(samples[-1]["values"]["gpu.ecc_uncorrected{GPU-0}"], 0)
        self.assertEqual(samples[0]["missing"]["gpu.sm_clock{GPU-0}"],
                         "the driver does not support it")

    def test_driver_that_hangs_costs_its_columns_alone(self):
        env = self.nvml(changes=[{"after_ms": 300, "state": {"hang_ms": 600000}}])
        process = self.start("--interval", "20", **env)
        self.wait_for(lambda: any("missing" in s and s["missing"].get("gpu.power{GPU-0}", "").startswith("no answer in")
                                  for s in self.samples_so_far()), what="a call without an answer")
        count = len(self.samples_so_far())
        self.wait_for(lambda: len(self.samples_so_far()) >= count + 5, what="more samples")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=30), 0)
        head, samples = self.lines()
        self.assertTrue(head["ended"])
        self.assertIn("cpu.idle", samples[-1]["values"])
        self.assertRegex(samples[-1]["missing"]["gpu.power{GPU-0}"], r"^no answer in [\d.]+ s$")

    def recorder_pid(self):
        for pid, line in support.processes_of(self.folder):
            if "\0record\0" in line:
                return pid
        return None

    def slow(self, seconds):
        return support.step("slow", arguments=["--mode", "slow", "--seconds", str(seconds)], deadline="60 s")

    def test_run_records_its_host_and_tells_it_beside_each_attempt(self):
        self.run_suite([self.slow(1.5)])
        report = self.report()
        recording, = report["recordings"]
        self.assertTrue(recording["closed"])
        self.assertNotIn("problem", recording)
        self.assertGreater(recording["cpu_seconds_per_sample"], 0)
        file = self.folder / "out" / recording["file"]
        self.assertEqual(recording["sha256"], hashlib.sha256(file.read_bytes()).hexdigest())
        series = {one["name"]: one for one in report["attempts"][0]["recorded"]}
        self.assertGreater(series["memory.available"]["min"], 0)
        self.assertLess(series["memory.available"]["samples"], recording["samples"])
        self.assertNotIn("recording-ends", [f["id"] for f in report["findings"]])
        checked = self.rackproof("check", "out/report.json")
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    def test_killed_recorder_costs_a_run_what_came_after(self):
        process = self.start_suite([self.slow(4)])
        pid = self.wait_for(self.recorder_pid, what="the recorder")
        file = self.folder / "out" / "journals" / "0001-rank-00000.recording"
        self.wait_for(lambda: len(self.samples_so_far(file)) >= 5, what="samples")
        os.kill(pid, signal.SIGKILL)
        process.communicate(timeout=60)
        report = self.report()
        recording, = report["recordings"]
        self.assertFalse(recording["closed"])
        self.assertGreaterEqual(recording["samples"], 5)
        ends, = [f for f in report["findings"] if f["id"] == "recording-ends"]
        self.assertIn(recording["ends_utc"], ends["text"])
        self.assertIn("signal 9", ends["text"])
        self.assertEqual(self.ending(report, "slow"), "completed")

    def test_recorder_ends_with_its_warden(self):
        process = self.start_suite([self.slow(30)])
        pid = self.wait_for(self.recorder_pid, what="the recorder")
        file = self.folder / "out" / "journals" / "0001-rank-00000.recording"
        self.wait_for(lambda: len(self.samples_so_far(file)) >= 2, what="samples")
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
        os.kill(int(stat.rsplit(")", 1)[1].split()[1]), signal.SIGKILL)
        process.communicate(timeout=60)
        self.wait_for(lambda: self.recorder_pid() is None, what="the end of the recorder")
        # Whether it ended by itself or was ended by the rank that buried the warden: its samples are there.
        self.assertGreaterEqual(len(self.samples_so_far(file)), 2)
        support.end_all(self.folder)

    def play_slow_gpus(self, *arguments, out="out", **env):
        """Two GPUs at their power cap, and cells that miss their limit."""
        table = self.write("table.json", support.platform([{
            "metric": "fake.*", "judge": "absolute", "expected": {"value": 1e6, "unit": "TB/s"}, "tolerance_below": 0.1,
            "statistic": "median", "source": support.SOURCE}]))
        steps = [support.step("slow", placement="device", arguments=["--mode", "slow", "--seconds", "1"])]
        done = self.run_suite(steps, "--platform", table, *arguments, out=out, **env)
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        return done, self.report(out)

    def causes(self, report):
        return [[(cause["rule"], cause["text"]) for cause in cell.get("causes", [])] for cell in report["cells"]]

    def test_cell_that_fails_has_what_was_seen_beside_it(self):
        env = self.nvml(power_limit_watts=600, power_limit_default_watts=700,
                        state={"milliwatts": 598000, "celsius": 60, "throttle": 4})
        done, report = self.play_slow_gpus(**env)
        said = "power cap 600 W (limit 700 W) active 100 % of the time"
        self.assertEqual(self.causes(report), [[("power-cap-lowered", said)]] * 2)
        self.assertEqual([cell["causes"][0]["subject"].split("/")[1] for cell in report["cells"]], ["GPU-0", "GPU-1"])
        self.assertEqual(done.stdout.count("active 100 %"), 2, done.stdout)
        self.assertIn("recorded: 1 host every 100 ms", done.stdout)
        self.assertIn("RECORDED MEANWHILE (2 attempts)", self.rackproof("show", "--all", "out").stdout)
        checked = self.rackproof("check", "out/report.json")
        self.assertEqual(checked.returncode, 0, checked.stdout)
        # Again from the report alone, wherever the cells are.
        again = self.rackproof("judge", "out", "--out", "again.json")
        self.assertEqual(self.rackproof("judge", "out").stdout, again.stdout)
        self.assertEqual(json.loads((self.folder / "again.json").read_text()), report)
        self.assertEqual(self.rackproof("assemble", "out").returncode, 3)
        self.assertEqual(self.report(), report)
        self.judge_by_another_table(report)

    def judge_by_another_table(self, report):
        rule = {"id": "warm", "of": "device", "say": "at {value}", "why": "a test",
                "when": [{"series": "gpu.temperature", "statistic": "max", "above": 55}]}
        table = self.write("causes.json", {"schema": "rackproof/causes/1", "rules": [rule]})
        self.assertEqual(self.rackproof("check", table).returncode, 0)
        done = self.rackproof("judge", "out", "--causes", table, "--out", "other.json")
        self.assertEqual(done.returncode, 3, done.stderr)
        other = json.loads((self.folder / "other.json").read_text())
        self.assertEqual(self.causes(other), [[("warm", "at 60 degC")]] * 2)
        self.assertNotEqual(other["cause_table"]["digest"], report["cause_table"]["digest"])
        rule["when"][0]["above"] = "hot"
        self.write("causes.json", {"schema": "rackproof/causes/1", "rules": [rule]})
        done = self.rackproof("judge", "out", "--causes", table, "--out", "none.json")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertRegex(done.stderr, r"causes.json:\d+: rules\[0\].when\[0\].above: expected a number")
        self.assertFalse((self.folder / "none.json").exists())

    def test_without_evidence_no_cause_is_named(self):
        env = self.nvml(state={"milliwatts": 300000, "celsius": 50, "throttle": 0})
        _, report = self.play_slow_gpus(**env)
        self.assertEqual(self.causes(report), [[("no-cause-seen", "no cause seen")]] * 2)
        _, report = self.play_slow_gpus("--no-record", out="dark", **env)
        self.assertEqual(self.causes(report), [[("not-recorded", "not recorded")]] * 2)

    def test_run_without_a_recorder_says_nothing_of_one(self):
        self.run_suite([support.step("ok")], "--no-record")
        self.assertNotIn("recordings", self.report())

    def test_bad_input_is_named_and_nothing_is_written(self):
        (self.folder / "notes").write_text("dear to me, and no recording")
        for arguments, what in (
                (["--out", "notes", "--", "true"], "is there already and is no recording"),
                (["--out", "no/folder/r", "--", "true"], "No such file or directory"),
                (["--out", "r", "--interval", "1", "--", "true"], "--interval: expected"),
                (["--out", "r", "--size", "0", "--", "true"], "--size: expected"),
                (["--out", "r", "--", "no-such-program"], "no program 'no-such-program'"),
                (["--dump", "notes"], "is no recording"),
                (["--dump", "none"], "No such file or directory"),
                (["--format", "csv", "--", "true"], "--dump")):
            with self.subTest(arguments=arguments):
                done = self.rackproof("record", *arguments)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(what, done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1)
                self.assertEqual(sorted(os.listdir(self.folder)), ["notes"])

    def test_a_disk_without_room_is_said_at_the_start(self):
        if os.geteuid() != 0:
            self.skipTest("mounting a small disk takes root")
        small = self.folder / "small"
        small.mkdir()
        done = subprocess.run(
            ["unshare", "--mount", "sh", "-c",
             'mount -t tmpfs -o size=1m none "$1" && { "$0" record --out "$1/r" -- true; echo "code $?"; '
             'dd if=/dev/zero of="$1/full" bs=1k status=none 2>/dev/null; '
             '"$0" record --out "$1/s" -- true; echo "code $?"; ls "$1"; }',
             str(support.RACKPROOF), str(small)], capture_output=True, text=True, timeout=60,
            env=support.environment(), stdin=subprocess.DEVNULL)
        if "unshare:" in done.stderr or "mount:" in done.stderr:
            self.skipTest("no mount namespace here: " + done.stderr.strip())
        # A tenth of a small disk is enough for a while; none is not.
        self.assertIn("too few for ten samples", done.stderr)
        self.assertEqual(done.stdout, "code 0\ncode 2\nfull\nr\n")


if __name__ == "__main__":
    support.main()
