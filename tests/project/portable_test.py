"""scripts/check-portable finds what keeps a program from running on another machine."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check-portable"
# Of this build: dynamic, of the machine that it was built on.
PROGRAM = pathlib.Path(os.environ["RACKPROOF_PROGRAM"])
MINIMAL = "int main(void) { return 0; }"


class Portable(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="rackproof-portable-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def check(self, *options):
        return subprocess.run([CHECK, *options, self.folder], capture_output=True, text=True, check=False)

    def compile(self, name, source=MINIMAL, *options):
        subprocess.run(["cc", "-x", "c", "-", "-x", "none", "-o", self.folder / name, *options], input=source, text=True,
                       check=True)

    def test_nothing_is_no_package(self):
        self.assertEqual(self.check().returncode, 1)
        (self.folder / "script").write_text("#!/bin/sh\n")
        self.assertEqual(self.check().returncode, 1)

    def test_a_program_with_libraries_of_its_own_is_found(self):
        shutil.copy(PROGRAM, self.folder)
        done = self.check()
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"rackproof: wants libstdc\+\+\.so\.6")

    def test_a_library_belongs_where_the_name_says_so(self):
        self.compile("guest.so", "int guest(void) { return 1; }", "-shared", "-fPIC", "-Wl,-soname,libmpi.so.40")
        source = "int guest(void); int main(void) { return guest(); }"
        library = self.folder / "guest.so"
        for name in ("bench-mpi", "bench-host"):
            self.compile(name, source, library)
        library.unlink()
        said = self.check().stdout
        self.assertIn("bench-host: wants libmpi.so.40", said)
        self.assertNotIn("bench-mpi: wants libmpi.so.40", said)

    def test_a_bench_says_that_its_program_is_linked_with_mpi(self):
        self.compile("guest.so", "int guest(void) { return 1; }", "-shared", "-fPIC", "-Wl,-soname,libmpi.so.40")
        library = self.folder / "guest.so"
        for name in ("bench-host", "other-host"):
            self.compile(name, "int guest(void); int main(void) { return guest(); }", library)
        library.unlink()
        benches = self.folder / "share" / "rackproof" / "benches"
        benches.mkdir(parents=True)
        (benches / "bench.json").write_text('// of "ranks"\n{"bench": "bench", "mpi": ["host"]}\n')
        (benches / "other.json").write_text('{"bench": "other"}\n')
        said = self.check().stdout
        self.assertNotIn("bench-host: wants libmpi.so.40", said)
        self.assertIn("other-host: wants libmpi.so.40", said)

    def test_a_path_of_the_builder_is_found(self):
        self.compile("program", MINIMAL, "-Wl,-rpath,/opt/somewhere")
        self.assertIn("program: looks for libraries in /opt/somewhere", self.check().stdout)

    def test_another_architecture_is_found(self):
        self.compile("program")
        machine = {"x86_64": "arm64", "aarch64": "amd64"}[os.uname().machine]
        self.assertIn(f"program: is not for {machine}", self.check("--arch", machine).stdout)

    def test_a_new_symbol_of_the_c_library_is_found(self):
        # Since glibc 2.32.
        self.compile("program", "#define _GNU_SOURCE\n#include <string.h>\n"
                                "int main(int n, char **a) { (void)a; return sigabbrev_np(n) != 0; }")
        self.assertIn("program: wants GLIBC_2.32 of libc.so.6", self.check().stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
