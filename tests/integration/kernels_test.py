"""Which kernels of OpenBLAS the benches use, who chose them, and that none passes with kernels which do not fit.

fake-openblas-gemm is gemm-host with an OpenBLAS before it whose own choice fits no processor, so that the
outcome does not depend on the one that this runs on."""
import json
import os
import pathlib
import subprocess

import support

FAKE = pathlib.Path(os.environ["RACKPROOF_BUILD"]) / "tests" / "fakes" / "fake-openblas-gemm"
GEMM = support.STAGE / "libexec" / "rackproof" / "gemm-host"
STEPS = support.STAGE / "libexec" / "rackproof" / "steps-host"
BURN = support.STAGE / "libexec" / "rackproof" / "burn-host"
QUICK = ["--json", "--dtype", "fp64", "--shape", "64", "--seconds", "0.01"]
VARIABLE = "OPENBLAS_CORETYPE"


class Kernels(support.Case):
    def run_bench(self, program, arguments=QUICK, **more):
        if not program.exists():
            self.skipTest(f"this build has no {program.name}")
        environment = {name: value for name, value in support.environment().items() if name != VARIABLE}
        done = subprocess.run([str(program), *arguments], capture_output=True, text=True, timeout=120,
                              cwd=self.folder, stdin=subprocess.DEVNULL, env={**environment, **more})
        return done, [json.loads(line) for line in done.stdout.splitlines()]

    def conditions(self, program, arguments=QUICK, **more):
        done, records = self.run_bench(program, arguments, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = [record.get("conditions", {}) for record in records if record["kind"] == "metric"]
        self.assertTrue(found)
        return found[0], records

    def refusal(self, program, **more):
        done, records = self.run_bench(program, **more)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual([record for record in records if record["kind"] in ("metric", "check")], [])
        self.assertEqual(records[-1]["reason"], "unavailable")
        return done.stderr

    def test_a_core_is_named_where_the_own_choice_does_not_fit(self):
        conditions, records = self.conditions(FAKE)
        self.assertEqual(conditions["kernels_chosen_by"], "bench")
        self.assertNotEqual(conditions["kernels"], "generic")
        self.assertIn(f"core={conditions['kernels']}", records[0]["libraries"]["OpenBLAS"])
        said = [record["text"] for record in records if "kernels" in record.get("facts", {})]
        self.assertIn("its own choice was generic", said[0])

    def test_arguments_nonce_and_one_transcript_survive_the_second_start(self):
        done, records = self.run_bench(FAKE, QUICK + ["--seed", "7"], RACKPROOF_NONCE="n0nce")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([record["kind"] for record in records].count("hello"), 1)
        self.assertEqual(records[0]["arguments"], QUICK + ["--seed", "7"])
        self.assertEqual({record["nonce"] for record in records}, {"n0nce"})

    def test_a_library_without_the_core_is_refused(self):
        self.assertIn("which need no vectors", self.refusal(FAKE, FAKE_OPENBLAS="deaf"))

    def test_what_a_user_names_stands_and_is_refused_when_it_does_not_fit(self):
        self.assertIn(f"unset {VARIABLE}", self.refusal(FAKE, **{VARIABLE: "generic"}))
        conditions, _ = self.conditions(FAKE, **{VARIABLE: "core-of-tomorrow"})
        self.assertEqual(conditions, {"kernels": "core-of-tomorrow", "kernels_chosen_by": "user"})

    def description(self, program, **more):
        done, records = self.run_bench(program, ["--describe"], **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return records[0]

    def test_a_description_says_whether_it_would_refuse(self):
        self.assertNotIn("unavailable", self.description(FAKE))
        self.assertIn("which need no vectors", self.description(FAKE, FAKE_OPENBLAS="deaf")["unavailable"])
        self.assertIn(f"unset {VARIABLE}", self.description(FAKE, **{VARIABLE: "generic"})["unavailable"])

    def test_doctor_says_when_a_variable_of_the_caller_makes_benches_refuse(self):
        named = {VARIABLE: "Prescott"}
        refusing = [program for program in (BURN, GEMM, STEPS)
                    if "unavailable" not in self.description(program)
                    and "unavailable" in self.description(program, **named)]
        said = [line for line in self.rackproof("doctor", **named).stdout.splitlines() if "bench-refuses" in line]
        self.assertEqual(len(said), len(refusing), said)
        for line, program in zip(said, refusing):
            self.assertIn(f"with {VARIABLE}=Prescott in the environment, {program.name} started by hand", line)
        if not refusing:
            self.skipTest("OpenBLAS has no kernels for Prescott here, or they fit this processor")

    def test_the_benches_as_installed_use_kernels_that_fit(self):
        done, _ = self.run_bench(GEMM)
        if done.returncode == 3 and "uses its kernels for" in done.stderr:
            self.skipTest("this OpenBLAS has no kernels for this processor, and gemm-host says so")
        conditions, records = self.conditions(GEMM)
        burnt, _ = self.conditions(BURN, ["--json", "--seconds", "0.1", "--size", "64",
                                          "--memory-fraction", "0.001"])
        self.assertEqual(burnt, conditions)
        if "OpenBLAS" in records[0]["libraries"]:
            self.assertIn(conditions["kernels_chosen_by"], ("library", "bench"))
        else:
            self.assertEqual(conditions, {})


if __name__ == "__main__":
    support.main()
