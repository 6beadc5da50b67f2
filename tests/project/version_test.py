"""What a build knows of itself: its version, and its commit with and without git."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = (ROOT / "VERSION").read_text().splitlines()[0]


def run(*command, cwd=None, check=True):
    # A tree of its own must not be taken for the one that this test was started in, as by a hook of git.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return subprocess.run([str(word) for word in command], cwd=cwd, check=check, capture_output=True, text=True,
                          timeout=120, env=environment).stdout.strip()


def head():
    return run("git", "-C", ROOT, "rev-parse", "HEAD")


def is_checkout():
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        return False
    return bool(run("git", "-C", ROOT, "rev-parse", "-q", "--verify", "HEAD", check=False))


class Version(unittest.TestCase):
    def test_it_is_one_of_three_numbers(self):
        self.assertRegex(VERSION, r"^\d+\.\d+\.\d+$")

    def test_the_program_has_it(self):
        program = os.environ.get("RACKPROOF_PROGRAM")
        if not program:
            self.skipTest("no program was named in RACKPROOF_PROGRAM")
        self.assertTrue(run(program, "--version").startswith(f"rackproof {VERSION} ("))

    def test_the_changelog_begins_with_it(self):
        headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
        self.assertEqual(headings[0], VERSION)


@unittest.skipUnless(is_checkout(), "this tree is no checkout of git")
class Commit(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="rackproof-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def known_by(self, tree):
        """What BuildInfo.cmake finds out about a tree: commit and date."""
        out = self.folder / "build_info.hpp"
        run("cmake", "-D", f"SOURCE_DIR={tree}", "-D", f"OUTPUT={out}", "-D", "VERSION=1", "-D", "COMPILER=c",
            "-D", "BUILD_TYPE=t", "-D", "SANITIZERS=", "-D", "FEATURES=f|on||", "-P",
            ROOT / "cmake" / "BuildInfo.cmake")
        text = out.read_text()
        return tuple(re.search(rf'#define RACKPROOF_{name} "(.*)"', text)[1] for name in ("COMMIT", "COMMIT_DATE"))

    def archive(self, into):
        """The tree as `git archive` gives it, without git."""
        into.mkdir(parents=True)
        packed = self.folder / "tree.tar"
        run("git", "-C", ROOT, "archive", "--format=tar", "-o", packed, "HEAD", "VERSION", "cmake", ".gitattributes")
        run("tar", "-xf", packed, "-C", into)
        return into

    def clone(self):
        tree = self.folder / "clone"
        run("git", "clone", "-q", ROOT, tree)
        run("git", "checkout", "-q", "--detach", head(), cwd=tree)
        return tree

    def date(self):
        return run("git", "-C", ROOT, "log", "-1", "--format=%cs")

    def test_of_a_checkout(self):
        commit, date = self.known_by(self.clone())
        self.assertEqual((commit, date), (head()[:12], self.date()))

    def test_of_a_checkout_with_changes(self):
        tree = self.clone()
        (tree / "VERSION").write_text("9.9.9\n")
        self.assertEqual(self.known_by(tree)[0], head()[:12] + "-dirty")

    def test_of_a_checkout_that_belongs_to_somebody_else(self):
        if os.getuid() != 0:
            self.skipTest("only root can give files away")
        tree = self.clone()
        run("chown", "-R", "65534:65534", tree)
        self.assertEqual(self.known_by(tree)[0], head()[:12])

    def test_of_an_archive(self):
        self.assertEqual(self.known_by(self.archive(self.folder / "a")), (head()[:12], self.date()))

    def test_of_an_archive_in_a_repository_of_somebody_else(self):
        run("git", "init", "-q", self.folder)
        run("git", "-C", self.folder, "-c", "user.name=a", "-c", "user.email=b", "commit", "-q", "--allow-empty", "-m",
            "theirs")
        self.assertEqual(self.known_by(self.archive(self.folder / "vendor" / "a"))[0], head()[:12])

    def test_of_neither(self):
        tree = self.archive(self.folder / "a")
        (tree / "cmake" / "archived-commit.txt").write_text((ROOT / "cmake" / "archived-commit.txt").read_text())
        self.assertEqual(self.known_by(tree), ("unknown", ""))
        (tree / "cmake" / "archived-commit.txt").unlink()
        self.assertEqual(self.known_by(tree), ("unknown", ""))


if __name__ == "__main__":
    RESULT = unittest.main(verbosity=2, exit=False).result
    sys.exit(not RESULT.wasSuccessful())
