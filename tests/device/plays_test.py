#!/usr/bin/env python3
"""Whole runs over GPUs that two hosts play: a healthy one, and one for each thing that goes wrong (docs/gpu-on-cpu.md).

RACKPROOF_BUILD is the build folder.
"""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import plays  # noqa: E402
from plays import support, uuid  # noqa: E402

VERIFIED, REJECTED, INCOMPLETE = ("verified", 7), ("rejected", 3), ("incomplete", 4)
SHORT = "gemm-gpu-fp8"  # a step of each GPU that takes a second
FIRST_OF_1, SECOND_OF_1 = f"play-1/{uuid(1, 0)}", f"play-1/{uuid(1, 1)}"


@unittest.skipUnless(support.HAS_MPIRUN, support.WITHOUT_MPIRUN)
@unittest.skipUnless(plays.racks.namespaces_work(), "this kernel gives no namespaces for hosts of their own")
class Case(support.Case):
    def play(self, wanted, *lines, steps=None, gpus=2, change=lambda suite: None, **variables):
        play = plays.Play(self.folder, lines, steps, gpus, change)
        done = play.run(**variables)
        self.told = done.stdout[:5000] + done.stderr[-2000:]
        self.assertTrue(list((self.folder / "out").glob("report.json*")), self.told)
        report = self.report()
        self.assertEqual((report["acceptance"], done.returncode), wanted, self.told)
        self.first = support.verdict_of(done.stdout)
        checked = self.rackproof("check", "out/report.json")
        self.assertEqual(checked.returncode, 0, checked.stdout[-2000:] + checked.stderr[-2000:])
        return report

    def bad(self, report, outcome):
        """Subjects with this outcome of what is required, and the ids of its reasons."""
        cells = [cell for cell in report["cells"] if cell["verdict"]["outcome"] == outcome and cell["required"]]
        return {self.name_of(cell["subject"]) for cell in cells}, {cell["verdict"]["reason_id"] for cell in cells}

    @staticmethod
    def name_of(subject):
        if subject["kind"] == "device":
            return f"{subject['host']}/{subject['device']}"
        return subject["kind"]

    def findings(self, report, kind):
        return [finding for finding in report["findings"] if finding["id"] == kind]


class Healthy(Case):
    def test_everything_is_right_and_nothing_is_said_to_be_fast(self):
        report = self.play(VERIFIED, gpus=4)
        outcomes = {cell["verdict"]["outcome"] for cell in report["cells"]}
        # GPUs of this generation have no types with scales of blocks.
        self.assertEqual(outcomes, {"verified", "waived"}, self.told)
        waived = {cell["step"] for cell in report["cells"] if cell["verdict"]["outcome"] == "waived"}
        self.assertEqual(waived, {"gemm-gpu-blocks"})
        steps = plays.racks.read_json(plays.racks.SUITES / "acceptance.json")["steps"]
        self.assertEqual([step["id"] for step in report["steps"]], [*(step["id"] for step in steps), "training-gpu"])
        devices = {self.name_of(c["subject"]) for c in report["cells"] if c["subject"]["kind"] == "device"}
        self.assertEqual(devices, {f"play-{host}/{uuid(host, i)}" for host in range(2) for i in range(4)})
        for kind in ("group-failed", "visible-devices", "peer-outlier", "digest-mismatch"):
            self.assertEqual(self.findings(report, kind), [])
        self.assertIn("8 of 8 GPUs", self.first)


@support.share
class OneGpu(Case):
    """What is bad is one GPU of the second host, and nothing else is."""

    def one_is_bad(self, wanted, outcome, reason, line, step, **more):
        report = self.play(wanted, line, steps=[step], **more)
        subjects, reasons = self.bad(report, outcome)
        self.assertEqual((subjects, reasons), ({SECOND_OF_1}, {reason}), self.told)
        self.assertIn(f"play-1 GPU 1 (0000:19:00.0, {uuid(1, 1)})", self.first)
        for host, index in ((0, 0), (0, 1), (1, 0)):
            self.assertNotIn(uuid(host, index), self.first)

    def test_lost_in_mid_step(self):
        for word in ("fault", "ecc"):
            with self.subTest(word):
                self.one_is_bad(INCOMPLETE, "untested", "device-error", f"play-1 burn-cuda {word}=1:40", "burn-gpu-bf16")
                support.shutil.rmtree(self.folder / "out")

    def wrong(self, program, number, step, **more):
        self.one_is_bad(REJECTED, "fail", "wrong-answer", f"play-1 {program} flip=1:{number}", step, **more)

    def test_wrong_bits_of_stream(self):
        def float_alone(suite):
            step = suite["steps"][0]
            step["arguments"][step["arguments"].index("double,float")] = "float"
            step["expect"][0]["parameters"]["type"] = "float"
        self.wrong("stream-cuda", 12, "stream-gpu", change=float_alone)

    def test_wrong_bits_of_copy(self):
        self.wrong("copy-cuda", 9, "copy-gpu")

    def test_wrong_bits_of_gemm(self):
        self.wrong("gemm-cuda", 40, SHORT)

    def test_wrong_bits_of_burn(self):
        self.wrong("burn-cuda", 100, "burn-gpu-bf16")

    def test_a_wrong_bit_of_an_alignment(self):
        self.wrong("align-cuda", 16, "align-gpu")

    def test_hidden_ones_are_measured_and_told(self):
        report = self.play(VERIFIED, steps=[SHORT, "copy-peers"], CUDA_VISIBLE_DEVICES="1")
        found = self.findings(report, "visible-devices")
        self.assertEqual(len(found), 1, self.told)
        self.assertIn("play-1", found[0]["subject"])


