"""Groups of processes: every member gets the first one's token, and whatever goes wrong in one of them releases
the others and names it."""
import subprocess
import time
import unittest

import support

RING = str(support.STAGE / "libexec" / "rackproof" / "ring-host")


def ring(mode="ok", **more):
    fields = {
        "id": "ring", "title": "A ring", "bench": "ring", "backend": "host",
        "arguments": ["--mode", mode], "placement": "world", "members": "ranks",
        "deadline": "40 s", "bring_up": "3 s", "grace": "1 s",
        "expect": [{"metric": "ring.rate", "parameters": {"ranks": "$ranks"}}],
    }
    fields.update(more)
    return fields


@unittest.skipUnless(support.HAS_MPIRUN, support.WITHOUT_MPIRUN)
class Groups(support.Case):
    def play(self, step, ranks, **env):
        began = time.monotonic()
        done = self.run_suite([step], ranks=ranks, timeout=100, **env)
        self.seconds = time.monotonic() - began
        self.assertNotEqual(done.returncode, 1, done.stderr)
        report = self.report()
        self.assertEqual(self.rackproof("check", "out/report.json").returncode, 0)
        return report

    def tokens(self, report):
        return [note for attempt in report["attempts"] for note in attempt["notes"]
                if note.startswith("token ")]

    def check_whole(self, ranks):
        report = self.play(ring(), ranks)
        self.assertEqual(len(report["attempts"]), ranks)
        self.assertEqual(sorted(a.get("member", 0) for a in report["attempts"]), list(range(ranks)))
        tokens = self.tokens(report)
        self.assertEqual(len(tokens), ranks)
        self.assertEqual(len(set(tokens)), 1, "a member got other bytes")
        self.assertIn("/ring/0/1/member-0#", tokens[0])
        verdict = self.verdict(report, "ring")
        self.assertEqual(verdict["outcome"], "unjudged", verdict["reason"])

    def test_two(self):
        self.check_whole(2)

    def test_sixteen(self):
        self.check_whole(16)

    def blamed(self, report, member, ranks):
        """The cell is untested and names that member, and so does a finding."""
        name = f"member {member} of {ranks} (rank {member} on "
        verdict = self.verdict(report, "ring")
        self.assertIn(name, verdict["reason"])
        found = [f for f in report["findings"] if f["id"] == "group-failed"]
        self.assertEqual(len(found), 1)
        self.assertIn(name, found[0]["text"])
        return verdict

    def test_first_dies_before_its_token(self):
        report = self.play(ring("dies-before-token"), 4)
        verdict = self.blamed(report, 0, 4)
        self.assertEqual((verdict["outcome"], verdict["reason_id"]), ("untested", "signalled"))
        self.assertEqual(len(report["attempts"]), 1, "a peer was started without a token")
        self.assertLess(report["run"]["seconds"], 3)

    def test_sixteen_are_released_when_the_first_dies(self):
        report = self.play(ring("dies-before-token"), 16)
        self.blamed(report, 0, 16)
        self.assertEqual({r["state"] for r in report["ranks"]}, {"finished"})
        self.assertLess(report["run"]["seconds"], 10)

    def test_first_gives_no_token(self):
        report = self.play(ring("no-token"), 3)
        verdict = self.blamed(report, 0, 3)
        self.assertEqual((verdict["outcome"], verdict["reason_id"]), ("untested", "bring-up"))
        self.assertLess(report["run"]["seconds"], 8)
        self.assertGreater(report["run"]["seconds"], 2.9)

    def test_first_gives_a_bad_token(self):
        report = self.play(ring("bad-token"), 3)
        verdict = self.blamed(report, 0, 3)
        self.assertEqual(verdict["outcome"], "untested")
        self.assertEqual(len(report["attempts"]), 1)
        self.assertLess(report["run"]["seconds"], 3)

    def test_first_ends_without_a_token(self):
        report = self.play(ring("ends-without-token"), 3)
        verdict = self.verdict(report, "ring")
        self.assertEqual((verdict["outcome"], verdict["reason_id"]), ("untested", "bring-up"))

    def test_a_member_that_dies_ends_the_others(self):
        report = self.play(ring("dies-later", arguments=["--mode", "dies-later", "--who", "2"]), 4)
        verdict = self.blamed(report, 2, 4)
        self.assertEqual((verdict["outcome"], verdict["reason_id"]), ("untested", "signalled"))
        self.assertLess(report["run"]["seconds"], 8, "the others waited for their own deadline")
        for attempt in report["attempts"]:
            if attempt.get("member", 0) != 2:
                self.assertEqual(attempt["ending"]["kind"], "cancelled")
                self.assertIn("member 2 of 4", attempt["ending"]["by"])

    def test_a_wrong_answer_of_any_member_fails_the_group(self):
        report = self.play(ring("wrong-answer"), 3)
        verdict = self.blamed(report, 1, 3)
        self.assertEqual((verdict["outcome"], verdict["reason_id"]), ("fail", "wrong-answer"))

    def test_devices(self):
        step = ring()
        del step["members"]
        report = self.play(step, 2, LD_LIBRARY_PATH=support.FAKE_NVML, FAKE_NVML="gpus=4")
        self.assertEqual(len(report["attempts"]), 4)
        self.assertEqual(len(set(self.tokens(report))), 1)
        by_member = {a.get("member", 0): a for a in report["attempts"]}
        self.assertEqual([by_member[m]["rank"] for m in range(4)], [0, 1, 0, 1])
        self.assertEqual([by_member[m]["arguments"][-1] for m in range(4)],
                         [f"GPU-node0-{m}" for m in range(4)])
        self.assertEqual(self.verdict(report, "ring")["outcome"], "unjudged")

    def test_group_of_each_node(self):
        report = self.play(ring(placement="groups"), 3)
        self.assertEqual(len(report["attempts"]), 3)
        self.assertTrue(report["cells"][0]["subject"]["group"].startswith("node:"))


