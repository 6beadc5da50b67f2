"""P: what a bench can do to itself, to the machine and to the harness."""
import json
import os
import re
import resource
import time

import faults
import support
from support import step

SHORT = {"deadline": "2 s", "grace": "0.5 s"}


class Processes(faults.Case):
    def test_P02_a_crash_is_told_within_a_second(self):
        """From the death of the process, as seen from outside, to its ending in the journal."""
        process = self.start_suite([faults.slow(seconds=60), step("ok")])
        pid = self.wait_for(lambda: self.children("fake-host"), what="the bench")[0]
        time.sleep(0.2)
        began = time.monotonic()
        os.kill(pid, 11)
        self.wait_for(lambda: '"signal":11' in self.journal_text(), what="its ending")
        seconds = time.monotonic() - began
        print(f"crash to ending: {seconds:.3f} s")
        self.assertLess(seconds, 1)
        process.communicate(timeout=60)
        self.assertEqual(self.ending(self.report(), "slow"), "signalled")

    def test_P05_a_number_above_the_peak_is_no_pass(self):
        baseline = {"metric": "fake.rate", "judge": "absolute", "expected": {"value": 100, "unit": "B/s"},
                    "tolerance_below": 0.1, "tolerance_above": 0.1, "statistic": "median",
                    "source": support.SOURCE}
        table = self.write("table.json", support.platform([baseline]))
        outcomes = {"9e99": "untested", "1e300": "untested", "5e-324": "fail", "120": "fail"}
        for value, outcome in outcomes.items():
            with self.subTest(value):
                self.run_suite([step("ok", arguments=["--mode", "ok", "--value", value])], "--platform", table,
                               out=value)
                self.assertEqual(self.verdict(self.report(value), "ok")["outcome"], outcome)

    def test_P09_an_unkillable_process_is_wedged_and_the_run_goes_on(self):
        freezer = self.cgroup("freezer")
        process = self.start_suite([step("hang", **SHORT), step("ok")])
        pid = self.wait_for(lambda: self.children("fake-host"), what="the bench")[0]
        (freezer / "cgroup.procs").write_text(str(pid))
        (freezer / "freezer.state").write_text("FROZEN")
        try:
            _, told = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 4, told)
            report = self.check_readable()
            self.assertEqual(self.ending(report, "hang"), "wedged")
            self.assertEqual(self.verdict(report, "hang")["reason_id"], "wedged")
            self.assertEqual(self.verdict(report, "ok")["outcome"], "unjudged", self.verdict(report, "ok"))
            self.assertTrue(report["run"]["completed"])
        finally:
            (freezer / "freezer.state").write_text("THAWED")

    def test_P14_a_bench_that_fills_the_process_table_is_contained(self):
        group = self.cgroup("pids", pids__max=80)
        done = self.run_limited([step("many-children", **SHORT), step("ok")],
                                before=lambda: (group / "cgroup.procs").write_text(str(os.getpid())))
        self.assertEqual(done.returncode, 4, done.stderr)
        report = self.check_readable()
        self.assertEqual(self.ending(report, "many-children"), "timed-out")
        self.assertEqual(self.verdict(report, "ok")["outcome"], "unjudged")
        self.assertEqual(self.children("fake-host"), [])

    def test_P15_a_bench_that_the_kernel_killed_for_memory_says_so(self):
        group = self.cgroup("memory", memory__limit_in_bytes=128 << 20)
        done = self.run_limited([step("much-memory"), step("ok")],
                                before=lambda: (group / "cgroup.procs").write_text(str(os.getpid())))
        self.assertEqual(done.returncode, 4, done.stderr)
        report = self.check_readable()
        self.assertEqual(self.ending(report, "much-memory"), "signalled")
        found = self.findings(report, "out-of-memory")
        self.assertEqual([f["step"] for f in found], ["much-memory"])
        self.assertEqual(self.verdict(report, "ok")["outcome"], "unjudged")

    def test_P16_few_descriptors_end_in_words(self):
        """Whatever the number is: the run is whole, or says what it could not open."""
        codes = {}
        for most in (4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24, 32):
            out = f"out{most}"
            done = self.run_limited([step("ok")], out=out, timeout=60,
                                    before=lambda n=most: resource.setrlimit(resource.RLIMIT_NOFILE, (n, n)))
            codes[most] = done.returncode
            with self.subTest(most):
                self.assertIn(done.returncode, (1, 2, 4), done.stderr)
                path = self.folder / out / "report.json"
                report = json.loads(path.read_text()) if path.exists() else None
                whole = report is not None and self.verdict(report, "ok")["outcome"] == "unjudged"
                if not whole:
                    self.assertIn("Too many open files", done.stderr + (path.read_text() if report else ""))
        self.assertEqual(codes[32], 4)
        self.assertEqual(self.verdict(self.report("out32"), "ok")["outcome"], "unjudged")

    def test_P18_a_program_that_this_machine_cannot_start(self):
        good = (support.STAGE / "libexec" / "rackproof" / "fake-host").read_bytes()
        foreign = good[:18] + b"\xf7\x00" + good[20:]
        library = re.search(rb"lib(stdc\+\+|c)\.so\.6", good)[0]
        lacking = good.replace(library, library[:-1] + b"X")
        stage = faults.stage_of_its_own(self.folder, {"foreign-host": foreign, "lacking-host": lacking})
        path = self.write("suite.json", support.suite([step("foreign", bench="foreign"),
                                                       step("lacking", bench="lacking"), step("ok")]))
        done = faults.start(self, [stage, "run", "--suite", path, "--out", "out"])
        self.assertEqual(done.returncode, 4, done.stderr)
        report = self.check_readable()
        for name, word in (("foreign", "Exec format error"), ("lacking", library.decode()[:-1] + "X")):
            self.assertEqual(self.ending(report, name), "spawn-failed")
            self.assertIn(word, self.verdict(report, name)["reason"])
        self.assertEqual(self.verdict(report, "ok")["outcome"], "unjudged")


if __name__ == "__main__":
    support.main()
