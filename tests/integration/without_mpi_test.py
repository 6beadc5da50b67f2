"""The program of a build without MPI: alone it is whole, and under a launcher it says what it cannot do."""
import os
import subprocess

import support

PROGRAM = support.BUILD / "tests" / "integration" / "rackproof-without-mpi"


class WithoutMpi(support.Case):
    def run_it(self, *arguments, **environment):
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True,
                              timeout=60, env=dict(os.environ, **environment), check=False)

    def test_under_a_launcher_it_refuses(self):
        done = self.run_it("run", OMPI_COMM_WORLD_SIZE="2", OMPI_COMM_WORLD_RANK="0")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("built without MPI", done.stderr)
        self.assertFalse(any(self.folder.iterdir()))

    def test_alone_it_works(self):
        done = self.run_it("explain", "below-limit")
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    support.main()
