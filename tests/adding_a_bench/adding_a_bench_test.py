"""The bench of docs/adding-a-bench.md does what the page says of it: it measures and proves, a wrong bit is caught, and
the harness takes it up by its own description."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration"))
import support  # noqa: E402

EXAMPLE = pathlib.Path(os.environ["RACKPROOF_EXAMPLE"])
SHOWN = EXAMPLE / "source"
PROGRAMS = EXAMPLE / "programs"
WRONG_ANSWER = 4


def bench():
    return json.loads((SHOWN / "benches" / "memcpy" / "bench.json").read_text())


class Runs:
    """The program alone."""

    program, arguments = None, None

    def run_program(self, *more):
        done = subprocess.run([PROGRAMS / self.program, "--json", *self.arguments, *more], capture_output=True, text=True,
                              check=False, timeout=120)
        return done, [json.loads(line) for line in done.stdout.splitlines()]

    def test_it_measures_and_proves(self):
        done, records = self.run_program()
        self.assertEqual(done.returncode, 0, done.stderr)
        [metric] = [record for record in records if record["kind"] == "metric"]
        self.assertEqual(metric["name"], "memcpy.rate")
        self.assertGreater(metric["value"], 0)
        [check] = [record for record in records if record["kind"] == "check"]
        self.assertTrue(check["passed"])
        self.assertGreater(check["compared"], 0)

    def test_a_wrong_bit_is_caught_and_located(self):
        done, records = self.run_program("--inject", "bitflip:77:3")
        self.assertEqual(done.returncode, WRONG_ANSWER, done.stderr)
        [check] = [record for record in records if record["kind"] == "check"]
        self.assertEqual(check["first_wrong"]["where"], "word 77")


class Host(Runs, support.Case):
    program, arguments = "memcpy-host", bench()["programs"]["host"]["brief"]

    def setUp(self):
        super().setUp()
        stage = self.folder / "stage"
        shutil.copytree(support.STAGE, stage, symlinks=True)
        shutil.copy2(PROGRAMS / self.program, stage / "libexec" / "rackproof")
        self.description = stage / "share" / "rackproof" / "benches" / "memcpy.json"
        shutil.copy2(SHOWN / "benches" / "memcpy" / "bench.json", self.description)
        self.staged = stage / "bin" / "rackproof"

    def rack(self, *arguments):
        return subprocess.run([self.staged, *arguments], capture_output=True, text=True, check=False, timeout=120,
                              cwd=self.folder, env=support.environment())

    def test_its_description_and_records_are_sound(self):
        (self.folder / "out.jsonl").write_text(self.run_program()[0].stdout)
        for file in (str(self.description), "out.jsonl"):
            done = self.rack("check", file)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_its_step_and_its_baseline_give_a_verdict(self):
        step = json.loads((SHOWN / "configs" / "suites" / "node.json").read_text())
        baseline = json.loads((SHOWN / "configs" / "platforms" / "host-generic.json").read_text())
        self.write("suite.json", support.suite([step]))
        self.write("table.json", support.platform([dict(baseline, source=support.SOURCE)]))
        done = self.rack("run", "--suite", "suite.json", "--platform", "./table.json", "--out", "out", "--no-record")
        report = json.loads((self.folder / "out" / "report.json").read_text())
        self.assertEqual([(cell["metric"], cell["verdict"]["outcome"]) for cell in report["cells"]],
                         [("memcpy.rate", "verified")], done.stdout + done.stderr)


class Gpu(Runs, support.Case):
    """On a GPU that the CPU plays."""

    program, arguments = "memcpy-cuda", bench()["programs"]["cuda"]["played"]


if __name__ == "__main__":
    unittest.main()