class Solo(support.Case):
    def test_a_device_that_makes_each_part_wrong_is_named(self):
        step = ring("wrong-device")
        step["arguments"] += ["--which", "GPU-node0-5"]
        del step["members"]
        done = self.run_suite([step], LD_LIBRARY_PATH=support.FAKE_NVML, FAKE_NVML="gpus=8")
        report = self.report()
        found = [f for f in report["findings"] if f["id"] == "bad-member"]
        self.assertEqual([f["subject"].split("/")[-1] for f in found], ["GPU-node0-5"], done.stderr)
        self.assertIn("running it in parts", done.stderr)
        parts = {a["subject"]["group"] for a in report["attempts"] if a.get("narrows")}
        self.assertEqual(len(parts), 7)
        self.assertEqual(report["acceptance"], "rejected")
        self.assertIn("GPU 5", report["acceptance_reason"])
        self.assertEqual(self.rackproof("check", "out/report.json").returncode, 0)
        print(done.stdout)

    def test_a_device_that_makes_each_part_slow_is_named(self):
        table = self.write("table.json", support.platform([{
            "metric": "stream.triad", "backend": "host", "judge": "absolute", "expected": {"value": 100, "unit": "GB/s"},
            "tolerance_below": 0.1, "source": {"title": "a test", "kind": "measured-here", "date": "2026-01"}}]))
        meet = self.folder / "meet"
        meet.mkdir()
        step = ring("slow-device")
        step["arguments"] += ["--which", "GPU-node0-5", "--meet", str(meet), "--metric", "stream.triad"]
        step["expect"] = [{"metric": "stream.triad"}]
        del step["members"]
        done = self.run_suite([step], "--platform", table, "--force-platform", LD_LIBRARY_PATH=support.FAKE_NVML,
                              FAKE_NVML="gpus=8")
        self.assertEqual(done.returncode, 3, done.stderr)
        report = self.report()
        verdict = self.verdict(report, "ring")
        self.assertEqual((verdict["outcome"], verdict["reason_id"]), ("fail", "below-limit"), done.stderr)
        found = [f for f in report["findings"] if f["id"] == "slow-member"]
        self.assertEqual([f["subject"].split("/")[-1] for f in found], ["GPU-node0-5"], done.stderr)
        self.assertIn("with it are 30 % slower than like parts without it (7 parts in 7 rounds)", found[0]["text"])
        self.assertIn("running parts of it", done.stderr)
        self.assertEqual(report["acceptance"], "rejected")
        self.assertIn("GPU 5", report["acceptance_reason"].split(";")[0])
        cell = next(cell for cell in report["cells"] if cell["step"] == "ring")
        self.assertEqual(len(cell["measurements"]), 1)
        self.assertEqual(self.rackproof("check", "out/report.json").returncode, 0)
        print(done.stdout)

    def test_one_rank_drives_the_members_of_all_its_devices(self):
        step = ring()
        del step["members"]
        done = self.run_suite([step], LD_LIBRARY_PATH=support.FAKE_NVML, FAKE_NVML="gpus=8")
        report = self.report()
        self.assertEqual(len(report["attempts"]), 8, done.stderr)
        self.assertEqual(self.verdict(report, "ring")["outcome"], "unjudged")

    def test_without_a_device_the_group_is_owed_or_waived(self):
        step = ring()
        del step["members"]
        self.run_suite([step])
        self.assertEqual(self.verdict(self.report(), "ring")["outcome"], "untested")
        self.run_suite([dict(step, when_unavailable="waive")], out="waived")
        verdict = self.verdict(self.report("waived"), "ring")
        self.assertEqual(verdict["outcome"], "waived")
        self.assertIn("no device here", verdict["reason"])


class Tokens(unittest.TestCase):
    """What a member itself says to a line that is not for it."""

    def member(self, line, group="run-a/1/ring/0/1"):
        env = support.environment(RACKPROOF_GROUP=group)
        return subprocess.run([RING, "--ranks", "4", "--rank", "1"], input=line, text=True, env=env,
                              capture_output=True, timeout=20)

    def refused(self, line, word):
        done = self.member(line)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn(word, done.stderr)

    def test_lines(self):
        good = "rackproof-token run-a/1/ring/0/1 4 ring abc\n"
        self.assertEqual(self.member(good).returncode, 0)
        self.refused(good.replace("run-a", "run-b"), "another group")
        self.refused(good.replace(" 4 ", " 8 "), "8")
        self.refused(good[:-1], "cut short")
        self.refused(good[:20], "cut short")
        self.refused("", "no token")
        self.refused("garbage\n", "no token")
        self.refused(good + good, "more than one line")


if __name__ == "__main__":
    support.main()
