"""rackproof trend over the reports of many nights."""
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import browse
import support

INDEX = ".rackproof-trend.sqlite"


def make_nights(folder):
    made = subprocess.run([str(support.BUILD / "tests" / "perf" / "make_report"), "8"],
                          stdout=subprocess.PIPE, check=True).stdout
    (folder / "raw.json").write_bytes(made)
    subprocess.run([str(support.RACKPROOF), "judge", folder / "raw.json", "--out", folder / "first.json"],
                   stdout=subprocess.DEVNULL, check=False, env=support.environment())
    report = json.loads((folder / "first.json").read_text())
    report["cells"] = [cell for cell in report["cells"] if cell["step"] in ("gemm", "stream")]
    noise = random.Random(5)
    for night in range(30):
        report["run"]["id"] = f"night{night:02}"
        report["run"]["began_utc"] = f"2026-03-{night + 1:02}T02:00:00.000Z"
        report["run"]["labels"]["firmware"] = "1" if night < 17 else "2"
        for cell in report["cells"]:
            value = 1e12 * (1 + noise.gauss(0, 0.003))
            if night >= 17 and cell["metric"] == "gemm.rate":
                value *= 0.95
            cell["verdict"]["observed"] = value
        path = folder / "nights" / f"{night:02}" / "report.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(report))


