"""What other programs do while something is measured: the kernel's counters are played, so that nothing depends on
what really runs beside these tests."""
import os
import pathlib
import re
import subprocess
import time
import unittest

import racks
import support

AS_QUIET = pathlib.Path(__file__).resolve().parents[1] / "support" / "as_quiet.sh"
# Ticks of a hundredth of a second that others are played to have used meanwhile: more than there is, whatever the
# time that the attempt takes.
MUCH = 10**9


def stat(ticks):
    """A whole /proc/stat of the same length for any number: a reader sees the one or the other."""
    lines = [f"cpu{cpu} {ticks:015d} 0 0 9000000 0 0 0 0 0 0" for cpu in sorted(os.sched_getaffinity(0))]
    return "\n".join(["cpu  0 0 0 0 0 0 0 0 0 0", *lines, "intr 0", ""])


def works():
    return racks.namespaces_work() and pathlib.Path("/proc/stat").exists()


@unittest.skipUnless(works(), "this kernel gives no namespaces for files of their own")
class Disturbed(support.Case):
    """A quiet machine, on which others run while the first attempt waits for a file."""

    def setUp(self):
        super().setUp()
        self.write("stat", stat(0))
        # No machine reaches what it asks for.
        self.table = self.write("table.json", support.platform([
            {"metric": "fake.rate", "judge": "absolute", "expected": {"value": 100, "unit": "B/s"},
             "tolerance_below": 0.1, "statistic": "median", "source": support.SOURCE}]))

    def step(self, mode="slow", value=100, attempts=1):
        return support.step(mode, deadline="60 s", attempts=attempts, arguments=[
            "--mode", mode, "--value", str(value), "--until", str(self.folder / "go")])

    def others_use(self, ticks):
        with open(self.folder / "stat", "r+", encoding="ascii") as file:
            file.write(stat(ticks))

    def run_beside_others(self, step, *arguments, judge=None, wait="30 s", without_end=False):
        suite = self.write("suite.json", support.suite([step], quiet_wait=wait, judge=judge or {}))
        command = [str(AS_QUIET), str(self.folder), str(support.RACKPROOF), "run", "--suite", suite, "--out", "out",
                   "--platform", self.table, *arguments]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   cwd=self.folder, stdin=subprocess.DEVNULL,
                                   env=support.environment(TESTED_IN=str(self.folder)))
        self.addCleanup(self.stop, process)
        journal = self.folder / "out" / "journals" / "0001-rank-00000.jsonl"
        self.wait_for(lambda: self.has_begun(journal.read_text(), step["id"]), what="the step")
        self.wait_for(lambda: '\\"kind\\":\\"hello\\"' in journal.read_text(), what="the bench")
        self.others_use(MUCH)
        self.write("go", "")
        used = MUCH
        until = time.monotonic() + 60
        while without_end and process.poll() is None and time.monotonic() < until:
            used += MUCH
            self.others_use(used)
            time.sleep(0.02)
        stdout, self.told = process.communicate(timeout=60)
        # What was judged comes first: this machine may have GPUs.
        self.first = re.sub(r"(?<=^[A-Z]{8}) \d+ hosts?, \d+ GPUs?:|(?<=^[A-Z]{10}) \d+ hosts?, \d+ GPUs?:", "",
                            support.verdict_of(stdout))
        self.code = process.returncode
        self.assertEqual(self.rackproof("check", "out/report.json").returncode, 0)
        return self.report()

    def test_it_is_measured_again_when_it_is_quiet(self):
        # The first attempt would be far too slow, the second is what the machine does alone.
        report = self.run_beside_others(self.step())
        self.assertEqual([a["number"] for a in report["attempts"]], [1, 2])
        first, second = (attempt["load"] for attempt in report["attempts"])
        self.assertGreater(first["busy"], first["processors"] * first["seconds"])
        self.assertEqual(second.get("busy", 0), 0)
        self.assertNotIn("waited", second)
        self.assertEqual(self.verdict(report, "slow")["outcome"], "pass")
        self.assertEqual((report["acceptance"], self.code), ("accepted", 0))
        self.assertEqual(self.first, "ACCEPTED the one required cell passes; other programs disturbed 1 of 2 attempts")
        self.assertIn("waiting for quiet, at most 30 s", self.told)
        self.assertNotIn("busy-machine", {f["id"] for f in report["findings"]})

    def test_neither_a_good_number_nor_a_bad_one_counts(self):
        for value in (100, 1):
            with self.subTest(value=value):
                report = self.run_beside_others(self.step(value=value), wait="1 ms", without_end=True)
                verdict = self.verdict(report, "slow")
                self.assertEqual((verdict["outcome"], verdict["reason_id"]), ("untested", "disturbed"))
                self.assertIn("others took 100 % of the time of its", verdict["reason"])
                self.assertEqual((report["acceptance"], self.code), ("incomplete", 4))
                self.assertTrue(self.first.startswith("INCOMPLETE other programs disturbed 1 of 1 attempt; "), self.first)
                self.said_in_every_form()
            self.tidy()

    def said_in_every_form(self):
        for form, words in {"md": "other programs disturbed 1 of 1 attempt", "junit": "disturbed",
                            "html": "other programs disturbed 1 of 1 attempt", "csv": "disturbed",
                            "openmetrics": 'rackproof_disturbed_attempts'}.items():
            done = self.rackproof("render", "--format", form, "out")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(words, done.stdout, form)

    def tidy(self):
        for name in ("out", "go"):
            subprocess.run(["rm", "-r", str(self.folder / name)], check=True)
        self.write("stat", stat(0))

    def test_a_wrong_answer_counts(self):
        report = self.run_beside_others(self.step("wrong-answer", attempts=2))
        self.assertEqual(self.verdict(report, "wrong-answer")["reason_id"], "wrong-answer")
        self.assertEqual((len(report["attempts"]), self.code), (1, 3))
        self.assertTrue(self.first.endswith("; other programs disturbed 1 of 1 attempt"), self.first)

    def test_who_ignores_it_finds_that_in_the_report(self):
        for arguments, judge in ((["--disturbed", "ignore"], None), ([], {"disturbed": "ignore"})):
            with self.subTest(arguments=arguments):
                report = self.run_beside_others(self.step(), *arguments, judge=judge)
                self.assertEqual(report["suite"]["policy"]["disturbed"], "ignore")
                self.assertEqual((report["acceptance"], self.code), ("accepted", 0))
                self.assertEqual(self.first, "ACCEPTED the one required cell passes; other programs disturbed 1 of 1 "
                                             "attempt, which is ignored")
                self.assertIn("disturbance-ignored", {f["id"] for f in report["findings"]})
            self.tidy()

    def test_a_report_without_a_word_of_it_is_judged_as_before(self):
        report = self.run_beside_others(self.step(value=1))
        for attempt in report["attempts"]:
            del attempt["load"]
        self.write("old.json", dict(report, schema_version="1.5"))
        done = self.rackproof("judge", "old.json", "--out", "judged.json")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertNotIn("disturbed", done.stdout)

    def test_doctor_finds_a_quiet_machine_quiet(self):
        command = [str(AS_QUIET), str(self.folder), str(support.RACKPROOF), "doctor"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False,
                              env=support.environment())
        self.assertNotIn("busy-machine", done.stdout)


if __name__ == "__main__":
    support.main()
