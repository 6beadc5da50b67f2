"""The verbs as a user types them."""
import json
import os
import pathlib
import pty
import shutil
import signal
import subprocess
import time

import support
from support import step

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


class Verbs(support.Case):
    def test_dry_run_prints_cells_and_starts_nothing(self):
        done = self.run_suite([step("ok"), step("slow")], "--dry-run")
        self.assertEqual(done.returncode, 8, done.stderr)
        self.assertIn("ok    fake-host on 1 node      1         1             0       0  at most", done.stdout)
        self.assertNotIn("fake.rate[mode=ok]", done.stdout)
        self.assertIn("no baseline: 2 of 2 required cells; they would be unjudged", done.stdout)
        self.assertTrue(done.stdout.splitlines()[-1].startswith("DRY RUN: 2 cells in 2 of 2 steps"), done.stdout)
        self.assertFalse((self.folder / "out").exists())

    def test_a_dry_run_lists_every_cell_where_all_is_said(self):
        done = self.run_suite([step("ok"), step("slow")], "--dry-run", "--all")
        self.assertEqual(done.returncode, 8, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^ok:.*:fake\.rate\[mode=ok\]  no baseline$")
        self.assertTrue(done.stdout.splitlines()[-1].startswith("DRY RUN: 2 cells in 2 of 2 steps"), done.stdout)

    def test_a_dry_run_is_a_document_too(self):
        done = self.run_suite([step("ok"), step("slow")], "--dry-run", "--json")
        self.assertEqual(done.returncode, 8, done.stderr)
        plan = json.loads(done.stdout)
        self.assertEqual((plan["format"], plan["version"]), ("rackproof-plan", "1.0"))
        self.assertEqual([one["id"] for one in plan["steps"]], ["ok", "slow"])
        self.assertEqual([one["required"] for one in plan["steps"]], [1, 1])
        self.assertEqual([one["parameters"] for one in plan["cells"]], [{"mode": "ok"}, {"mode": "slow"}])
        refused = self.run_suite([step("ok")], "--json")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--dry-run", refused.stderr)

    def test_how_much_a_run_says_is_chosen(self):
        quiet = self.run_suite([step("ok")], "-q", out="quiet")
        self.assertEqual(quiet.stderr, "")
        self.assertEqual([line.split(" ")[0] for line in quiet.stdout.splitlines()],
                         ["INCOMPLETE", "report:", "every"])
        full = self.run_suite([step("ok")], "-v", out="full")
        self.assertIn("UNJUDGED (1 cell)", full.stdout)
        every = self.run_suite([step("ok")], "--all", out="every")
        self.assertIn("ALL CELLS (1)", every.stdout)

    def test_a_site_has_suites_and_tables_of_its_own(self):
        site = self.folder / "site"
        (site / "suites").mkdir(parents=True)
        (site / "platforms").mkdir()
        document = support.suite([step("ok")])
        document["id"] = "night"
        (site / "suites" / "night.json").write_text(json.dumps(document))
        table = {"schema": "rackproof/platform/1", "id": "mine", "title": "Mine", "extends": "host-generic",
                 "recognise": [{"fact": "kernel.release", "matches": "*"}], "baselines": []}
        (site / "platforms" / "mine.json").write_text(json.dumps(table))
        done = self.rackproof("run", "--suite", "night", "--out", "out", RACKPROOF_PATH=str(site))
        self.assertEqual(done.returncode, 4, done.stdout + done.stderr)
        self.assertEqual(set(self.report()["platform_of_host"].values()), {"mine"})
        self.assertEqual(self.report()["tool"]["build"]["site_folders"], str(site))
        self.assertIn(f"suites and tables of this site: {site}", done.stdout)
        listed = self.rackproof("list", "suites", "--names", RACKPROOF_PATH=str(site))
        self.assertIn("night", listed.stdout.split())
        # Not without it, and no name may stand for two files.
        self.assertEqual(self.rackproof("run", "--suite", "night", "--out", "none").returncode, 2)
        shutil.copy(site / "platforms" / "mine.json", site / "platforms" / "host-generic.json")
        done = self.rackproof("run", "--suite", "night", "--out", "none", RACKPROOF_PATH=str(site))
        self.assertEqual(done.returncode, 2)
        self.assertIn("two files for the platform 'host-generic'", done.stderr)

    def test_show_is_a_document_too(self):
        self.run_suite([step("ok"), step("slow"), step("segv")])
        done = self.rackproof("show", "--json", "out")
        told = json.loads(done.stdout)
        report = self.report()
        self.assertEqual((told["format"], told["run"]), ("rackproof-summary", report["run"]["id"]))
        self.assertEqual(told["verdict"], report["acceptance"])
        counts = report["required_counts"]
        self.assertEqual({key: told["counts"]["required"][key] for key in counts}, counts)
        self.assertEqual([one["outcome"] for one in told["parts"]], ["untested", "unjudged"])
        self.assertEqual(told["parts"][0]["worst"]["metric"], "fake.rate")

    def test_help_of_a_verb_is_had_both_ways(self):
        self.assertEqual(self.rackproof("help", "run").stdout, self.rackproof("run", "--help").stdout)
        self.assertEqual(self.rackproof("help").stdout, self.rackproof("--help").stdout)
        self.assertEqual(self.rackproof("help", "shw").returncode, 2)

    def test_filter_keeps_what_matches(self):
        done = self.run_suite([step("ok"), step("segv")], "--filter", "o*")
        report = self.report()
        self.assertEqual([cell["step"] for cell in report["cells"]], ["ok"], done.stderr)
        self.assertIn("partial-selection", [f["id"] for f in report["findings"]])

    def test_filter_that_matches_nothing(self):
        done = self.run_suite([step("ok"), step("segv")], "--filter", "segw")
        self.assertEqual(done.returncode, 5)
        self.assertIn("segv", done.stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_what_failed_is_run_once_more(self):
        table = self.write("table.json", support.platform(support.HOLDS))
        self.run_suite([step("ok"), step("wrong-answer")], "--platform", table)
        done = self.rackproof("run", "--suite", "suite.json", "--platform", table, "--failed", "out", "--out", "again")
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertEqual([one["state"] for one in self.report("again")["steps"]], ["left-out", "done"])
        self.assertIn("partial-selection", [f["id"] for f in self.report("again")["findings"]])
        done = self.rackproof("run", "--suite", "suite.json", "--failed", "out", "--exclude", "wrong-answer", "--out", "x")
        self.assertEqual(done.returncode, 5, done.stdout + done.stderr)

    def test_nothing_failed_is_said_and_nothing_run(self):
        table = self.write("table.json", support.platform(support.HOLDS))
        self.assertEqual(self.run_suite([step("ok")], "--platform", table).returncode, 0)
        done = self.rackproof("run", "--suite", "suite.json", "--platform", table, "--failed", "out", "--out", "again")
        self.assertEqual((done.returncode, done.stdout),
                         (8, "nothing to run: in out no cell failed, and none is untested or unjudged\n"), done.stderr)
        self.assertFalse((self.folder / "again").exists())

    def test_what_failed_in_another_suite_is_refused(self):
        self.run_suite([step("wrong-answer")])
        for name, told in (("test", "of suite test of sha256 "), ("other", "of suite test, and this one is of suite other")):
            self.write("other.json", support.suite([step("ok")], id=name))
            done = self.rackproof("run", "--suite", "other.json", "--failed", "out", "--out", "again")
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn(told, done.stderr)
            self.assertFalse((self.folder / "again").exists())

    def test_judge_again_gives_the_same_verdicts(self):
        self.run_suite([step("ok"), step("segv"), step("wrong-answer")])
        before = self.report()
        done = self.rackproof("judge", "out/report.json", "--out", "again.json")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(json.loads((self.folder / "again.json").read_text()), before)

    def test_judge_with_a_stricter_table_rejects_and_names_the_cell(self):
        self.run_suite([step("ok")])
        strict = support.platform([{
            "metric": "fake.rate", "judge": "absolute",
            "expected": {"value": 1, "unit": "kB/s"}, "tolerance_below": 0.05,
            "statistic": "median", "source": support.SOURCE}])
        done = self.rackproof("judge", "out/report.json", "--platform",
                              self.write("strict.json", strict))
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("REJECTED", done.stdout)
        self.assertIn("fake.rate", done.stdout)

    def test_I10_a_table_that_check_refuses_is_not_judged_by(self):
        self.run_suite([step("ok")])
        fraction = {"metric": "gemm.rate", "parameters": {"dtype": "fp64"}, "backend": "host", "judge": "fraction",
                    "expected": 0.5, "of": "memory.total_bytes", "tolerance_below": 0.1, "source": support.SOURCE}
        table = self.write("table.json", support.platform([fraction]))
        for verb in (["check", table], ["judge", "out/report.json", "--platform", table],
                     ["run", "--suite", "suite.json", "--out", "new", "--platform", table],
                     ["inventory", "--check", "--platform", table]):
            with self.subTest(verb=verb[0]):
                done = self.rackproof(*verb)
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertIn("table.json", done.stdout + done.stderr)
                self.assertIn("baselines[0].of: 'memory.total_bytes' is in B", done.stdout + done.stderr)
        self.assertFalse((self.folder / "new").exists(), "a refused run left something behind")

    def test_what_the_linter_doubts_is_a_finding(self):
        table = self.write("table.json", support.platform(support.HOLDS))
        self.assertEqual(self.rackproof("check", table).returncode, 0)
        done = self.run_suite([step("ok")], "--platform", table)
        self.assertEqual(done.returncode, 0, done.stderr)
        told = [one for one in self.report()["findings"] if one["id"] == "table-warning"]
        self.assertEqual(len(told), 1, told)
        self.assertIn("no bench prints a metric 'fake.rate'", told[0]["text"])

    def test_a_wrong_answer_that_no_number_rests_on_is_shown_everywhere(self):
        done = self.run_suite([step("other-wrong-answer")], "--render", "csv,html,junit,md,openmetrics,terminal")
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        finding = next(one for one in self.report()["findings"] if one["id"] == "failed-check")
        self.assertEqual(finding["severity"], "error")
        for name in ("report.csv", "report.html", "report.junit.xml", "report.md", "report.txt"):
            with self.subTest(name=name):
                self.assertIn("fake.other", (self.folder / "out" / name).read_text())
        self.assertRegex((self.folder / "out" / "report.prom").read_text(), 'rackproof_findings{.*severity="error"} 1')
        self.assertIn("fake.other", done.stdout)

    def test_a_table_of_another_machine_is_refused_unless_forced(self):
        self.run_suite([step("ok")])
        rack = self.write("rack.json", support.platform(
            support.HOLDS, id="rack",
            recognise=[{"fact": "gpu.name", "matches": "*GB200*"}]))
        before = sorted((self.folder / "out").rglob("*"))
        for verb in (["judge", "out/report.json", "--out", "again.json"],
                     ["run", "--suite", "suite.json", "--out", "new"],
                     ["run", "--suite", "suite.json", "--dry-run", "--out", "new"]):
            done = self.rackproof(*verb, "--platform", rack)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertIn("table rack is not for", done.stderr)
            self.assertIn("gpu.name is not known; the table requires *GB200*", done.stderr)
            self.assertIn("--force-platform", done.stderr)
        self.assertEqual(sorted((self.folder / "out").rglob("*")), before)
        self.assertFalse((self.folder / "new").exists(), "a refused run left something behind")
        self.assertFalse((self.folder / "again.json").exists())
        done = self.rackproof("judge", "out/report.json", "--out", "again.json", "--platform",
                              rack, "--force-platform")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("platform-contradicted", done.stdout)
        done = self.rackproof("run", "--suite", "suite.json", "--out", "new", "--platform", rack,
                              "--force-platform")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("the table requires *GB200*", " ".join(done.stdout.split()))

    def test_another_edition_of_the_same_table_is_refused_unless_forced(self):
        baselines = support.HOLDS
        first = self.write("first.json", support.platform(baselines))
        second = self.write("second.json", support.platform(baselines, title="A later edition"))
        self.run_suite([step("ok")], "--platform", first)
        self.assertEqual(self.rackproof("judge", "out", "--platform", first).returncode, 0)
        done = self.rackproof("judge", "out", "--platform", second)
        self.assertEqual(done.returncode, 2, done.stdout)
        digest = self.report()["platforms"][0]["digest"]
        self.assertIn(digest, done.stderr)
        done = self.rackproof("judge", "out", "--platform", second, "--force-platform")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("another edition", done.stdout)

    def test_assemble_makes_the_same_report(self):
        self.run_suite([step("ok"), step("segv"), step("hang", deadline="1 s", grace="0.5 s")])
        path = self.folder / "out" / "report.json"
        before = path.read_bytes()
        path.unlink()
        done = self.rackproof("assemble", "out")
        self.assertEqual(path.read_bytes(), before)
        self.assertEqual(done.returncode, 4)

    def test_show_and_check_and_explain(self):
        self.run_suite([step("ok")])
        shown = self.rackproof("show", "out", "--all")
        self.assertEqual(shown.returncode, 0)
        self.assertIn("fake.rate", shown.stdout)
        self.assertEqual(self.rackproof("show", "out", "--exit-code").returncode, 4)
        reason = self.report()["cells"][0]["verdict"]["reason_id"]
        explained = self.rackproof("explain", reason)
        self.assertEqual(explained.returncode, 0)
        self.assertIn("What to do", explained.stdout)
        wrong = self.rackproof("explain", "below-limt")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("below-limit", wrong.stderr)
        entries = json.loads(self.rackproof("explain", "--json", reason).stdout)["entries"]
        self.assertEqual({entry["id"] for entry in entries}, {reason})
        self.assertEqual(len(json.loads(self.rackproof("explain", "--json").stdout)["entries"]),
                         len(self.rackproof("explain").stdout.splitlines()))

    def test_check_as_json(self):
        self.run_suite([step("ok")])
        self.write("broken.json", '{"schema": "rackproof/suite/1.0", "name": 7}')
        done = self.rackproof("check", "--json", "out/report.json", "broken.json")
        told = json.loads(done.stdout)
        self.assertEqual((done.returncode, told["good"], told["verdicts"]), (2, False, []))
        report, broken = told["files"]
        self.assertEqual((report["kind"], report["good"], report["complaints"]), ("report", True, []))
        self.assertFalse(broken["good"])
        self.assertIn("broken.json:1", broken["complaints"][0])
        done = self.rackproof("check", "--json", "--exit-code", "out/report.json")
        told = json.loads(done.stdout)
        self.assertEqual((done.returncode, told["good"]), (4, True))
        self.assertEqual(told["verdicts"], [{"path": "out/report.json", "acceptance": "incomplete"}])

    def test_edited_report_fails_the_check(self):
        self.run_suite([step("ok")])
        path = self.folder / "out" / "report.json"
        text = path.read_text().replace('"outcome": "unjudged"', '"outcome": "pass"')
        path.write_text(text)
        done = self.rackproof("check", "out/report.json")
        self.assertEqual(done.returncode, 2)

    def test_every_id_in_a_report_can_be_explained(self):
        self.run_suite([step("ok"), step("segv"), step("injected"), step("leak")])
        report = self.report()
        ids = {cell["verdict"]["reason_id"] for cell in report["cells"]}
        ids |= {finding["id"] for finding in report["findings"]}
        for one in sorted(ids):
            self.assertEqual(self.rackproof("explain", one).returncode, 0, one)

    def test_a_wrong_word_or_value_is_told_in_the_words_of_the_command_line(self):
        for words, wanted in (
                (("run", "smoke"), "'smoke' is not expected; a suite is named with --suite; rackproof run --help says what is"),
                (("show", "a", "b"), "'b' is not expected; rackproof show --help says what is"),
                (("record", "--size", "many"), "--size: 'many' is not a number"),
                (("record", "--interval", "100 xs", "--", "true"), "--interval: '100 xs' is not a time: expected for example 100 ms"),
                (("record", "--interval", "5 ms", "--", "true"), "--interval: expected 10 to 60000 ms, not 5"),
                (("render", "--format", "md", REPOSITORY / "tests" / "golden" / "report" / "sample.report.json", "-o", "/nonexistent/x.md"),
                 "/nonexistent/x.md: cannot create: No such file or directory")):
            done = self.rackproof(*words)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"rackproof: {wanted}\n"), words)

    def test_a_page_is_not_printed_on_a_terminal(self):
        report = REPOSITORY / "tests" / "golden" / "report" / "sample.report.json"
        ours, theirs = pty.openpty()
        done = subprocess.run([support.RACKPROOF, "render", "--format", "html", report], stdout=theirs, cwd=self.folder,
                              stderr=subprocess.PIPE, text=True, env=support.environment(), check=False)
        os.close(theirs)
        os.close(ours)
        self.assertEqual((done.returncode, done.stderr),
                         (2, "rackproof: an HTML page is for a browser: name a file with --out\n"))

    def test_list_and_doctor_and_inventory(self):
        listed = self.rackproof("list")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        for word in ("benches", "fake-host", "suites", "acceptance", "host-generic", "features"):
            self.assertIn(word, listed.stdout)
        self.assertIn("benches", json.loads(self.rackproof("list", "--json").stdout))
        doctor = self.rackproof("doctor")
        self.assertIn(doctor.returncode, (0, 3))
        self.assertIn("rackproof", doctor.stdout)
        told = json.loads(self.rackproof("doctor", "--json").stdout)
        self.assertEqual(told["ready"], not any(one["blocking"] for one in told["complaints"]))
        self.assertLessEqual({"host", "launcher", "mpi", "features_off"}, set(told))
        node = json.loads(self.rackproof("inventory", "--json").stdout)
        self.assertGreater(node["facts"]["memory.total_bytes"]["value"], 0)

    def test_a_folder_is_checked_file_by_file(self):
        tables = REPOSITORY / "tests" / "data" / "lint"
        (self.folder / "tables" / "deeper").mkdir(parents=True)
        shutil.copy(tables / "family.json", self.folder / "tables")
        self.assertEqual(self.rackproof("check", "tables").stdout, "tables/family.json: good platform table\n")
        shutil.copy(tables / "unit_slip_up.json", self.folder / "tables" / "deeper")
        (self.folder / "tables" / "again").symlink_to(self.folder / "tables")
        done = self.rackproof("check", "tables")
        self.assertEqual(done.returncode, 2)
        self.assertIn("tables/deeper/unit_slip_up.json:23: baselines[0].expected.value: 4.3 PB/s is above", done.stdout)
        self.assertIn("tables/family.json: good platform table", done.stdout)
        self.assertNotIn("again", done.stdout)

    def test_a_part_of_the_list(self):
        listed = self.rackproof("list", "platforms")
        self.assertIn("host-generic", listed.stdout)
        self.assertNotIn("fake-host", listed.stdout)
        document = json.loads(self.rackproof("list", "platforms", "--json").stdout)
        self.assertEqual(set(document), {"platforms", "families"})
        h100 = next(row for row in document["platforms"] if row["name"] == "h100-sxm")
        self.assertGreater(h100["sourced_baselines"]["own"], 0)
        self.assertGreater(h100["sourced_baselines"]["inherited"], 0)
        self.assertEqual(h100["extends"][0], "hopper-sxm")
        self.assertTrue(all(row["type"] == "family" for row in document["families"]))
        for wrong in (("list", "platform"), ("list", "suites", "--markdown")):
            done = self.rackproof(*wrong)
            self.assertEqual(done.returncode, 2)
            self.assertIn("platforms", done.stderr)

    def test_names_of_a_part_for_a_script(self):
        for part in ("benches", "suites", "platforms", "features", "formats", "ids"):
            done = self.rackproof("list", part, "--names")
            names = done.stdout.splitlines()
            self.assertEqual((done.returncode, names), (0, sorted(set(names))), part)
            self.assertGreater(len(names), 2, part)
            self.assertFalse(any(" " in name for name in names), part)
        self.assertIn("fake-host", self.rackproof("list", "benches", "--names").stdout.splitlines())
        self.assertIn("junit", self.rackproof("list", "formats").stdout)
        self.assertIn("below-limit", self.rackproof("list", "ids").stdout)
        self.assertNotIn("below-limit", self.rackproof("list").stdout)
        for wrong in (("list", "--names"), ("list", "suites", "--names", "--json")):
            self.assertEqual(self.rackproof(*wrong).returncode, 2)

    def test_every_help_has_an_example(self):
        for verb in ("run", "list", "inventory", "record", "check", "assemble", "judge", "show", "doctor",
                     "explain", "completion"):
            done = self.rackproof(verb, "--help")
            self.assertEqual(done.returncode, 0, verb)
            self.assertIn("Examples:", done.stdout, verb)

    def test_color_only_when_asked(self):
        self.run_suite([step("segv")])
        self.assertNotIn("\033[", self.rackproof("show", "out").stdout)
        self.assertIn("\033[", self.rackproof("--color", "always", "show", "out").stdout)


