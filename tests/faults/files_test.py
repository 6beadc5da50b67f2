"""F: disks that are full, broken, slow to say so, gone, or traps."""
import json
import resource
import shutil
import subprocess

import faults
import support
from support import step


class Files(faults.Case):
    def lines(self, text):
        """A journal's lines, all of them whole."""
        self.assertTrue(text.endswith("\n"), "the last line is torn")
        return [json.loads(line) for line in text.splitlines()]

    def until_slow(self, *arguments, out="out", seconds=2, prefix=(), **env):
        # What follows is more than what a page that is begun still takes.
        rest = [step("digest", id=f"digest{i}") for i in range(10)]
        path = self.write("suite.json", support.suite([step("ok"), faults.slow(seconds=seconds), *rest]))
        process = subprocess.Popen([*prefix, str(support.RACKPROOF), "run", "--suite", path, "--out", out,
                                    *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder,
                                   stdin=subprocess.DEVNULL,
                                   env=support.environment(TESTED_IN=str(self.folder), **env))
        self.addCleanup(self.stop, process)
        self.wait_for(lambda: self.begun("slow", out=out) and self.children("fake-host"), what="the second step")
        return process

    def check_kept(self, report):
        """What had been measured before the disk went is there, and what came after is not."""
        self.assertEqual(report["acceptance"], "incomplete")
        self.assertEqual(self.verdict(report, "ok")["outcome"], "unjudged")
        self.assertEqual(self.verdict(report, "digest9")["outcome"], "untested")

    def test_F01_a_disk_that_fills_up_in_the_middle(self):
        disk = self.small_disk("disk", 1024)
        process = self.until_slow("--rescue", str(self.folder / "rescue"), out="disk/out")
        with open(disk / "filler", "wb", buffering=0) as filler:
            try:
                while filler.write(b"x" * 4096):
                    pass
            except OSError:
                pass
        out, told = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 4, told)
        self.assertIn("the run cannot go on: ", told)
        self.assertIn("No space left on device", told)
        self.assertIn("INCOMPLETE", out)
        saved = list((self.folder / "rescue").glob("rackproof-rescue-*/report.json"))
        self.assertEqual(len(saved), 1, told)
        self.assertIn(f"report: {saved[0]}", out)
        self.check_kept(json.loads(saved[0].read_text()))
        self.assertFalse((disk / "out" / "report.json").exists())
        self.assertEqual([p.name for p in (disk / "out").iterdir() if p.name.endswith(".tmp")], [])
        entries = self.lines((disk / "out" / "journals" / "0001-rank-00000.jsonl").read_text())
        self.assertIn("ok", [e.get("id") for e in entries if e["j"] == "step" and e["state"] == "done"])
        (disk / "filler").unlink()
        self.assertEqual(self.rackproof("assemble", "disk/out").returncode, 4)
        self.check_kept(self.check_readable("disk/out"))
        done = self.rackproof("run", "--resume", "disk/out")
        self.assertEqual(done.returncode, 4, done.stderr)
        report = self.check_readable("disk/out")
        self.assertTrue(report["run"]["completed"])
        self.assertEqual(self.verdict(report, "digest9")["outcome"], "unjudged")
        self.assertEqual([a["step"] for a in report["attempts"]].count("ok"), 1)

    def test_F02_a_sync_that_fails_is_final(self):
        prefix = self.strace("-e", "trace=fdatasync", "-e", "inject=fdatasync:error=EIO:when=4+")
        done = self.run_limited([step("ok"), step("digest"), step("slow")], prefix=prefix)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("cannot sync: Input/output error", done.stderr)
        syncs = [line for line in (self.folder / "strace").read_text().splitlines() if "fdatasync(" in line]
        self.assertEqual(sum("EIO" in line for line in syncs), 1, syncs)
        self.assertIn("EIO", syncs[-1], "it tried again")
        report = self.check_readable()
        self.assertEqual(report["acceptance"], "incomplete")
        self.lines(self.journal_text())

    def test_F03_short_and_interrupted_transfers_change_nothing(self):
        calls = self.need_calls()
        steps = [step("ok"), step("huge-line"), step("segv")]
        plain = self.run_suite(steps, out="plain")
        done = self.run_limited(steps, LD_PRELOAD=calls, FAULTY_TRANSFERS="1")
        self.assertEqual(done.returncode, plain.returncode, done.stderr)
        self.maxDiff = None
        self.assertEqual([c["verdict"] for c in self.check_readable()["cells"]],
                         [c["verdict"] for c in self.report("plain")["cells"]])
        self.lines(self.journal_text())

    def test_F04_killed_at_a_rename_the_report_is_whole_or_not_there(self):
        for when in (1, 2):
            prefix = self.strace("-e", "trace=rename,renameat,renameat2", "-e",
                                 f"inject=rename,renameat,renameat2:signal=KILL:when={when}")
            out = f"out{when}"
            self.run_limited([step("ok")], prefix=prefix, out=out)
            self.assertEqual(self.left_behind(15), [])
            report = self.folder / out / "report.json"
            if report.exists():
                self.check_readable(out)
            if when == 2:
                self.assertEqual(self.rackproof("assemble", out).returncode, 4)
                self.assertEqual(self.verdict(self.check_readable(out), "ok")["outcome"], "unjudged")

    def test_F05_a_folder_that_cannot_be_written(self):
        disk = self.small_disk("disk", 256)
        self.read_only(disk)
        done = self.run_suite([step("ok")], out="disk/out")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn("disk/out", done.stderr)
        self.assertIn("Read-only file system", done.stderr)

    def test_F05_a_folder_that_vanishes_in_the_middle(self):
        process = self.until_slow()
        (self.folder / "out").rename(self.folder / "vanished")
        shutil.rmtree(self.folder / "vanished")
        _, told = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 4, told)
        self.assertIn("saved again in out", told)
        self.check_kept(self.check_readable())

    def test_F06_a_file_size_limit_is_a_full_disk(self):
        limit = 64 << 10
        steps = [step("ok")] + [step("flood-stderr", id=f"talk{i}") for i in range(4)]
        done = self.run_limited(steps, before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("File too large", done.stderr)
        self.lines(self.journal_text())
        self.assertEqual(self.rackproof("assemble", "out").returncode, 4)
        report = self.check_readable()
        self.assertEqual(self.verdict(report, "ok")["outcome"], "unjudged")
        self.assertEqual(self.verdict(report, "talk3")["outcome"], "untested")

    def test_F07_planted_links_are_not_followed(self):
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        victim = self.folder / "victim"
        victim.write_text("mine")
        (self.folder / "link").symlink_to(elsewhere)
        (self.folder / "trap").mkdir()
        (self.folder / "trap" / "journals").symlink_to(elsewhere)
        (self.folder / "lock").mkdir()
        (self.folder / "lock" / "lock").symlink_to(victim)
        for out in ("link", "trap", "lock"):
            done = self.run_suite([step("ok")], out=out)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        process = self.until_slow()
        (self.folder / "out" / "report.json").symlink_to(victim)
        (self.folder / "out" / f"report.json.{process.pid}.tmp").symlink_to(victim)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 4)
        self.check_readable()
        self.assertFalse((self.folder / "out" / "report.json").is_symlink())
        self.assertEqual(victim.read_text(), "mine")
        self.assertEqual(list(elsewhere.iterdir()), [])

    def test_F01_no_room_at_the_start(self):
        disk = self.small_disk("disk", 256)
        (disk / "filler").write_bytes(b"x" * (256 << 10))
        done = self.run_suite([step("ok")], out="disk/out")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("No space left on device", done.stderr)


if __name__ == "__main__":
    support.main()
