"""What is still there, or still waited for, when a run or one of its processes is over."""
import json
import os
import pathlib
import re
import shutil
import signal
import time

import faults
import support
from support import step

STORM = {"bench": "storm", "deadline": "3 s", "grace": "0.5 s"}


class Leftovers(faults.Case):
    def storm(self, name, *arguments, **more):
        return step(name, arguments=["--daemons", "100", "--seconds", "60", "--token", str(self.folder), *arguments],
                    **{**STORM, **more})

    def test_P26_daemons_that_hide_and_fork_are_gone_with_their_attempt(self):
        done = self.run_suite([self.storm("leaves", deadline="30 s"), self.storm("stays", "--stay"), step("ok")])
        self.assertEqual(self.left_behind(0), [])
        self.assertEqual(done.returncode, 4, done.stderr)
        report = self.check_readable()
        self.assertEqual(self.ending(report, "stays"), "timed-out")
        self.assertEqual([f["step"] for f in self.findings(report, "straggler-process")], ["leaves", "stays"])
        self.assertEqual(self.verdict(report, "ok")["outcome"], "unjudged")

    def test_P26_a_rackproof_inside_a_bench_goes_with_it(self):
        inner = self.write("inner.json", support.suite([self.storm("inner", "--stay", deadline="60 s")]))
        script = f"#!/bin/sh\nexec {support.RACKPROOF} run --suite {inner} --out {self.folder}/inner\n"
        stage = faults.stage_of_its_own(self.folder, {"nest-host": script.encode()})
        path = self.write("suite.json", support.suite([step("nest", bench="nest", deadline="4 s", grace="0.5 s"),
                                                       step("ok")]))
        done = faults.start(self, [stage, "run", "--suite", path, "--out", "out"])
        self.assertEqual(self.left_behind(0), [])
        self.assertEqual(done.returncode, 4, done.stderr)
        report = self.check_readable()
        self.assertEqual(self.ending(report, "nest"), "timed-out")
        self.assertEqual(self.verdict(report, "ok")["outcome"], "unjudged")

    def test_S07_a_stopped_supervisor_costs_the_run_a_bounded_time(self):
        process = self.start_suite([step("ok"), step("hang", deadline="2 s", grace="0.5 s")])
        self.wait_for(lambda: self.begun("hang") and self.children("fake-host"), what="the hanging step")
        warden = self.wait_for(lambda: self.warden_of(process.pid), what="the warden")
        os.kill(warden, signal.SIGSTOP)
        began = time.monotonic()
        out, told = process.communicate(timeout=150)
        print(f"stopped supervisor to the end: {time.monotonic() - began:.0f} s")
        self.assertEqual(process.returncode, 4, told)
        self.assertIn("report: ", out)
        report = self.check_readable()
        self.assertEqual(self.verdict(report, "ok")["outcome"], "unjudged")
        self.assertEqual(self.verdict(report, "hang")["outcome"], "untested")
        self.assertEqual(self.left_behind(1), [])

    def test_P27_a_library_that_hangs_costs_its_fact_and_its_bench(self):
        library = support.BUILD / "tests" / "stubborn-library"
        self.need((library / "libopenblas.so.0").exists(), "the library that hangs is not built here")
        surroundings = {"LD_LIBRARY_PATH": str(library), "STUBBORN_LIBRARY": "hang"}
        done = self.rackproof("inventory", "--json", timeout=60, **surroundings)
        self.assertEqual(done.returncode, 0, done.stderr)
        facts = json.loads(done.stdout)["facts"]
        self.assertIn("it hangs", facts["library.blas"]["unreadable"])
        self.need((support.STAGE / "libexec" / "rackproof" / "gemm-host").exists(), "this build has no BLAS")
        self.run_suite([step("gemm", bench="gemm", arguments=[], deadline="3 s", grace="0.5 s"), step("ok")],
                       **surroundings)
        report = self.check_readable()
        self.assertEqual(self.ending(report, "gemm"), "timed-out")
        self.assertEqual(self.verdict(report, "ok")["outcome"], "unjudged")

    def test_S08_closed_descriptors_change_no_run(self):
        for ranks in (0, 2):
            if ranks and not support.HAS_MPIRUN:
                continue
            for closed in ("<&-", ">&-", "2>&-", "<&- >&-", "<&- 2>&-", ">&- 2>&-", "<&- >&- 2>&-"):
                out = f"out{ranks}{closed.replace(' ', '').replace('&', '')}"
                path = self.write("suite.json", support.suite([step("ok"), step("flood-stderr")]))
                run = ["sh", "-c", f'exec "$0" "$@" {closed}', support.RACKPROOF, "run", "--suite", path, "--out", out]
                command = [*support.MPIRUN, "-n", str(ranks), *run] if ranks else run
                with self.subTest(ranks=ranks, closed=closed):
                    done = faults.start(self, command)
                    self.assertEqual(done.returncode, 4, done.stderr)
                    report = self.check_readable(out)
                    self.assertEqual({c["verdict"]["outcome"] for c in report["cells"]}, {"unjudged"})
                    self.assertTrue(report["run"]["completed"])
                    for journal in (self.folder / out / "journals").glob("*.jsonl"):
                        self.assertNotIn("\nrackproof", journal.read_text())

    def lose(self, how, *arguments, ranks=0):
        """A run whose directory is lost in the middle; its exit code, and what it said."""
        out = f"out-{how}-{ranks}"
        process = self.start_suite([step("ok"), faults.slow(seconds=4), step("ok", id="after")], *arguments, out=out, ranks=ranks)
        self.wait_for(lambda: self.begun("slow", out=out), what="the slow step")
        folder = self.folder / out
        journal = folder / "journals" / "0001-rank-00000.jsonl"
        # Gone in one moment: what is saved again must not fall to the removal of what was there.
        gone = self.folder / f"{out}-gone"
        if how == "removed":
            shutil.rmtree(folder.rename(gone))
        elif how == "renamed":
            folder.rename(self.folder / f"{out}-elsewhere")
        elif how == "cut":
            os.truncate(journal, 100)
        elif how == "replaced":
            folder.rename(gone)
            folder.write_text("no folder")
        _, told = process.communicate(timeout=60)
        return process.returncode, told, out

    def check_rescued(self, report, ranks):
        self.assertEqual(len([a for a in report["attempts"] if a["step"] == "ok"]), max(ranks, 1))
        for cell in report["cells"]:
            if cell["step"] == "ok":
                self.assertEqual(cell["verdict"]["outcome"], "unjudged")
        self.assertEqual(report["acceptance"], "incomplete")

    def test_F11_a_run_directory_that_is_lost_is_saved_again(self):
        for ranks in (0, 2) if support.HAS_MPIRUN else (0,):
            for how in ("removed", "renamed", "cut"):
                with self.subTest(how=how, ranks=ranks):
                    code, told, out = self.lose(how, ranks=ranks)
                    self.assertEqual(code, 4, told)
                    self.assertIn("removed, renamed or cut", told)
                    self.assertIn(f"saved again in {out}", told)
                    self.check_rescued(self.check_readable(out), 0)

    def test_F11_what_cannot_be_saved_there_is_saved_elsewhere(self):
        code, told, _ = self.lose("replaced", "--rescue", str(self.folder / "rescue"))
        self.assertEqual(code, 4, told)
        saved = re.search(r"was saved in (\S+)", told)
        self.assertTrue(saved, told)
        self.assertTrue(saved[1].startswith(f"{self.folder}/rescue/rackproof-rescue-"), told)
        self.check_rescued(json.loads((pathlib.Path(saved[1]) / "report.json").read_text()), 0)


if __name__ == "__main__":
    support.main()