@support.share
class Groups(Case):
    """What is bad is one member of a group: 2 and 3 are the GPUs of the second host."""

    def group_is_open(self, line, reason, change=lambda suite: None):
        report = self.play(INCOMPLETE, line, steps=[SHORT, "collectives-gpu"], change=change)
        subjects, reasons = self.bad(report, "untested")
        self.assertEqual((subjects, reasons), ({"group"}, {reason}), self.told)
        return self.findings(report, "group-failed"), report

    def test_a_member_that_dies(self):
        found, _ = self.group_is_open("* collectives-nccl die=2:9", "truncated")
        self.assertEqual({finding["evidence"]["member"] for finding in found}, {2})
        self.assertIn(f"member 2 of 4 (rank 1 on play-1, {uuid(1, 0)})", self.first)

    def test_a_member_that_hangs(self):
        def soon(suite):
            suite["steps"][-1].update(deadline="10 s", bring_up="6 s", attempts=1)
        found, report = self.group_is_open("* collectives-nccl hang=2:9", "timed-out", soon)
        self.assertEqual(len(found), 1)
        # All stand in the same operation: nobody is blamed, and which one is known.
        self.assertIn("for which member the others waited is not known: all 4 had stood in", self.first)
        self.assertEqual(found[0]["evidence"]["bytes"], int(found[0]["evidence"]["operation"].split()[1]))
        self.assertNotIn("behind_member", found[0]["evidence"])
        told = [attempt["progress"] for attempt in report["attempts"]
                if attempt["step"] == "collectives-gpu" and not attempt.get("narrows")]
        # Whoever is number 2 hangs: a part of two members has none.
        narrowed = [finding["text"] for finding in self.findings(report, "group-narrowed")]
        self.assertEqual(len(narrowed), 1)
        self.assertIn("members 0 to 3 fail together", narrowed[0])
        self.assertEqual([one["entered"] for one in told], [told[0]["entered"]] * 4)

    def test_a_member_that_stops(self):
        def soon(suite):
            suite["steps"][-1].update(deadline="10 s", bring_up="6 s", attempts=1)
        found, report = self.group_is_open("* collectives-nccl stop=2:12", "timed-out", soon)
        self.assertEqual(len(found), 1)
        evidence = found[0]["evidence"]
        self.assertEqual((evidence["behind_member"], evidence["host"], evidence["device"], evidence["waiting"]),
                         (2, "play-1", uuid(1, 0), 3), found)
        self.assertIn(f"member 2 of 4 (rank 1 on play-1, {uuid(1, 0)}) was stopped by a signal", self.first)
        # The device of a process that is stopped stops with it here: how far that came is left to chance.
        places = {attempt.get("member", 0): attempt["progress"]["entered"] for attempt in report["attempts"]
                  if attempt["step"] == "collectives-gpu"}
        self.assertEqual([places[0], places[1]], [places[3]] * 2)
        self.assertEqual(evidence["iteration"], places[3]["iteration"])
        self.assertIn(f"of {evidence['operation']}", self.first)

    def test_a_member_that_nccl_loses(self):
        found, _ = self.group_is_open("* collectives-nccl lost=2:9", "gave-up")
        self.assertTrue(found)
        # All are told the same: nobody is blamed.
        self.assertTrue(all("member" not in finding["evidence"] for finding in found), found)
        self.assertIn("gave up on another member", self.first)

    def test_a_slow_member(self):
        report = self.play(VERIFIED, "* collectives-nccl slow=2:5000", steps=[SHORT, "collectives-gpu"])
        # All of them wait for it: no number of a group tells whose time it is.
        times = [m["value"] for c in report["cells"] if c["metric"] == "all_reduce.time" for m in c["measurements"]]
        self.assertEqual(len(times), 2)
        self.assertGreater(min(times), 0.005)
        self.assertEqual(self.findings(report, "group-failed"), [])

    def wrong_in_group(self, line, step):
        report = self.play(REJECTED, line, steps=[SHORT, step])
        subjects, reasons = self.bad(report, "fail")
        self.assertEqual((subjects, reasons), ({"group"}, {"wrong-answer"}), self.told)
        self.assertIn("rank 3", self.first)
        self.assertIn(f"(member 3 of 4: play-1/{uuid(1, 1)})", self.first)
        for finding in self.findings(report, "group-failed"):
            self.assertEqual(finding["evidence"]["wrong_member"], 3)

    def test_a_wrong_bit_of_a_collective(self):
        self.wrong_in_group("* collectives-nccl wrong=3:5", "collectives-gpu")

    def test_a_wrong_bit_of_a_pair(self):
        self.wrong_in_group("* pairs-nccl wrong=3:9", "pairs-gpu-bandwidth")


if __name__ == "__main__":
    support.main()
