"""A site table, and histories of its parts, out of accepted runs."""
import json
import random

import support
from support import step

RUNS = 20


class Learn(support.Case):
    """The fake bench gives a rate; its noise is half a percent, as of a good part."""

    def setUp(self):
        super().setUp()
        self.table = self.write("loose.json", support.platform(
            support.HOLDS))

    def measure(self, value, out):
        done = self.run_suite([dict(step("ok"), arguments=["--mode", "ok", "--value", str(value)])],
                              "--platform", self.table, out=out)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return f"{out}/report.json"

    def runs(self, count=RUNS):
        dice = random.Random(7)
        return [self.measure(100 * dice.gauss(1, 0.005), f"run{i:02}") for i in range(count)]

    def learn(self, *arguments):
        return self.rackproof("learn", *arguments)

    def test_the_same_runs_pass_and_a_slower_one_is_rejected(self):
        reports = self.runs()
        done = self.learn(*reports, "--id", "site", "--out", "site.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 baselines from 20 runs", done.stdout)
        first = (self.folder / "site.json").read_bytes()
        self.learn(*reversed(reports), "--id", "site", "--out", "again.json")
        self.assertEqual((self.folder / "again.json").read_bytes(), first)
        # What it extends was not installed, but given as a file: it lies beside the new one.
        (self.folder / "test-table.json").write_text((self.folder / "loose.json").read_text())
        for report in reports:
            done = self.rackproof("judge", report, "--platform", "site.json")
            self.assertEqual(done.returncode, 0, done.stdout)
        slow = self.measure(95, "slow")
        done = self.rackproof("judge", slow, "--platform", "site.json")
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertIn("REJECTED", done.stdout)
        self.assertIn("fake.rate", done.stdout)

    def test_judging_twice_gives_the_same_bytes(self):
        reports = self.runs(6)
        self.learn(*reports, "--out", "site.json")
        (self.folder / "test-table.json").write_text((self.folder / "loose.json").read_text())
        texts = []
        for name in ("a.json", "b.json"):
            done = self.rackproof("judge", reports[0], "--platform", "site.json", "--out", name)
            self.assertEqual(done.returncode, 0, done.stdout)
            texts.append((self.folder / name).read_bytes())
        self.assertEqual(texts[0], texts[1])

    def test_a_rejected_report_teaches_nothing(self):
        reports = self.runs(2)
        self.run_suite([step("wrong-answer")], "--platform", self.table, out="bad")
        done = self.learn(*reports, "bad/report.json", "--out", "site.json")
        self.assertEqual(done.returncode, 2)
        self.assertIn("is rejected: only runs in which all is right teach", done.stderr)
        self.assertFalse((self.folder / "site.json").exists())

    def test_too_few_runs(self):
        done = self.learn(*self.runs(2))
        self.assertEqual(done.returncode, 2)
        self.assertIn("2 values; at least 5 are needed", done.stderr)

    def test_an_edited_report(self):
        report = self.folder / self.measure(100, "run")
        text = report.read_text()
        report.write_text(text.replace('"compared": 1000', '"compared": 0'))
        done = self.learn("run/report.json")
        self.assertEqual(done.returncode, 2)
        self.assertIn("its verdicts are not what its evidence gives", done.stderr)

    def test_a_history_reaches_the_report_and_is_judged_again(self):
        reports = self.runs(6)
        done = self.learn(*reports, "--history", "past.jsonl")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = (self.folder / "past.jsonl").read_text().splitlines()
        self.assertEqual(len(lines), 2)
        self.assertEqual(len(json.loads(lines[1])["values"]), 6)
        done = self.run_suite([step("ok")], "--platform", self.table, "--history", "past.jsonl",
                              out="now")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(self.report("now")["history"]), 1)
        (self.folder / "now" / "report.json").unlink()
        self.rackproof("assemble", "now")
        self.assertEqual(len(self.report("now")["history"]), 1)
        done = self.rackproof("judge", reports[0], "--history", "past.jsonl", "--out", "j.json")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_history_that_was_cut_off(self):
        self.write("past.jsonl", '{"schema":"rackproof/history/1"}\n{"subject":')
        report = self.measure(100, "run")
        done = self.rackproof("judge", report, "--history", "past.jsonl")
        self.assertEqual(done.returncode, 2)
        self.assertIn("past.jsonl:2: the last line has no end", done.stderr)


if __name__ == "__main__":
    support.main()
