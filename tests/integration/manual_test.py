"""The manual pages that are installed: read by mandoc's man, and held against the rules of groff and mandoc. The man of
Debian is not asked: where it is installed, it enables a timer."""
import os
import re
import shutil
import subprocess

import support

INSTALLED = sorted((support.STAGE / "share" / "man" / "man1").glob("*.1"))
# A page may only lead to another one.
PAGES = [page for page in INSTALLED if not page.read_text().startswith(".so ")]


class Manual(support.Case):
    def read(self, *command):
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=60,
                              check=False, cwd=self.folder,
                              env=support.environment(LC_ALL="C.UTF-8"))
        self.assertEqual((done.returncode, done.stderr), (0, ""), command)
        return done.stdout

    def needs(self, program):
        if shutil.which(program) is None:
            self.skipTest(f"{program} is not installed")

    def test_a_page_for_each_verb_that_help_lists_and_no_other(self):
        listed = self.rackproof("--help").stdout.split("\nVerbs:\n")[1].split("\n\n")[0]
        verbs = [line.split()[0] for line in listed.splitlines()]
        self.assertGreater(len(verbs), 20)
        self.assertEqual({page.name for page in PAGES},
                         {"rackproof.1"} | {f"rackproof-{verb}.1" for verb in verbs})

    def index(self):
        """The pages with the index that man and whatis look into."""
        self.needs("mandoc")
        pages = self.folder / "man"
        shutil.copytree(support.STAGE / "share" / "man", pages)
        # In Debian it lies beside the programs of root.
        self.read(shutil.which("makewhatis", path=f"{os.environ['PATH']}:/usr/sbin"), pages)
        return pages

    def test_a_page_for_each_program(self):
        pages = self.index()
        for program in sorted((support.STAGE / "bin").iterdir()):
            self.assertIn("Benchmark and acceptance tests", self.read("mman", "-M", pages, "-c", program.name))

    def test_man_finds_a_page_and_shows_it(self):
        shown = self.read("mman", "-M", self.index(), "-c", "-O", "width=78", "rackproof-run")
        text = re.sub(r".\x08", "", shown)
        for words in ("rackproof-run - Run a suite on this machine", "--suite SUITE", "EXIT STATUS", "EXAMPLES",
                      "rackproof run --resume rack7", "SEE ALSO"):
            self.assertIn(words, text)

    def test_the_index_of_pages_has_each_with_what_it_is_for(self):
        pages = self.index()
        for page in PAGES:
            self.assertRegex(self.read("mwhatis", "-M", pages, page.stem),
                             rf"(?m)^{page.stem}(, rackproof-mpi)?\(1\) - [A-Z].{{10,}}$")

    def test_a_name_that_is_typed_can_be_copied_from_the_page(self):
        self.needs("groff")
        text = self.read("groff", "-man", "-Tutf8", "-P-c", support.STAGE / "share/man/man1/rackproof-list.1")
        self.assertIn("rackproof list suites --names", text)

    def test_groff_warns_of_nothing(self):
        self.needs("groff")
        for page in PAGES:
            self.read("groff", "-ww", "-man", "-Tutf8", "-z", page)

    def test_mandoc_complains_of_nothing(self):
        self.needs("mandoc")
        for page in PAGES:
            # A tree without git has no date for its pages.
            said = [line for line in self.read("mandoc", "-T", "lint", "-W", "style,stop", page).splitlines()
                    if "missing date" not in line]
            self.assertEqual(said, [])

    def test_every_page_that_one_points_to_is_installed(self):
        names = {page.name for page in PAGES}
        for page in PAGES:
            for name in re.findall(r"^\.BR (rackproof\S*) \(1\)", page.read_text(), re.MULTILINE):
                self.assertIn(name.replace("\\", "") + ".1", names, page.name)

    def test_help_fits_a_terminal(self):
        for page in PAGES:
            verb = page.stem.removeprefix("rackproof").removeprefix("-")
            shown = self.rackproof(*filter(None, [verb]), "--help")
            self.assertEqual(shown.returncode, 0, verb)
            examples = False
            for line in shown.stdout.splitlines():
                examples = line == "Examples:" or (examples and line.startswith("  "))
                # A command is there to be copied: it is not folded.
                if not examples:
                    self.assertLessEqual(len(line), 100, verb)


if __name__ == "__main__":
    support.main()
