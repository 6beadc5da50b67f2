"""MPI is where ranks are: alone the program has no need of it, and under a launcher it says what is missing."""
import os
import shutil
import subprocess
import unittest

import support

RANK_PROGRAM = support.STAGE / "bin" / "rackproof-mpi"
LAUNCHED = {"OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": "0"}
NOT_FOUND = 127  # of the dynamic loader


class WithoutMpi(support.Case):
    def run_it(self, *arguments, program=support.RACKPROOF, **environment):
        return subprocess.run([program, *arguments], cwd=self.folder, capture_output=True, text=True,
                              timeout=60, env=support.environment(**environment), check=False)

    def no_library(self):
        """An environment in which the MPI library is one that cannot be loaded."""
        folder = self.folder / "lib"
        folder.mkdir(exist_ok=True)
        for name in ("libmpi.so.40", "libmpi.so.12", "libmpich.so.12"):
            (folder / name).touch()
        return {"LD_LIBRARY_PATH": str(folder)}

    def test_without_the_program_of_ranks_it_refuses(self):
        # Its other files are found from where it is.
        for folder in ("share", "libexec"):
            (self.folder / folder).symlink_to(support.STAGE / folder)
        (self.folder / "bin").mkdir()
        alone = shutil.copy2(support.RACKPROOF, self.folder / "bin" / "rackproof")
        for verb in ("run", "prove"):
            done = self.run_it(verb, program=alone, **LAUNCHED)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertRegex(done.stderr, "no rackproof-mpi in|built without MPI")
        done = self.run_it("list", "features", program=alone)
        self.assertIn("mpi", done.stdout)
        self.assertNotIn(["mpi", "on"], [line.split() for line in done.stdout.splitlines()])
        self.assertEqual(sorted(entry.name for entry in self.folder.iterdir()), ["bin", "libexec", "share"])

    @unittest.skipUnless(RANK_PROGRAM.exists(), "this build has no MPI")
    def test_without_the_library_it_refuses(self):
        missing = self.no_library()
        self.assertEqual(self.run_it("--version", program=RANK_PROGRAM, **missing).returncode, NOT_FOUND)
        for verb in ("run", "prove"):
            done = self.run_it(verb, **LAUNCHED, **missing)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn("cannot be loaded", done.stderr)
            self.assertIn("openmpi-bin", done.stderr)
        self.assertIn("cannot be loaded", self.run_it("doctor", **missing).stdout)

    def test_alone_it_needs_no_library(self):
        missing = self.no_library()
        done = self.run_it("explain", "below-limit", **missing)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        path = self.write("suite.json", support.suite([support.step("ok")]))
        done = self.run_it("run", "--suite", path, "--out", "out", **missing)
        self.assertEqual(self.verdict(self.report(), "ok")["outcome"], "unjudged", done.stderr)
        self.assertEqual(self.run_it("show", "out", **missing).returncode, 0)

    @unittest.skipUnless(RANK_PROGRAM.exists(), "this build has no MPI")
    def test_two_builds_are_not_mixed(self):
        done = self.run_it("run", program=RANK_PROGRAM, RACKPROOF_STARTED_AS="0.0.1 (another)")
        self.assertEqual(done.returncode, 2)
        self.assertIn("0.0.1 (another) has started rackproof-mpi", done.stderr)

    @unittest.skipUnless(support.HAS_MPIRUN, support.WITHOUT_MPIRUN)
    def test_what_a_rank_starts_is_the_program_without_mpi(self):
        self.start_suite([support.step("slow", arguments=["--mode", "slow", "--seconds", "60"], deadline="100 s")],
                         ranks=2)
        # The recorder, a child of the rank's warden.
        recorder = self.wait_for(lambda: [words for _, line in support.processes_of(self.folder)
                                          if "record" in (words := line.split("\0"))], what="the recorder")
        self.assertEqual({words[0] for words in recorder}, {str(support.RACKPROOF)})
        ranks = [os.readlink(f"/proc/{pid}/exe") for pid in self.journal_ranks().values()]
        self.assertEqual(set(ranks), {str(RANK_PROGRAM)})
        support.end_all(self.folder)

    @unittest.skipUnless(RANK_PROGRAM.exists(), "this build has no MPI")
    def test_doctor_names_what_it_found(self):
        lines = [line for line in self.run_it("doctor").stdout.splitlines() if line.startswith("MPI: ")]
        self.assertEqual(len(lines), 1)
        if support.HAS_MPIRUN:
            self.assertIn(shutil.which("mpirun", path=os.environ["PATH"]), lines[0])


if __name__ == "__main__":
    support.main()
