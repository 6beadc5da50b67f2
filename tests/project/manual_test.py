"""Where manual pages come from (cmake/RackproofManual.cmake), with a stand-in for the program: a native build, and a build for
another machine with an emulator, with the files of a native build, and with neither."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROJECT = f"""
cmake_minimum_required(VERSION 3.25)
project(standin LANGUAGES C)
include(GNUInstallDirs)
add_executable(rackproof main.c)
include("{ROOT}/cmake/RackproofManual.cmake")
"""
# `rackproof manual DIR`, as far as the build sees it.
PROGRAM = r"""
#include <stdio.h>
#include <sys/stat.h>
static void put(const char* root, const char* folder, const char* name) {
  char path[4096];
  for (int at = 0; folder[at] != 0; ++at) {
    if (folder[at] != '/') continue;
    snprintf(path, sizeof path, "%s/%.*s", root, at, folder);
    mkdir(path, 0755);
  }
  snprintf(path, sizeof path, "%s/%s%s", root, folder, name);
  FILE* file = fopen(path, "w");
  if (file != NULL) fputs("written\n", file), fclose(file);
}
int main(int count, char** words) {
  if (count != 3) return 2;
  mkdir(words[2], 0755);
  put(words[2], "man/man1/", "rackproof.1");
  put(words[2], "bash-completion/completions/", "rackproof");
  put(words[2], "zsh/site-functions/", "_rackproof");
  put(words[2], "fish/vendor_completions.d/", "rackproof.fish");
  return 0;
}
"""
FILES = ["bash-completion/completions/rackproof", "fish/vendor_completions.d/rackproof.fish", "man/man1/rackproof.1",
         "zsh/site-functions/_rackproof"]
ELSEWHERE = ["-D", "CMAKE_SYSTEM_NAME=Linux", "-D", "CMAKE_SYSTEM_PROCESSOR=other"]


class Manual(unittest.TestCase):
    def setUp(self):
        if shutil.which("ninja") is None:
            self.skipTest("ninja is not installed")
        holder = tempfile.TemporaryDirectory(prefix="rackproof-test-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        (self.folder / "CMakeLists.txt").write_text(PROJECT)
        (self.folder / "main.c").write_text(PROGRAM)

    def cmake(self, *words):
        return subprocess.run(["cmake", *map(str, words)], capture_output=True, text=True, timeout=120, check=False)

    def configured(self, name, *settings):
        return self.cmake("-G", "Ninja", "-S", self.folder, "-B", self.folder / name, *settings)

    def installed(self, name, *settings):
        """Files below share after configuring, building and installing, and what configuring said."""
        said = self.configured(name, *settings)
        self.assertEqual(said.returncode, 0, said.stderr)
        for words in (("--build", self.folder / name),
                      ("--install", self.folder / name, "--prefix", self.folder / f"{name}-prefix")):
            done = self.cmake(*words)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        share = self.folder / f"{name}-prefix" / "share"
        return sorted(str(path.relative_to(share)) for path in share.rglob("*") if path.is_file()), said.stdout

    def test_a_native_build_writes_them(self):
        self.assertEqual(self.installed("native")[0], FILES)
        page = self.folder / "native" / "manual" / "man" / "man1" / "rackproof-gone.1"
        page.write_text("of a verb that is no more")
        (self.folder / "main.c").write_text(PROGRAM + "\n")
        self.assertEqual(self.installed("native")[0], FILES)

    def test_an_emulator_runs_a_program_for_another_machine(self):
        emulator = self.folder / "emulator"
        emulator.write_text(f'#!/bin/sh\necho called >> "{self.folder}/calls"\nexec "$@"\n')
        emulator.chmod(0o755)
        files, _ = self.installed("emulated", *ELSEWHERE, "-D", f"CMAKE_CROSSCOMPILING_EMULATOR={emulator}")
        self.assertEqual(files, FILES)
        self.assertEqual((self.folder / "calls").read_text(), "called\n")

    def test_without_an_emulator_they_are_taken_from_a_native_build(self):
        self.installed("native")
        made = self.folder / "native" / "manual"
        files, _ = self.installed("cross", *ELSEWHERE, "-D", f"RACKPROOF_MANUAL={made}")
        self.assertEqual(files, FILES)
        refused = self.configured("wrong", *ELSEWHERE, "-D", f"RACKPROOF_MANUAL={self.folder}")
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("rackproof.1", refused.stderr)

    def test_with_neither_there_are_none_and_configuring_says_so(self):
        files, said = self.installed("bare", *ELSEWHERE)
        self.assertEqual(files, [])
        self.assertIn("no manual pages", said)


if __name__ == "__main__":
    RESULT = unittest.main(verbosity=2, exit=False).result
    sys.exit(not RESULT.wasSuccessful())
