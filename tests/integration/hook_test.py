"""A program after the verdict: what it gets, and that nothing that becomes of it changes the verdict."""
import time
import unittest

import support
from support import step

TELLS = """#!/bin/sh
echo "$# $1" >> "$0.args"
env | grep '^RACKPROOF_' | sort > "$0.env"
env | grep -c '^OMPI_' > "$0.launcher"
echo told by the hook
"""


class Hook(support.Case):
    def hook(self, body=TELLS, mode=0o755):
        self.write("hook", body)
        (self.folder / "hook").chmod(mode)
        return "./hook"

    def written(self, what):
        path = self.folder / f"hook.{what}"
        return path.read_text() if path.exists() else ""

    def play(self, *arguments, steps=None, **more):
        table = self.write("table.json", support.platform(support.HOLDS))
        return self.run_suite(steps or [step("ok")], "--platform", table, *arguments, **more)

    def test_it_gets_report_and_verdict(self):
        done = self.play("--hook", self.hook(), "--label", "rack=7", steps=[step("wrong-answer")])
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        report = self.report()
        path = str(self.folder / "out" / "report.json")
        self.assertEqual(self.written("args"), f"1 {path}\n")
        self.assertEqual(self.written("env").splitlines(),
                         ["RACKPROOF_RACK=7", f"RACKPROOF_REPORT={path}", f"RACKPROOF_RUN={report['run']['id']}",
                          "RACKPROOF_SUITE=test", "RACKPROOF_VERDICT=rejected"])
        self.assertIn("told by the hook", done.stderr)
        self.assertNotIn("told by the hook", done.stdout)
        self.assertNotIn("--hook", done.stderr)

    def test_a_failure_is_one_line_and_changes_no_code(self):
        done = self.play("--hook", self.hook("#!/bin/sh\nexit 3\n"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(f"rackproof: --hook {self.folder}/hook ended with exit code 3; the verdict stands\n", done.stderr)

    def test_one_that_is_not_a_program_is_said(self):
        done = self.play("--hook", self.hook("#!/no/such/interpreter\n"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("could not be started: ", done.stderr)

    def test_it_is_killed_with_its_group_when_its_time_is_over(self):
        began = time.monotonic()
        done = self.play("--hook", self.hook("#!/bin/sh\ntrap '' TERM\necho begun\nsleep 300 &\nsleep 300\n"),
                         "--hook-timeout", "0.5 s")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertLess(time.monotonic() - began, 60)
        self.assertIn("begun\n", done.stderr)
        self.assertIn("was killed: it was not through after 0.5 s; the verdict stands\n", done.stderr)

    def test_what_is_no_program_is_refused_before_the_run(self):
        for program, why in ((self.hook(mode=0o644), "it is not executable"), ("no-such", "there is no such file"),
                             (".", "this is no file")):
            done = self.play("--hook", program)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn(f"--hook {program}: {why}", done.stderr)
            self.assertFalse((self.folder / "out").exists())
        done = self.play("--hook", self.hook(), "--hook-timeout", "never")
        self.assertEqual(done.returncode, 2, done.stderr)
        done = self.play("--hook-timeout", "5 s")
        self.assertEqual(done.returncode, 2, done.stderr)
        done = self.play("--hook", self.hook(), "--dry-run")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(self.written("args"), "")

    def test_what_is_judged_again_is_told_too(self):
        self.assertEqual(self.play().returncode, 0)
        slow = [{**support.HOLDS[0], "expected": {"value": 1, "unit": "kB/s"}}]
        strict = self.write("strict.json", support.platform(slow))
        done = self.rackproof("judge", "out", "--platform", strict, "--hook", self.hook())
        self.assertEqual(done.returncode, 2, "without a report of its own there is nothing to hand over")
        done = self.rackproof("judge", "out", "--platform", strict, "--force-platform", "--out", "again.json", "--hook",
                              self.hook())
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertEqual(self.written("args"), f"1 {self.folder}/again.json\n")
        self.assertIn("RACKPROOF_VERDICT=rejected\n", self.written("env"))

    @unittest.skipUnless(support.HAS_MPIRUN, support.WITHOUT_MPIRUN)
    def test_of_several_ranks_one_starts_it(self):
        done = self.play("--hook", self.hook(), ranks=3)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.written("args").count("\n"), 1)
        self.assertEqual(self.written("launcher"), "0\n")
        # Longer than ranks wait for each other's last word, and than rank 0 has to leave.
        done = self.play("--hook", self.hook("#!/bin/sh\nsleep 1\nexit 5\n"), ranks=2, out="slow")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("ended with exit code 5; the verdict stands", done.stderr)
        done = self.play("--hook", "no-such", ranks=2, out="none")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertFalse((self.folder / "none").exists())


if __name__ == "__main__":
    support.main()