class BadInput(support.Case):
    def refused(self, done, *words, code=2):
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        text = done.stdout + done.stderr
        for word in words:
            self.assertIn(word, text)
        self.assertNotIn("terminate called", text)
        self.assertLessEqual(len(text.splitlines()), 2, text)

    def test_words_that_are_not_known(self):
        self.refused(self.rackproof("rnu"), "run")
        self.refused(self.rackproof("run", "--suit", "x"), "--suite")
        self.refused(self.rackproof("run", "--suite", "acceptence"), "acceptance")
        self.refused(self.rackproof("run", "--platform", "host-generik"), "host-generic")
        self.refused(self.rackproof("run", "--suite", "smoke", "--time-budget", "soon"), "soon")
        self.refused(self.rackproof("run", "--suite", "smoke", "--label", "x"), "KEY=VALUE")
        self.refused(self.rackproof("--color", "sometimes", "list"), "--color", "'sometimes'", "always")
        self.refused(self.rackproof("list", "platfroms"), "did you mean 'platforms'?")
        self.refused(self.rackproof("record", "--interval", "fast", "--", "true"), "--interval", "fast")
        self.refused(self.rackproof("manuel"), "expected one of run")
        self.refused(self.rackproof(), "--help")

    def test_missing_bench_program(self):
        done = self.run_suite([step("ok", bench="stram")])
        self.refused(done, "stram-host")
        self.assertFalse((self.folder / "out").exists())

    def test_directory_that_holds_another_run(self):
        self.run_suite([step("ok")])
        self.refused(self.run_suite([step("ok")]), "--resume")

    def test_directory_that_cannot_be_made(self):
        (self.folder / "file").write_text("x")
        self.refused(self.run_suite([step("ok")], out="file"), "not a directory")
        self.refused(self.run_suite([step("ok")], out="file/below"), "file/below")

    def test_reports_that_are_none(self):
        self.run_suite([step("ok")])
        text = (self.folder / "out" / "report.json").read_text()
        self.write("cut.json", text[: len(text) // 2])
        self.refused(self.rackproof("show", "cut.json"), "cut.json")
        document = json.loads(text)
        document["schema_version"] = "9.0"
        self.write("newer.json", json.dumps(document))
        self.refused(self.rackproof("show", "newer.json"), "9.0", "1.9")
        self.write("deep.json", "[" * 10000 + "]" * 10000)
        self.refused(self.rackproof("show", "deep.json"), "deep.json")
        self.refused(self.rackproof("show", "absent.json"), "absent.json")
        (self.folder / "folder").mkdir()
        self.refused(self.rackproof("check", "folder"), "holds no file")
        with open(self.folder / "huge.json", "wb") as file:
            file.write(b"x" * 100_000_000)
        started = time.monotonic()
        self.refused(self.rackproof("check", "huge.json"), "huge.json")
        self.assertLess(time.monotonic() - started, 20)


class Stopping(support.Case):
    def test_interrupt_keeps_what_is_done_and_resume_goes_on(self):
        steps = [step("ok"), step("slow", arguments=["--mode", "slow", "--seconds", "60"],
                                  deadline="100 s"), step("no-metric")]
        process = self.start_suite(steps)
        self.wait_for(lambda: self.has_begun(self.journal_text(), "slow"),
                      what="the second step")
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130)
        report = self.report()
        self.assertTrue(report["run"]["interrupted"])
        self.assertEqual(report["acceptance"], "incomplete")
        self.assertEqual(self.verdict(report, "ok")["outcome"], "unjudged")
        self.assertEqual(self.verdict(report, "slow")["reason_id"], "interrupted")
        self.assertEqual(self.verdict(report, "no-metric")["reason_id"], "interrupted")

        suite = json.loads((self.folder / "out" / "suite.json").read_text())
        self.assertEqual(suite["steps"][1]["id"], "slow")
        process = self.start_resume()
        self.wait_for(lambda: self.has_begun(self.journal_text("0002"), "slow"), what="the resumed step")
        time.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
        report = self.report()
        self.assertEqual(report["run"]["segments"], 2)
        self.assertEqual([a["step"] for a in report["attempts"]], ["ok", "slow", "slow"])

    def test_resume_finishes_the_run(self):
        steps = [step("ok"), step("slow", arguments=["--mode", "slow", "--seconds", "3"])]
        process = self.start_suite(steps)
        self.wait_for(lambda: self.has_begun(self.journal_text(), "slow"),
                      what="the second step")
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        done = self.rackproof("run", "--resume", "out")
        report = self.report()
        self.assertTrue(report["run"]["completed"], done.stderr)
        self.assertEqual(self.verdict(report, "slow")["outcome"], "unjudged")
        again = self.rackproof("run", "--resume", "out")
        self.assertIn("nothing is left to do", again.stderr)

    def test_time_budget(self):
        slow = [step("slow", id=f"slow{i}", arguments=["--mode", "slow", "--seconds", "5"])
                for i in range(3)]
        started = time.monotonic()
        done = self.run_suite(slow, "--time-budget", "2 s")
        self.assertLess(time.monotonic() - started, 10)
        self.assertEqual(done.returncode, 4)
        reasons = {cell["verdict"]["reason_id"] for cell in self.report()["cells"]}
        self.assertEqual(reasons, {"time-budget"})

    def test_supervisor_killed(self):
        process = self.start_suite([step("ok"), step("hang", deadline="60 s")])
        self.wait_for(lambda: self.has_begun(self.journal_text(), "hang"),
                      what="the second step")
        time.sleep(0.3)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=10)
        self.assertEqual(self.left_behind(2.0) and [], [])
        # The warden's last act is the report.
        self.wait_for(lambda: self.report(), seconds=30, what="the report")
        report = self.report()
        self.assertEqual(report["acceptance"], "incomplete")
        self.assertEqual(self.verdict(report, "ok")["outcome"], "unjudged")
        self.assertEqual(self.verdict(report, "hang")["reason_id"], "rank-lost")

    def start_resume(self):
        import subprocess
        process = subprocess.Popen([str(support.RACKPROOF), "run", "--resume", "out"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   cwd=self.folder, stdin=subprocess.DEVNULL,
                                   env=support.environment(TESTED_IN=str(self.folder)))
        self.addCleanup(self.stop, process)
        return process

    def journal_text(self, segment="0001"):
        path = self.folder / "out" / "journals" / f"{segment}-rank-00000.jsonl"
        return path.read_text() if path.exists() else ""


if __name__ == "__main__":
    support.main()
