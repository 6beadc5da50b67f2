"""align-host as a user has it: what it refuses, what it finds, files of one's own, and the memory that it takes."""
import gzip
import os
import random
import subprocess

import support

PROGRAM = support.STAGE / "libexec" / "rackproof" / "align-host"
USAGE, UNAVAILABLE, WRONG_ANSWER = 2, 3, 4
SHORT = ("--subjects", "192", "--seconds", "0.01", "--passes", "1", "--sample-cells", "1000000")
QUERY = ">q\nMKVLAAGIVGLCAKAYLE\n"


class Align(support.Case):
    def align(self, *arguments):
        return subprocess.run([str(PROGRAM), *map(str, arguments)], capture_output=True, text=True, timeout=120,
                              cwd=self.folder, stdin=subprocess.DEVNULL, env=support.environment())

    def refuse(self, database, *words):
        """A database that is not as it should be: one line with the file, the words, and exit code 2."""
        path = self.folder / "database.fa"
        path.write_bytes(database if isinstance(database, bytes) else database.encode())
        (self.folder / "query.fa").write_text(QUERY)
        done = self.align("--query", "query.fa", "--database", "database.fa", *SHORT)
        self.assertEqual(done.returncode, USAGE, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for word in ("database.fa", "expected", *words):
            self.assertIn(word, done.stderr)

    def test_databases_that_are_none(self):
        self.refuse("", "empty")
        self.refuse(bytes(range(256)), "database.fa:1")
        self.refuse(gzip.compress(QUERY.encode()), "gzip")
        self.refuse(">a\n>b\nMK\n", "database.fa:")
        self.refuse(">a\nmkv\n", "database.fa:2")
        self.refuse(">a\nMK1\n", "database.fa:2")
        self.refuse(">a\nMK\n>a\nMK\n", "database.fa:3")
        self.refuse(">a\n" + "M" * 10_000_000 + "\n", "database.fa:2")

    def test_files_of_ones_own(self):
        (self.folder / "query.fa").write_text(QUERY)
        (self.folder / "database.fa").write_text(">same\nMKVLAAGIVGLCAKAYLE\n>other\nWWWWPPPP\n")
        done = self.align("--query", "query.fa", "--database", "database.fa", *SHORT)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("given", done.stdout)

    def test_scores_for_a_reader_of_ones_own(self):
        (self.folder / "query.fa").write_text(QUERY)
        (self.folder / "database.fa").write_text(">same\nMKVLAAGIVGLCAKAYLE\n>other\nWWWWPPPP\n")
        files = ("--query", "query.fa", "--database", "database.fa")
        done = self.align(*files, "--scores", "scores.tsv", *SHORT)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [line.split("\t") for line in (self.folder / "scores.tsv").read_text().splitlines()]
        # BLOSUM62: the query with itself; the last subject is the copy that the bench adds.
        self.assertEqual(lines[0], ["q", "same", "88"])
        self.assertEqual([line[0] for line in lines], ["q"] * 3)
        self.assertEqual(lines[2][2], "88")
        done = self.align(*files, "--scores", "nowhere/scores.tsv", *SHORT)
        self.assertEqual(done.returncode, USAGE, done.stdout)
        self.assertIn("nowhere/scores.tsv", done.stderr)
        done = self.align(*files, "--scores", "/dev/full", *SHORT)
        self.assertNotEqual(done.returncode, 0, done.stdout)
        self.assertIn("/dev/full", done.stderr)

    def peak(self, subjects, length):
        """The most memory that it had with a database of so many subjects, in bytes."""
        draw = random.Random(1)
        letters = "".join(draw.choice("ARNDCQEGHILKMFPSTWYV") for _ in range(10_000))
        (self.folder / "query.fa").write_text("".join(f">q{i}\n{letters[50 * i:50 * i + 8]}\n" for i in range(8)))
        with (self.folder / "database.fa").open("w") as file:
            for i in range(subjects):
                begin = draw.randrange(len(letters) - length)
                file.write(f">subject{i}\n{letters[begin:begin + length]}\n")
        files = ("--query", "query.fa", "--database", "database.fa")
        with subprocess.Popen([PROGRAM, *files, *SHORT, "--threads", "2"], cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, env=support.environment()) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        return usage.ru_maxrss * 1024

    def test_memory_is_at_most_one_and_a_half_times_the_database(self):
        # The smaller one is more than the interpreter has, whose memory counts as the child's before it begins.
        few, many, length = 150_000, 350_000, 360
        times = (self.peak(many, length) - self.peak(few, length)) / ((many - few) * length)
        self.assertGreater(times, 1)  # the residues themselves
        self.assertLess(times, 1.5)

    def test_a_database_larger_than_memory_is_said_once(self):
        def refused(*arguments):
            done = self.align(*arguments)
            self.assertEqual(done.returncode, UNAVAILABLE, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertIn("bytes of memory are available", done.stderr)

        (self.folder / "query.fa").write_text(QUERY)
        with (self.folder / "database.fa").open("wb") as file:
            file.truncate(1 << 43)
        refused("--query", "query.fa", "--database", "database.fa", *SHORT)
        available = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        if available < 300 << 30:
            refused("--subjects", str(1 << 30), *SHORT[2:])

    def test_costs_and_matrices_that_are_none(self):
        for gap in ("0,1", "11", "-1,1", "11,0", "a,b"):
            self.assertEqual(self.align("--gap", gap, *SHORT).returncode, USAGE, gap)
        for text in ("A C G T\nA 1 0 0 0\n", "A C\nA 1 2\nC 3 1\n", ""):
            (self.folder / "m").write_text(text)
            done = self.align("--alphabet", "dna", "--matrix-file", "m", *SHORT)
            self.assertEqual(done.returncode, USAGE, done.stderr)
            self.assertIn("m:", done.stderr)

    def test_every_fault_is_a_wrong_answer_that_says_where(self):
        for fault in (("--fault", "table"), ("--fault", "tile"), ("--fault", "stop"), ("--fault", "letter"),
                      ("--inject", "bitflip:7:3")):
            done = self.align(*fault, *SHORT)
            self.assertEqual(done.returncode, WRONG_ANSWER, done.stdout + done.stderr)
            self.assertRegex(done.stderr, r"query \d+ \(\d+ residues\), subject \d+ \(\d+ residues\): got .*, want ")

    def test_equal_seeds_have_equal_scores_with_all_kernels(self):
        digests = set()
        for kernels in ("plain", "auto"):
            done = self.align("--kernels", kernels, *SHORT)
            self.assertEqual(done.returncode, 0, done.stderr)
            digests |= {line for line in done.stdout.splitlines() if line.startswith("# digest of")}
        self.assertEqual(len(digests), 1, digests)


if __name__ == "__main__":
    support.main()
