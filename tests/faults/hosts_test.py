"""H, G and C: the host, its GPUs and its clocks."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess

import faults
import support
from support import step

FAKETIME = next(iter(sorted(pathlib.Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))), None)


class Hosts(faults.Case):
    def test_H03_a_bound_rank_does_not_bind_its_benches(self):
        mine = os.sched_getaffinity(0)
        self.need(len(mine) > 1, "this machine has one processor")
        self.need(shutil.which("taskset"), "taskset is not installed")
        path = self.write("suite.json", support.suite([faults.slow(seconds=60)]))
        process = subprocess.Popen(["taskset", "-c", str(min(mine)), str(support.RACKPROOF), "run", "--suite", path,
                                    "--out", "out"], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=support.environment(TESTED_IN=str(self.folder)))
        self.addCleanup(self.stop, process)
        bench = self.wait_for(lambda: self.children("fake-host"), what="the bench")[0]
        self.assertEqual(os.sched_getaffinity(process.pid), {min(mine)})
        self.assertEqual(os.sched_getaffinity(bench), mine)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)

    def test_H04_a_small_shm_is_told_with_the_cure(self):
        script = f"mount -t tmpfs -o size=16m none /dev/shm && exec {support.RACKPROOF} doctor"
        command = ["unshare", "--mount", "sh", "-c", script]
        able = subprocess.run(["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/dev/shm"],
                              capture_output=True, check=False)
        self.need(able.returncode == 0, "this machine gives no mount namespaces")
        done = faults.start(self, command)
        self.assertIn("small-shm", done.stdout)
        self.assertIn("remount,size=", done.stdout)

    def interrupted_run(self):
        """A run that was stopped in its second step."""
        process = self.start_suite([step("ok"), faults.slow(seconds=30)])
        self.wait_for(lambda: self.begun("slow") and self.children("fake-host"), what="the second step")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        suite = json.loads((self.folder / "suite.json").read_text())
        self.assertEqual(process.returncode, 130, suite)

    def change_fact(self, fact):
        """Another value of a fact of the host, as if the journal were of another one."""
        path = self.folder / "out" / "journals" / "0001-rank-00000.jsonl"
        lines = faults.unsealed(path.read_text())
        changed = 0
        for i, line in enumerate(lines):
            entry = json.loads(line)
            if entry["j"] == "node":
                found = entry["node"]["facts"][fact]
                self.need("value" in found, f"this machine does not tell {fact}")
                lines[i] = line.replace(json.dumps(found["value"]), '"fedcba9876543210"')
                changed += lines[i] != line
        self.assertEqual(changed, 1)
        path.write_text(faults.sealed(lines))

    def test_H05_a_restart_in_between_is_told(self):
        self.interrupted_run()
        self.change_fact("host.boot_id")
        process = subprocess.Popen([str(support.RACKPROOF), "run", "--resume", "out"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=support.environment(TESTED_IN=str(self.folder)))
        self.addCleanup(self.stop, process)
        self.wait_for(lambda: self.begun("slow", segment=2), what="the resumed step")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        report = self.check_readable()
        self.assertEqual([f["subject"] for f in self.findings(report, "host-restarted")], [os.uname().nodename])
        self.assertEqual([a["step"] for a in report["attempts"]], ["ok", "slow", "slow"])

    def test_H06_another_machine_under_the_same_name_is_refused(self):
        self.interrupted_run()
        before = self.check_readable()
        self.change_fact("host.machine_id_hash")
        done = self.rackproof("run", "--resume", "out")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("another machine", done.stderr)
        self.assertIn(os.uname().nodename, done.stderr)
        self.rackproof("assemble", "out")
        after = self.check_readable()
        for key in ("cells", "steps"):
            self.assertEqual(after[key], before[key])


class Devices(faults.Case):
    def test_G05_a_driver_that_hangs_costs_the_inventory_and_no_more(self):
        fake = self.write("rack.json", {"hosts": [{"match": "*", "gpus": 0,
                                                   "delays_ms": {"nvmlInit_v2": 600000}}]})
        steps = [step("ok"), step("gpu", bench="fake", placement="device", arguments=["--mode", "ok"])]
        done = self.run_suite(steps, "--time-budget", "4 s", LD_LIBRARY_PATH=support.FAKE_NVML, FAKE_NVML_FILE=fake)
        self.assertEqual(done.returncode, 4, done.stderr)
        report = self.check_readable()
        self.assertEqual(len(self.findings(report, "inventory-failed")), 1, done.stdout)
        self.assertEqual({c["verdict"]["outcome"] for c in report["cells"]}, {"untested"})
        self.assertLess(report["run"]["seconds"], 30)


class Clocks(faults.Case):
    def under_faketime(self, when, *arguments, **env):
        self.need(FAKETIME, "libfaketime is not installed")
        return self.run_limited([faults.slow(seconds=1), step("ok")], *arguments, LD_PRELOAD=str(FAKETIME),
                                FAKETIME=when, FAKETIME_DONT_FAKE_MONOTONIC="1", **env)

    def test_C01_a_clock_that_jumps_changes_no_duration(self):
        self.need(FAKETIME, "libfaketime is not installed")
        times = self.folder / "time"
        times.write_text("+0d")
        path = self.write("suite.json", support.suite([faults.slow(seconds=3), step("ok")]))
        process = subprocess.Popen(
            [str(support.RACKPROOF), "run", "--suite", path, "--out", "out"], cwd=self.folder,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=support.environment(TESTED_IN=str(self.folder), LD_PRELOAD=str(FAKETIME), FAKETIME_NO_CACHE="1",
                                    FAKETIME_TIMESTAMP_FILE=str(times), FAKETIME_DONT_FAKE_MONOTONIC="1"))
        self.addCleanup(self.stop, process)
        self.wait_for(lambda: self.begun("slow"), what="the first step")
        for jump in ("+3d", "-3d", "+400d"):
            times.write_text(jump)
        _, told = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 4, told)
        report = self.check_readable()
        self.assertNotEqual(report["run"]["began_utc"][:10], report["run"]["ended_utc"][:10], "it did not jump")
        self.assertLess(report["run"]["seconds"], 30)
        jumps = self.findings(report, "clock-jumped")
        self.assertEqual([f["subject"] for f in jumps], [os.uname().nodename])
        self.assertAlmostEqual(jumps[0]["evidence"]["seconds"], 400 * 86400, delta=5)
        for one in ("slow", "ok"):
            self.assertEqual(self.verdict(report, one)["outcome"], "unjudged")
            self.assertLess([a["seconds"] for a in report["attempts"] if a["step"] == one][0], 20)

    def test_C02_any_year_and_any_time_zone(self):
        for when, zone, year in (("@2040-02-29 12:00:00", "Asia/Kolkata", "2040-02-29"),
                                 ("@1970-01-02 12:00:00", "America/St_Johns", "1970-01-02"),
                                 ("@2026-03-29 01:30:00", "Europe/Berlin", "2026-03-29")):
            out = f"out-{year}"
            done = self.under_faketime(when, out=out, TZ="UTC0", more=None)
            self.assertEqual(done.returncode, 4, done.stderr)
            began = self.check_readable(out)["run"]["began_utc"]
            self.assertRegex(began, "^" + re.escape(year) + r"T\d\d:\d\d:\d\d\.\d{3}Z$")
            shown = self.rackproof("show", out, TZ=zone)
            self.assertEqual(shown.stdout, self.rackproof("show", out, TZ="UTC0").stdout)


if __name__ == "__main__":
    support.main()
