#!/usr/bin/env python3
"""Reports that zstd has compressed: each verb says of one what it says of the report itself."""
import contextlib
import hashlib
import json
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

import support
from support import Case, end_all, environment, step

KEYGEN = pathlib.Path("/usr/bin/ssh-keygen")
MAKE_REPORT = support.BUILD / "tests" / "perf" / "make_report"


def zstd(*words):
    return subprocess.run(["zstd", "-q", *map(str, words)], capture_output=True, check=True).stdout


class Compressed(Case):
    """Below `plain` and `small` are the same runs; the reports of the second are compressed."""

    @classmethod
    def setUpClass(cls):
        cls.made = pathlib.Path(tempfile.mkdtemp(prefix="rackproof-test-"))
        cls.addClassCleanup(shutil.rmtree, cls.made, ignore_errors=True)
        cls.addClassCleanup(end_all, cls.made)
        maker = cls("test_every_verb_says_the_same")
        maker.folder = cls.made / "plain"
        maker.folder.mkdir()
        maker.write("table.json", support.platform(support.HOLDS))
        for out, steps in (("out", [step("ok"), step("segv")]), ("good", [step("ok")]), ("more", [step("ok")])):
            done = maker.run_suite(steps, "--platform", "table.json", "--force-platform", out=out)
            assert done.returncode in (0, 4), done.stdout + done.stderr
        # A report whose cells were measured on 16 GPUs, as a judge without much memory reads it.
        raw = subprocess.run([MAKE_REPORT, "16"], capture_output=True, check=True).stdout
        (maker.folder / "made").mkdir()
        (maker.folder / "made" / "report.json").write_bytes(raw)
        shutil.copytree(cls.made / "plain", cls.made / "small")
        for report in (cls.made / "small").glob("*/report.json"):
            zstd("--rm", report)

    def setUp(self):
        super().setUp()
        shutil.copytree(self.made, self.folder, dirs_exist_ok=True)
        self.plain, self.small = self.folder / "plain", self.folder / "small"

    def at(self, folder, *words, **more):
        return subprocess.run([str(support.RACKPROOF), *map(str, words)], capture_output=True, timeout=120, cwd=folder,
                              stdin=subprocess.DEVNULL, check=False,
                              env=environment(TESTED_IN=str(self.folder), TMPDIR=str(self.folder), **more))

    def both(self, *words, code=None):
        """What is said of both; only the file's own name may differ."""
        plain, small = self.at(self.plain, *words), self.at(self.small, *words)
        self.assertEqual(plain.returncode, small.returncode, small.stderr)
        if code is not None:
            self.assertEqual(small.returncode, code, small.stderr)
        for one, other in ((plain.stdout, small.stdout), (plain.stderr, small.stderr)):
            self.assertEqual(one, other.replace(b"report.json.zst", b"report.json"))
        return small.stdout.decode()

    def same_file(self, name):
        self.assertEqual((self.plain / name).read_bytes(), (self.small / name).read_bytes())

    def test_every_verb_says_the_same(self):
        self.both("show", "out", code=0)
        self.both("show", "out", "--all", "--exit-code", code=4)
        self.both("show", "out", "--json", code=0)
        self.both("judge", "out", code=4)
        self.both("judge", "made")
        self.both("check", "out", code=0)
        self.both("check", "out/report.json", "--json", code=0)
        self.both("compare", "good", "more")
        self.both("trend", "good", "more", code=0)
        self.both("trend", "good", "more", code=0)  # out of the index
        self.both("verify", "out", "--unsigned", code=0)
        self.both("verify", "out", "--unsigned", "--json", "--exit-code", code=4)
        self.both("fleet", "add", "good", "out", "--ledger", "fleet.sqlite", code=0)
        self.both("fleet", "worst", "--json", "--ledger", "fleet.sqlite")
        for form in ("alertmanager", "csv", "html", "junit", "md", "openmetrics", "terminal"):
            self.both("render", "out", "--format", form, code=0)

    def test_what_is_written_of_it_is_the_same(self):
        self.both("judge", "out", "-o", "judged.json", code=4)
        self.same_file("judged.json")
        self.both("learn", "good", "more", "--id", "site", "--out", "site.json", "--skip-unfit")
        if (self.plain / "site.json").exists():
            self.same_file("site.json")
        self.both("learn", "good", "more", "--history", "past.jsonl", "--skip-unfit")
        if (self.plain / "past.jsonl").exists():
            self.same_file("past.jsonl")
        for folder in (self.plain, self.small):
            done = self.at(folder, "redact", "out", "-o", "public.json", "--map", self.folder / "map.json")
            self.assertEqual(done.returncode, 0, done.stderr)
        self.same_file("public.json")

    def test_what_failed_is_run_again(self):
        words = ("run", "--suite", "suite.json", "--dry-run", "--json", "--failed", "out")
        for folder in (self.plain, self.small):
            self.write(folder / "suite.json", support.suite([step("ok"), step("segv")]))
        plain, small = self.at(self.plain, *words), self.at(self.small, *words)
        self.assertEqual((plain.returncode, small.returncode), (8, 8), small.stderr)
        steps = [json.loads(done.stdout)["steps"] for done in (plain, small)]
        self.assertEqual(*steps)

    def test_a_name_without_the_ending_finds_it(self):
        self.both("show", "out/report.json", code=0)
        (self.plain / "out" / "report.json").rename(self.plain / "any")
        (self.small / "out" / "report.json.zst").rename(self.small / "any")
        self.both("show", "any", code=0)  # its content tells, and not its name

    def test_a_judged_report_is_compressed_when_its_name_says_so(self):
        for words in (("judge", "out", "-o", "new.json"), ("judge", "out", "-o", "new.json.zst")):
            self.assertEqual(self.at(self.plain, *words).returncode, 4)
        self.assertEqual(zstd("-dc", self.plain / "new.json.zst"), (self.plain / "new.json").read_bytes())
        # In a run directory it takes the place of the report that is there.
        self.assertEqual(self.at(self.small, "judge", "out", "-o", "out/report.json").returncode, 4)
        self.assertEqual([path.name for path in (self.small / "out").glob("report.json*")], ["report.json"])

    def test_the_index_and_the_ledger_know_it_by_what_it_says(self):
        first = self.at(self.plain, "fleet", "add", "good", "out", "--ledger", self.folder / "ledger")
        self.assertIn(b"2 reports added", first.stdout)
        again = self.at(self.small, "fleet", "add", "good", "out", "--ledger", self.folder / "ledger")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn(b"0 reports added, 2 known already", again.stdout)
        # A folder of nights that were compressed, but for one.
        (self.small / "more" / "report.json").write_bytes((self.plain / "more" / "report.json").read_bytes())
        (self.small / "more" / "report.json.zst").unlink()
        done = self.at(self.small, "trend", ".", "--skip-unfit")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"over 4 runs", done.stdout)

    def test_a_report_left_beside_its_compressed_form_counts_once(self):
        zstd("-k", self.plain / "good" / "report.json")
        self.assertEqual(self.at(self.plain, "show", "good").returncode, 0)
        done = self.at(self.plain, "trend", "good", "more")
        self.assertIn(b"over 2 runs", done.stdout)
        self.assertNotIn(b"again", done.stdout + done.stderr)

    def test_two_that_differ_are_refused(self):
        old = (self.plain / "more" / "report.json").read_bytes()
        (self.small / "good" / "report.json").write_bytes(old)
        for words in (("show", "good"), ("judge", "good"), ("verify", "good", "--unsigned"), ("trend", "good", "out"),
                      ("compare", "good", "out"), ("sign", "good", "--key", "k", "--role", "r", "--signer", "s")):
            done = self.at(self.small, *words)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn(b"good: holds two reports that differ", done.stderr)
        skipped = self.at(self.small, "trend", "good", "out", "more", "--skip-unfit")
        self.assertEqual(skipped.returncode, 0, skipped.stderr)
        added = self.at(self.small, "fleet", "add", "good", "out", "--ledger", "fleet.sqlite")
        self.assertIn(b"good: holds two reports that differ", added.stdout + added.stderr)
        self.assertEqual(self.at(self.small, "show", "good/report.json.zst").returncode, 0)

    def test_damage_is_one_sentence(self):
        report = self.small / "out" / "report.json.zst"
        whole = report.read_bytes()
        middle = len(whole) // 2
        for bytes_now, word in ((whole[:-1], b"is cut off"), (whole[:middle], b"is cut off"),
                                (whole + b"more than that", b"cannot be decompressed"),
                                (whole[:middle] + bytes([whole[middle] ^ 255]) + whole[middle + 1:], b"zstd")):
            report.write_bytes(bytes_now)
            for words in (("show", "out"), ("judge", "out"), ("judge", "out", "-o", "new.json"),
                          ("verify", "out", "--unsigned"), ("check", "out/report.json.zst"), ("trend", "out", "good"),
                          ("compare", "out", "good"), ("redact", "out", "-o", "new.json"),
                          ("render", "out", "-f", "csv")):
                done = self.at(self.small, *words)
                self.assertEqual(done.returncode, 2, (words, done.stdout, done.stderr))
                self.assertIn(word, done.stderr + done.stdout)
                self.assertIn(b"out/report.json.zst: ", done.stderr + done.stdout)
                self.assertLessEqual(done.stderr.count(b"\n"), 2)
        self.assertFalse((self.small / "new.json").exists())
        self.assertEqual(list(self.folder.glob("rackproof-*")), [])

    def test_a_bomb_is_refused_before_it_fills_a_disk(self):
        # 2 GiB of zeros in some ten kilobytes, and a header that claims 16 EiB.
        bomb = self.small / "out" / "report.json.zst"
        with subprocess.Popen(["head", "-c", "2G", "/dev/zero"], stdout=subprocess.PIPE) as zeros:
            bomb.write_bytes(subprocess.run(["zstd", "-q", "-c", "-19", "-T1", "--fast=1"], stdin=zeros.stdout,
                                            stdout=subprocess.PIPE, check=True).stdout)
        self.assertLess(bomb.stat().st_size, 1 << 20)
        done = self.at(self.small, "verify", "out", "--unsigned")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(b"is larger than 1 GiB when it is decompressed", done.stderr)
        bomb.write_bytes(b"\x28\xb5\x2f\xfd\xe0" + b"\xff" * 7 + b"\x7f" + b"\0" * 50)
        for words in (("show", "out"), ("judge", "out")):
            done = self.at(self.small, *words)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(b"is larger than 8 GiB when it is decompressed", done.stderr)

    def test_a_disk_that_is_full_is_named(self):
        missing = self.folder / "nowhere"
        done = subprocess.run([str(support.RACKPROOF), "judge", "out"], capture_output=True, cwd=self.small, check=False,
                              env=environment(TMPDIR=str(missing)))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(f"cannot be decompressed in {missing} (TMPDIR names another folder)", done.stderr.decode())

    def test_signatures_are_over_what_it_says(self):
        subprocess.run([KEYGEN, "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", self.folder / "key"], check=True,
                       stdin=subprocess.DEVNULL)
        key = " ".join((self.folder / "key.pub").read_text().split()[:2])
        (self.folder / "signers").write_text(f'a@b namespaces="rackproof-report,rackproof-statement" {key}\n')
        sign = ("--key", self.folder / "key", "--role", "vendor", "--signer", "a@b")
        verify = ("verify", "out", "--signers", self.folder / "signers", "--json")
        names = {"report.json.vendor.sig", "report.json.vendor.statement", "report.json.vendor.statement.sig"}
        digest = hashlib.sha256((self.plain / "out" / "report.json").read_bytes()).hexdigest()
        for folder in (self.plain, self.small):
            signed = self.at(folder, "sign", "out", *sign)
            self.assertEqual(signed.returncode, 0, signed.stderr)
            self.assertLessEqual(names, {path.name for path in (folder / "out").iterdir()})
        # The other way round.
        zstd("--rm", self.plain / "out" / "report.json")
        zstd("-d", "--rm", self.small / "out" / "report.json.zst")
        for folder in (self.plain, self.small):
            done = self.at(folder, *verify)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertEqual(json.loads(done.stdout)["sha256"], digest)
        # A report that was changed does not pass, in whichever form.
        report = self.small / "out" / "report.json"
        report.write_bytes(report.read_bytes().replace(b'"id": "test"', b'"id": "tesT"', 1))
        zstd("--rm", report)
        self.assertEqual(self.at(self.small, *verify).returncode, 6)


