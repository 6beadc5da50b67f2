"""S: what can happen to the process that supervises, and to its terminal."""
import contextlib
import json
import os
import pathlib
import pty
import random
import signal
import subprocess
import time

import faults
import support
from support import step


class Supervisor(faults.Case):
    def until_hanging(self, **more):
        process = self.start_suite([step("ok"), step("hang", deadline="100 s")], **more)
        self.wait_for(lambda: self.begun("hang") and self.children("fake-host"), what="the hanging step")
        return process

    def test_S02_a_supervisor_that_dies_takes_no_result_along(self):
        process = self.until_hanging()
        warden = self.wait_for(lambda: self.warden_of(process.pid), what="the warden")
        os.kill(warden, signal.SIGKILL)
        out, told = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 4, told)
        self.assertIn("the warden process is gone", told)
        self.assertIn("report: ", out)
        report = self.check_readable()
        self.assertEqual(self.verdict(report, "ok")["outcome"], "unjudged")
        self.assertEqual(self.verdict(report, "hang")["outcome"], "untested")
        self.assertEqual(self.children("fake-host"), [])

    def test_S03_an_allocation_that_fails_corrupts_nothing(self):
        calls = self.need_calls()
        table = self.write("table.json", support.platform(support.HOLDS))
        dice = random.Random(3)
        places = [1, 2, 3] + [int(10 ** dice.uniform(0.7, 5.3)) for _ in range(13)]
        for at in places:
            out = f"out{at}"
            done = self.run_limited([step("ok")], "--platform", table, out=out, LD_PRELOAD=calls,
                                    FAULTY_MALLOC_AT=str(at))
            with self.subTest(at):
                if done.returncode < 0:
                    # Before main() a program can only abort, and OpenSSL crashes while it starts: nothing had begun.
                    self.assertFalse((self.folder / out / "journals").exists(), done.stderr[-500:])
                    continue
                self.assertIn(done.returncode, (0, 1, 2, 4), done.stderr[-500:])
                if done.returncode in (1, 2):
                    self.assertTrue(done.stderr.strip(), "it failed without a word")
                path = self.folder / out / "report.json"
                if path.exists():
                    accepted = json.loads(path.read_text())["acceptance"] == "accepted"
                    self.assertEqual(self.verdict(self.report(out), "ok")["outcome"] == "pass", accepted)
                self.assertEqual(self.left_behind(8), [])

    def test_S04_a_directory_has_one_run(self):
        process = self.until_hanging()
        for arguments in (["--suite", str(self.folder / "suite.json"), "--out", "out"], ["--resume", "out"]):
            done = self.rackproof("run", *arguments)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertIn(f"is in use by process {process.pid} on {os.uname().nodename}", done.stderr)
            self.assertRegex(done.stderr, r"began at \d{4}-\d\d-\d\dT")
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=10)
        # Its warden still assembles the report; a resume waits for that.
        process = subprocess.Popen([str(support.RACKPROOF), "run", "--resume", "out"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=support.environment(TESTED_IN=str(self.folder)))
        self.addCleanup(self.stop, process)
        self.wait_for(lambda: self.begun("hang", segment=2), what="the resumed step")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130)

    def test_S04_of_many_starts_at_once_one_runs(self):
        path = self.write("suite.json", support.suite([faults.slow(seconds=1)]))
        starts = [subprocess.Popen([str(support.RACKPROOF), "run", "--suite", path, "--out", "out"],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=support.environment(TESTED_IN=str(self.folder)))
                  for _ in range(5)]
        for process in starts:
            self.addCleanup(self.stop, process)
        told = [process.communicate(timeout=60) for process in starts]
        codes = sorted(process.returncode for process in starts)
        self.assertEqual(codes, [2, 2, 2, 2, 4], told)
        self.assertEqual(len(list((self.folder / "out" / "journals").glob("*.jsonl"))), 1)
        self.assertEqual(self.verdict(self.check_readable(), "slow")["outcome"], "unjudged")

    def test_S01_a_resume_that_died_before_its_first_line_can_be_resumed(self):
        process = self.until_hanging()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        (self.folder / "out" / "journals" / "0002-rank-00000.jsonl").write_text("")
        process = subprocess.Popen([str(support.RACKPROOF), "run", "--resume", "out"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=support.environment(TESTED_IN=str(self.folder)))
        self.addCleanup(self.stop, process)
        self.wait_for(lambda: self.begun("hang", segment=3), what="the resumed step")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130)

    def test_S05_a_lost_terminal_does_not_end_a_run(self):
        table = self.write("table.json", support.platform(support.HOLDS))
        path = self.write("suite.json", support.suite([faults.slow(seconds=2), step("ok")]))
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.execve(support.RACKPROOF, [str(support.RACKPROOF), "run", "--suite", path, "--out", "out",
                                          "--platform", table],
                      support.environment(TESTED_IN=str(self.folder)))
        try:
            self.wait_for(lambda: self.begun("slow"), what="the first step")
        finally:
            os.close(terminal)
        _, status = os.waitpid(pid, 0)
        self.assertEqual(os.waitstatus_to_exitcode(status), 0)
        report = self.check_readable()
        self.assertEqual(report["acceptance"], "accepted")
        self.assertFalse(report["run"]["interrupted"])

    def test_S05_a_closed_stdout_changes_no_verdict(self):
        table = self.write("table.json", support.platform(support.HOLDS))
        with open("/dev/full", "w", encoding="utf-8") as full:
            path = self.write("suite.json", support.suite([step("ok")]))
            done = subprocess.run([str(support.RACKPROOF), "run", "--suite", path, "--out", "out", "--platform",
                                   table], cwd=self.folder, stdout=full, stderr=subprocess.PIPE, text=True,
                                  check=False, env=support.environment(TESTED_IN=str(self.folder)))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("cannot write to stdout", done.stderr)
        self.assertEqual(self.check_readable()["acceptance"], "accepted")

    def deaf_benches(self):
        """The benches that ignore SIGTERM by now: until it has said so, one that was just started ends at the first."""
        deaf = []
        for pid in self.children("fake-host"):
            with contextlib.suppress(OSError):
                status = pathlib.Path(f"/proc/{pid}/status").read_text()
                if int(status.split("SigIgn:")[1].split()[0], 16) & 1 << signal.SIGTERM - 1:
                    deaf.append(pid)
        return deaf

    def test_S06_ctrl_c_once(self):
        process = self.start_suite([step("ok"), step("ignore-term", deadline="100 s", grace="1 s"), step("slow")])
        self.wait_for(lambda: self.begun("ignore-term") and self.deaf_benches(), what="the second step")
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        while self.children("fake-host") and time.monotonic() < began + 30:
            time.sleep(0.02)
        seconds = time.monotonic() - began
        print(f"Ctrl-C to no bench that ignores TERM for a second: {seconds:.3f} s")
        self.assertLess(seconds, 2)
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130)
        report = self.check_readable()
        self.assertEqual(self.verdict(report, "ok")["outcome"], "unjudged")
        for unreached in ("ignore-term", "slow"):
            self.assertEqual(self.verdict(report, unreached)["reason_id"], "interrupted")
        self.assertTrue(report["run"]["interrupted"])

    def test_S06_ctrl_c_twice(self):
        process = self.start_suite([step("ok"), step("ignore-term", deadline="100 s", grace="60 s")])
        self.wait_for(lambda: self.begun("ignore-term") and self.deaf_benches(), what="the second step")
        process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        self.assertIsNone(process.poll(), "the first one ended it")
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.wait(timeout=30)
        seconds = time.monotonic() - began
        print(f"second Ctrl-C to exit: {seconds:.3f} s")
        self.assertLess(seconds, 1)
        self.assertEqual(process.returncode, 130)
        self.wait_for(lambda: not self.children("fake-host"), seconds=2, what="the end of the bench")
        self.wait_for(lambda: self.report()["cells"], what="the report that the warden leaves")
        self.assertEqual(self.verdict(self.report(), "ok")["outcome"], "unjudged")
        self.assertEqual(self.left_behind(10), [])


if __name__ == "__main__":
    support.main()