class Trend(support.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        made = tempfile.TemporaryDirectory(prefix="rackproof-nights-")
        cls.addClassCleanup(made.cleanup)
        cls.made = pathlib.Path(made.name)
        make_nights(cls.made)

    def setUp(self):
        super().setUp()
        shutil.copytree(self.made / "nights", self.folder / "nights")

    def test_the_night_and_what_changed_there_are_named(self):
        done = self.rackproof("trend", "nights", "--fail-on", "regression")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertRegex(done.stdout, r"^10 changes in 180 series over 30 runs")
        self.assertIn("WORSE (10)", done.stdout)
        self.assertNotIn("BETTER", done.stdout)
        self.assertIn("between night16, 2026-03-17 02:00 and night17, 2026-03-18 02:00",
                      done.stdout)
        self.assertIn("changed there: label.firmware: 1 -> 2", done.stdout)
        result = json.loads(self.rackproof("trend", "nights", "--json").stdout)
        self.assertEqual({change["metric"] for change in result["changes"]}, {"gemm.rate"})
        self.assertEqual({change["subjects_with_it"] for change in result["changes"]}, {8})
        for change in result["changes"]:
            self.assertAlmostEqual(change["shift"], -0.05, delta=0.005)

    def test_the_page_shows_each_series_and_leads_to_the_reports(self):
        (self.folder / "nights" / "29" / "report.html").write_text("a page of its own")
        done = self.rackproof("trend", "nights", "--page", "trend.html")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, self.rackproof("trend", "nights").stdout)
        text = (self.folder / "trend.html").read_text()
        for words in ("<h1>10 worse</h1>", "between night16, 2026-03-17 02:00 and night17, 2026-03-18 02:00",
                      "label.firmware: 1 -&gt; 2", 'href="nights/28/report.json"', 'href="nights/29/report.html"'):
            self.assertIn(words, text)
        done = self.rackproof("trend", "nights", "--page", "nowhere/trend.html")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("nowhere", done.stderr)

    @unittest.skipUnless(browse.HAS_BROWSER, browse.WHY_NOT)
    def test_the_page_in_a_browser(self):
        self.rackproof("trend", "nights", "--page", "trend.html")
        seen = browse.use("trend.mjs", self.folder / "trend.html", "gemm.rate dtype=fp8 size=8192")
        for name in ("problems", "requests", "axe"):
            self.assertEqual(seen[name], [], name)
        self.assertEqual((seen["heading"], len(seen["all"]), seen["charts"]), ("10 worse", 20, 30))
        self.assertEqual(len(seen["searched"]), 1)
        shifts = [float(one) for one in seen["ordered"]]
        self.assertEqual((len(shifts), shifts), (20, sorted(shifts)))
        self.assertLessEqual(max(seen["overflow"].values()), 0, "wider than the window")
        reports = {link for link in seen["links"] if not link.startswith("#")}
        self.assertEqual(len(reports), 30)
        for link in reports:
            self.assertTrue((self.folder / link).is_file(), link)

    def test_a_gate_does_not_pass_what_it_cannot_read(self):
        for night in range(17, 30):
            shutil.rmtree(self.folder / "nights" / f"{night:02}")
        gate = ("trend", "nights", "--skip-unfit", "--fail-on", "regression")
        self.assertEqual(self.rackproof(*gate).returncode, 0)
        (self.folder / "nights" / "16" / "report.json").write_text("{")
        done = self.rackproof(*gate)
        self.assertEqual(done.returncode, 4, done.stdout)
        self.assertIn("16/report.json", done.stdout)

    def test_what_is_no_report_is_said(self):
        (self.folder / "nights" / "05" / "report.json").write_text("{")
        done = self.rackproof("trend", "nights")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("05/report.json", done.stderr)
        done = self.rackproof("trend", "nights", "nights/07/report.json", "--skip-unfit")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("over 29 runs", done.stdout)
        self.assertIn("left out: nights/07/report.json: is run night07 again", done.stdout)
        self.assertIn("05/report.json", done.stdout)
        (self.folder / "empty").mkdir()
        for path in ("empty", "nowhere"):
            done = self.rackproof("trend", path)
            self.assertEqual(done.returncode, 2)
            self.assertIn(path, done.stderr)

    def test_few_nights_are_no_trend(self):
        done = self.rackproof("trend", *[f"nights/{night:02}" for night in range(6)])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("0 changes in 0 series over 6 runs", done.stdout)
        self.assertIn("180 series are too short", done.stdout)
        done = self.rackproof("trend", "nights/00", "nights/01", "--fail-on", "regression")
        self.assertEqual(done.returncode, 4, done.stdout)

    def few_nights(self):
        """A folder of 24 nights, so that each run of the program is quick, and what it answers without an index."""
        for night in range(5, 29):
            shutil.copytree(self.folder / "nights" / f"{night:02}", self.folder / "few" / f"{night:02}")
        done = self.rackproof("trend", "few", "--no-index")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("10 changes", done.stdout)
        self.assertFalse((self.folder / "few" / INDEX).exists())
        return done.stdout

    def assert_said(self, done, answer, why):
        """The answer without an index, and one line on stderr."""
        self.assertEqual((done.returncode, done.stdout), (0, answer), done.stderr)
        self.assertRegex(done.stderr, r"\Arackproof: index [^\n]*" + why + r"[^\n]*\n\Z")

    def test_the_answer_is_the_same_without_and_with_a_new_and_an_old_index(self):
        text, document = (self.rackproof("trend", "nights", "--no-index", *more).stdout for more in ((), ("--json",)))
        for more, answer in ((("--json",), document), (("--json",), document), ((), text)):
            done = self.rackproof("trend", "nights", *more)
            self.assertEqual((done.stdout, done.stderr), (answer, ""))
        self.assertTrue((self.folder / "nights" / INDEX).exists())
        self.changed_reports_are_seen()

    def changed_reports_are_seen(self):
        # Size and time of the last change stay as they were.
        path = self.folder / "nights" / "17" / "report.json"
        before, text = path.stat(), path.read_text()
        path.write_text(text.replace('"firmware": "2"', '"firmware": "7"'))
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        self.assertEqual((path.stat().st_size, path.stat().st_mtime_ns), (before.st_size, before.st_mtime_ns))
        # As soon as every file has been quiet for long enough, none is opened.
        while time.time() < path.stat().st_ctime + 2.1:
            time.sleep(0.05)
        done = self.rackproof("trend", "nights")
        self.assertIn("changed there: label.firmware: 1 -> 7", done.stdout)
        self.assertEqual(done.stdout, self.rackproof("trend", "nights", "--no-index").stdout)
        if shutil.which("strace") is None:
            self.skipTest("no strace: apt-get install strace")
        trace = self.folder / "trace"
        again = subprocess.run(["strace", "-f", "-qq", "-e", "trace=openat,open", "-o", trace, support.RACKPROOF, "trend",
                                "nights"], cwd=self.folder, capture_output=True, text=True, env=support.environment())
        self.assertEqual(again.stdout, done.stdout)
        self.assertIn(INDEX, trace.read_text())
        if self.on_own_disk():
            self.assertNotIn("report.json", trace.read_text())

    def on_own_disk(self):
        kind = subprocess.run(["stat", "-f", "-c", "%T", self.folder], capture_output=True, text=True, check=True).stdout
        return kind.strip() in ("ext2/ext3", "xfs", "btrfs", "f2fs", "tmpfs")

    def test_an_index_that_cannot_be_used_takes_nothing_away(self):
        answer = self.few_nights()
        (self.folder / "text").write_text("none of ours")
        (self.folder / "text").chmod(0o600)
        for index, why in (("text", "not a database"), ("nights", "no regular file"), ("nowhere/index", "No such file"),
                           ("/proc/index", ""), ("few/15/report.json", "(not a database|written by others)")):
            with self.subTest(index):
                self.assert_said(self.rackproof("trend", "few", "--index", index), answer, why)
        self.assertEqual((self.folder / "text").read_text(), "none of ours")
        self.assertEqual(self.rackproof("trend", "few", "--index", "x", "--no-index").returncode, 2)

    def test_a_damaged_index_is_made_anew(self):
        answer = self.few_nights()
        self.assertEqual(self.rackproof("trend", "few").stdout, answer)
        index = self.folder / "few" / INDEX
        whole = index.read_bytes()
        index.write_bytes(whole[:5000])
        self.assert_said(self.rackproof("trend", "few"), answer, "made anew")
        done = self.rackproof("trend", "few")
        self.assertEqual((done.stdout, done.stderr), (answer, ""))
        # A byte of a number: nothing of SQLite's own is wrong.
        at = whole.rindex(b"night1") + 100
        index.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:])
        done = self.rackproof("trend", "few")
        self.assertEqual((done.stdout, done.stderr), (answer, ""))

    def test_many_at_once_and_one_that_is_killed_get_in_nobodys_way(self):
        answer = self.few_nights()
        command = [str(support.RACKPROOF), "trend", "few"]
        start = lambda: subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                         text=True, env=support.environment(TESTED_IN=str(self.folder)))
        victim = start()
        while not (self.folder / "few" / INDEX).exists() and victim.poll() is None:
            pass
        victim.send_signal(signal.SIGKILL)
        victim.communicate()
        for process in [start() for _ in range(4)]:
            out, err = process.communicate(timeout=60)
            self.assertEqual((process.returncode, out), (0, answer), err)
        self.assertEqual(self.rackproof("trend", "few").stdout, answer)

    def test_a_full_disk_and_a_folder_that_cannot_be_written_take_nothing_away(self):
        answer = self.few_nights()

        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))

        run = lambda **more: subprocess.run([str(support.RACKPROOF), "trend", "few"], cwd=self.folder, text=True,
                                            capture_output=True, env=support.environment(), **more)
        self.assert_said(run(preexec_fn=small_files), answer, "")
        (self.folder / "few" / INDEX).unlink()
        for path in (self.folder, *self.folder.rglob("few/**")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        other = {"user": 65534} if os.getuid() == 0 else {}
        try:
            self.assert_said(run(**other), answer, "Permission denied")
            self.assertFalse((self.folder / "few" / INDEX).exists())
        except PermissionError:
            self.skipTest("the build cannot be run by another user")
        finally:
            for path in (self.folder, *self.folder.rglob("few/**")):
                path.chmod(0o755)


if __name__ == "__main__":
    support.main()
