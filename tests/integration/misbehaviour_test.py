"""Each way in which a bench can misbehave gets an ending of its own and never a pass; the run goes on,
ends by its deadlines, and leaves no process."""

import support
from support import step

# mode -> (ending, outcome, reason id of the verdict)
EXPECTED = {
    "ok": ("completed", "unjudged", "no-baseline"),
    "injected": ("completed", "untested", "fault-injected"),
    "segv": ("signalled", "untested", "signalled"),
    "abrt": ("signalled", "untested", "signalled"),
    "bus": ("signalled", "untested", "signalled"),
    "fpe": ("signalled", "untested", "signalled"),
    "ill": ("signalled", "untested", "signalled"),
    "kill": ("signalled", "untested", "signalled"),
    "hang": ("timed-out", "untested", "timed-out"),
    "spin": ("timed-out", "untested", "timed-out"),
    "stop": ("timed-out", "untested", "timed-out"),
    "ignore-term": ("timed-out", "untested", "timed-out"),
    "close-stdout": ("timed-out", "untested", "timed-out"),
    "flood-stdout": ("garbled", "untested", "garbled"),
    "flood-stderr": ("completed", "unjudged", "no-baseline"),
    "half-line": ("garbled", "untested", "garbled"),
    "invalid-utf8": ("garbled", "untested", "garbled"),
    "nan": ("garbled", "untested", "garbled"),
    "null": ("garbled", "untested", "garbled"),
    "negative": ("completed", "untested", "bad-number"),
    "zero": ("completed", "untested", "bad-number"),
    "too-good": ("completed", "untested", "implausible"),
    "other-statistic": ("garbled", "untested", "garbled"),
    "lie-unit": ("garbled", "untested", "garbled"),
    "stale-nonce": ("garbled", "untested", "garbled"),
    "no-hello": ("garbled", "untested", "garbled"),
    "no-end": ("truncated", "untested", "truncated"),
    "after-end": ("garbled", "untested", "garbled"),
    "twice": ("garbled", "untested", "garbled"),
    "silent": ("truncated", "untested", "truncated"),
    "no-metric": ("completed", "untested", "no-result"),
    "no-check": ("completed", "untested", "unverified"),
    "no-work": ("completed", "untested", "unverified"),
    "wrong-answer": ("completed", "fail", "wrong-answer"),
    "wrong-answer-exit-0": ("garbled", "fail", "wrong-answer"),
    "other-wrong-answer": ("completed", "fail", "wrong-answer"),
    "exit-lie": ("garbled", "untested", "garbled"),
    "exit-1": ("completed", "untested", "bench-error"),
    "exit-2": ("completed", "untested", "bench-usage"),
    "exit-3": ("completed", "untested", "unavailable"),
    "exit-6": ("completed", "untested", "gave-up"),
    "exit-5": ("completed", "untested", "device-error"),
    "leak": ("leaked", "untested", "leaked"),
    "daemon": ("leaked", "untested", "leaked"),
    "huge-line": ("garbled", "untested", "garbled"),
    "deep": ("garbled", "untested", "garbled"),
}
SHORT_DEADLINE = {"hang", "spin", "stop", "ignore-term", "close-stdout"}


class Misbehaviour(support.Case):
    def test_every_mode(self):
        steps = [step(mode, deadline="1 s" if mode in SHORT_DEADLINE else "30 s", grace="0.5 s")
                 for mode in EXPECTED]
        table = self.write("table.json", support.platform([]))
        done = self.run_suite(steps, "--platform", table)
        self.assertEqual(done.returncode, 3, done.stderr)
        report = self.report()
        for mode, (ending, outcome, reason) in EXPECTED.items():
            with self.subTest(mode=mode):
                verdict = self.verdict(report, mode)
                self.assertEqual(self.ending(report, mode), ending)
                self.assertEqual(verdict["outcome"], outcome, verdict["reason"])
                self.assertEqual(verdict["reason_id"], reason, verdict["reason"])
        checked = self.rackproof("check", "out/report.json")
        self.assertEqual(checked.returncode, 0, checked.stdout)

    def test_correct_number_is_judged(self):
        baseline = {"metric": "fake.rate", "judge": "absolute",
                    "expected": {"value": 0.1, "unit": "kB/s"}, "tolerance_below": 0.1,
                    "statistic": "median", "source": support.SOURCE}
        table = self.write("table.json", support.platform([baseline]))
        done = self.run_suite([step("ok")], "--platform", table)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.verdict(self.report(), "ok")["outcome"], "pass")

        slow = step("ok", arguments=["--mode", "ok", "--value", "80"])
        done = self.run_suite([slow], "--platform", table, out="slow")
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        verdict = self.verdict(self.report("slow"), "ok")
        self.assertEqual((verdict["outcome"], verdict["reason_id"]), ("fail", "below-limit"))

    def test_other_dimension_is_never_compared(self):
        baseline = {"metric": "fake.rate", "judge": "absolute",
                    "expected": {"value": 1, "unit": "B/s"}, "tolerance_below": 0.1,
                    "statistic": "median", "source": support.SOURCE}
        table = self.write("table.json", support.platform([baseline]))
        done = self.run_suite([step("other-unit")], "--platform", table)
        self.assertEqual(done.returncode, 4, done.stdout)
        self.assertEqual(self.verdict(self.report(), "other-unit")["outcome"], "unjudged")

    def test_failure_stops_the_run_when_asked(self):
        steps = [step("segv", on_failure="stop"), step("ok")]
        done = self.run_suite(steps)
        self.assertEqual(done.returncode, 4, done.stdout)
        self.assertEqual(self.verdict(self.report(), "ok")["reason_id"], "stopped-by-earlier-step")

    def test_crash_is_tried_again(self):
        done = self.run_suite([step("segv", attempts=3)])
        self.assertEqual(done.returncode, 4)
        self.assertEqual(len(self.report()["attempts"]), 3)

    def test_wrong_answer_is_not_tried_again(self):
        done = self.run_suite([step("wrong-answer", attempts=3)])
        self.assertEqual(done.returncode, 3)
        self.assertEqual(len(self.report()["attempts"]), 1)

    def test_unavailable_can_be_waived(self):
        done = self.run_suite([step("exit-3", when_unavailable="waive"), step("ok")])
        self.assertEqual(self.verdict(self.report(), "exit-3")["outcome"], "waived")
        self.assertIn(done.returncode, (0, 4))


if __name__ == "__main__":
    support.main()
