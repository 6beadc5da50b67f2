"""The batch script and the container around it, beside commands that write down how they were called. Under Slurm itself
the script runs in tests/slurm."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BATCH = ROOT / "scripts" / "slurm" / "rackproof.sbatch"
CONTAINER = ROOT / "scripts" / "slurm" / "rackproof-container.sh"

# Each stands for a command: it keeps its words and does what a test needs of it.
FAKES = {
    "srun": 'printf "srun"; printf " %s" "$@"; echo\nmkdir -p "$RUN/journals"\n'
            'case " $* " in *" assemble "*) exec "$HERE/rackproof" assemble "$RUN";;\n'
            '*" show "*) exec "$HERE/rackproof" show "$RUN" --json;; esac\nexit 9',
    "rackproof": 'case " $* " in *" show "*) echo "{\\"completed\\": $COMPLETED}"; exit 0;; esac\n'
                 'printf "rackproof"; printf " %s" "$@"; echo\nexit "$VERDICT"',
    "apptainer": 'printf "apptainer"; printf " %s" "$@"; echo\nwhile [ "$1" != rackproof ]; do shift; done\nexec "$@"',
    "scontrol": 'printf "scontrol"; printf " %s" "$@"; echo',
    "sleep": "exit 0",
    "sbatch": 'printf "sbatch"; printf " %s" "$@"; echo\necho "wrapper: ${RACKPROOF_WRAPPER:-}"\n'
              'echo "srun: ${RACKPROOF_SRUN:-}"',
}


class Batch(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="rackproof-test-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        for name, text in FAKES.items():
            path = self.folder / name
            path.write_text(f"#!/bin/bash\n{text}\n")
            path.chmod(0o755)

    def run_script(self, script, *words, **more):
        run = self.folder / "run"
        environment = {"PATH": f"{self.folder}:{os.environ['PATH']}", "HERE": str(self.folder), "RUN": str(run),
                       "RACKPROOF_OUT": str(run), "SLURM_JOB_ID": "7", "COMPLETED": "true", "VERDICT": "0", **more}
        done = subprocess.run([str(script), *words], capture_output=True, text=True, timeout=60, check=False,
                              cwd=self.folder, env=environment)
        return done.returncode, done.stdout.splitlines(), done.stderr

    def test_the_verdict_is_what_the_job_ends_with(self):
        code, lines, _ = self.run_script(BATCH, "--suite", "smoke", VERDICT="3")
        self.assertEqual(code, 3)
        self.assertRegex(lines[0], r"^srun --mpi=pmix .* --cpu-bind=none rackproof run --out \S+/run --suite smoke$")
        self.assertEqual(lines[-1], f"rackproof assemble {self.folder}/run")

    def test_a_run_that_was_begun_goes_on(self):
        (self.folder / "run" / "journals").mkdir(parents=True)
        _, lines, _ = self.run_script(BATCH, "--suite", "smoke")
        self.assertTrue(lines[0].endswith(f"rackproof run --resume {self.folder}/run"), lines[0])

    def test_a_run_that_is_not_through_goes_back_into_the_queue_as_often_as_it_may(self):
        for count, restarts, expected in (("0", "2", True), ("2", "2", False), ("0", "0", False)):
            code, lines, _ = self.run_script(BATCH, COMPLETED="false", VERDICT="4", RACKPROOF_RESTARTS=restarts,
                                             SLURM_RESTART_COUNT=count)
            self.assertEqual(code, 4)
            self.assertEqual("scontrol requeue 7" in lines, expected)

    def test_the_nodes_are_the_jobs_alone(self):
        self.assertRegex(BATCH.read_text(), re.compile(r"^#SBATCH --exclusive$", re.MULTILINE))

    def test_with_pyxis_every_step_is_in_the_container(self):
        options = "--container-image=rackproof.sqsh --container-mounts=/a:/a"
        code, lines, _ = self.run_script(BATCH, RACKPROOF_SRUN=options, VERDICT="4")
        self.assertEqual(code, 4)
        steps = [line for line in lines if line.startswith("srun")]
        self.assertEqual(len(steps), 2)
        for step in steps:
            self.assertIn(f" {options} rackproof ", step)
        self.assertIn(" -N 1 -n 1 ", steps[1])

    def test_with_apptainer_too(self):
        code, lines, _ = self.run_script(BATCH, RACKPROOF_WRAPPER="apptainer exec --nv rackproof.sif", VERDICT="3")
        self.assertEqual(code, 3)
        self.assertIn(" apptainer exec --nv rackproof.sif rackproof run ", lines[0])
        self.assertIn(f"apptainer exec --nv rackproof.sif rackproof assemble {self.folder}/run", lines)

    def test_a_job_in_a_container_is_submitted(self):
        code, lines, error = self.run_script(CONTAINER, "pyxis", "registry/rackproof:1", "-N", "4", "--", "--suite", "x")
        self.assertEqual(code, 0, error)
        self.assertEqual(lines[0], f"sbatch -N 4 {BATCH} --suite x")
        self.assertEqual(lines[2], "srun: --container-image=registry/rackproof:1 "
                                   f"--container-mounts={self.folder}:{self.folder} --container-workdir={self.folder}")
        code, lines, error = self.run_script(CONTAINER, "apptainer", "rackproof.sif")
        self.assertEqual((code, lines[0]), (0, f"sbatch {BATCH}"), error)
        self.assertEqual(lines[1], f"wrapper: apptainer exec --nv --bind {self.folder} --pwd {self.folder} rackproof.sif")

    def test_what_cannot_be_submitted_is_refused(self):
        for words in ((), ("docker", "x"), ("pyxis",), ("pyxis", "-N", "4"), ("apptainer", "a b.sif")):
            code, lines, error = self.run_script(CONTAINER, *words)
            self.assertEqual((code, lines), (2, []), words)
            self.assertIn("rackproof-container.sh: ", error)
        self.assertEqual(self.run_script(CONTAINER, "--help")[0], 0)


if __name__ == "__main__":
    RESULT = unittest.main(verbosity=2, exit=False).result
    sys.exit(not RESULT.wasSuccessful())