class Written(Case):
    """In which form a run leaves its report."""

    def forms(self, out="out"):
        names = sorted(path.name for path in (self.folder / out).glob("report.json*"))
        return [name for name in names if not name.endswith(".tmp")]

    def test_a_run_writes_what_is_asked_for(self):
        done = self.run_suite([step("ok")], "--compress", "always", "--render", "md")
        self.assertEqual(self.forms(), ["report.json.zst"])
        self.assertIn("report: out/report.json.zst\n", done.stdout)
        self.assertEqual(self.report()["run"]["completed"], True)
        self.assertEqual(subprocess.run(["zstd", "-tq", self.folder / "out" / "report.json.zst"], check=False).returncode, 0)
        text = support.report_text(self.folder / "out")
        for words, form in ((("--compress", "never"), "report.json"), ((), "report.json"),
                            (("--compress", "always"), "report.json.zst")):
            again = self.rackproof("assemble", "out", *words)
            self.assertIn(f"report: {self.folder}/out/{form}\n".replace(f"{self.folder}/", ""), again.stdout)
            self.assertEqual(self.forms(), [form])
            self.assertEqual(support.report_text(self.folder / "out"), text)
        used = self.run_suite([step("ok")])
        self.assertEqual(used.returncode, 2)
        self.assertIn("already holds a run", used.stderr)
        self.assertEqual(self.run_suite([step("ok")], "--compress", "sometimes", out="new").returncode, 2)

    def test_a_hook_is_told_which(self):
        hook = self.folder / "hook"
        hook.write_text('#!/bin/sh\necho "$1" > "$(dirname "$0")/told"\n')
        hook.chmod(0o755)
        self.run_suite([step("ok")], "--compress", "always", "--hook", str(hook))
        self.assertTrue((self.folder / "told").read_text().endswith("/out/report.json.zst\n"))

    def test_a_resumed_run_leaves_one_report(self):
        process = self.start_suite([step("ok"), step("hang", deadline="60 s")], "--compress", "always")
        journal = self.folder / "out" / "journals" / "0001-rank-00000.jsonl"
        self.wait_for(lambda: self.has_begun(journal.read_text(), "hang"), what="the second step")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        self.assertEqual(self.forms(), ["report.json.zst"])
        first = self.report()["run"]["id"]
        self.rackproof("run", "--resume", "out", "--time-budget", "1 s")
        self.assertEqual(self.forms(), ["report.json"])
        self.assertEqual(self.report()["run"]["id"], first)
        self.assertEqual(self.report()["run"]["segments"], 2)

    def test_the_last_act_writes_it_in_the_same_form(self):
        process = self.start_suite([step("ok"), step("hang", deadline="60 s")], "--compress", "always")
        journal = self.folder / "out" / "journals" / "0001-rank-00000.jsonl"
        self.wait_for(lambda: self.has_begun(journal.read_text(), "hang"), what="the second step")
        process.send_signal(signal.SIGKILL)
        process.communicate()
        self.wait_for(self.forms, 60, "the report")
        self.assertEqual(self.forms(), ["report.json.zst"])
        self.assertEqual(self.report()["run"]["completed"], False)

    def test_killed_while_a_form_is_changed_one_report_is_left(self):
        """At whatever moment: the directory has one report, that of before or the same anew."""
        (self.folder / "out").mkdir()
        self.run_suite([step("ok")], out="run", more={"id": "x"})
        text = support.report_text(self.folder / "run")
        forms = ["never", "always"]
        for turn in range(40):
            process = subprocess.Popen([str(support.RACKPROOF), "assemble", "run", "--compress", forms[turn % 2]],
                                       cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       env=environment(TESTED_IN=str(self.folder)))
            time.sleep(0.001 * turn)
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            process.wait()
            self.assertEqual(len(self.forms("run")), 1)
            shown = self.rackproof("show", "run", "--json")
            self.assertEqual(shown.returncode, 0, shown.stderr)
        self.rackproof("assemble", "run", "--compress", "never")
        self.assertEqual(support.report_text(self.folder / "run"), text)


if __name__ == "__main__":
    support.main()
