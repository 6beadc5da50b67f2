#!/usr/bin/env python3
"""Ways in which a careless engineer would get an accepted run: docs/security.md has the list, and what happens."""
import json
import re
import shutil
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree
from pathlib import Path

import support
from support import step

# Whatever this machine has.
NO_GPUS = {"LD_LIBRARY_PATH": support.FAKE_NVML, "FAKE_NVML": "gpus=0"}
KEYGEN = Path("/usr/bin/ssh-keygen")


class Gates(support.Case):
    def play(self, *arguments, steps=None, out="out", table=None, ranks=0, **env):
        """A run that would be accepted, but for what the test does."""
        path = self.write("table.json", support.platform(table or support.HOLDS))
        return self.run_suite(steps or [step("ok", id="first"), step("ok", id="second")], "--platform", path,
                              *arguments, out=out, ranks=ranks, **NO_GPUS, **env)

    def first_line(self, text):
        return support.verdict_of(text)

    def finding_ids(self, out="out"):
        return [finding["id"] for finding in self.report(out)["findings"]]


class Selection(Gates):
    def test_a_run_of_a_selection_is_incomplete_in_every_form(self):
        self.assertEqual(self.play().returncode, 0)
        done = self.play("--filter", "first", out="part")
        self.assertEqual(done.returncode, 4, done.stdout)
        self.assertTrue(self.first_line(done.stdout).startswith(
            "INCOMPLETE 1 host, 0 GPUs, 1 of 2 steps: 1 of 2 steps of the suite were left out: second"), done.stdout)
        self.assertIn("partial-selection", self.finding_ids("part"))
        self.assertEqual([s["state"] for s in self.report("part")["steps"]], ["done", "left-out"])
        for form, words in (("html", "were left out: second"), ("md", "were left out: second"),
                            ("terminal", "left out: second")):
            text = self.rackproof("render", "--format", form, "part").stdout
            self.assertIn(words, " ".join(text.split()), form)
        tests = xml.etree.ElementTree.fromstring(self.rackproof("render", "-f", "junit", "part").stdout)
        verdict = tests.find(".//testsuite/testcase[@name='acceptance']/error")
        self.assertIn("were left out: second", verdict.get("message"))
        prom = self.rackproof("render", "-f", "openmetrics", "part").stdout
        self.assertRegex(prom, r'rackproof_acceptance\{rack="[^"]+",suite="[^"]+",run="[^"]+",acceptance="accepted"\} 0')
        self.assertEqual(self.rackproof("check", "part/report.json").returncode, 0)

    def test_it_stays_so_when_it_is_judged_or_assembled_again(self):
        self.play("--exclude", "second")
        self.assertEqual(self.rackproof("judge", "out").returncode, 4)
        self.assertEqual(self.rackproof("assemble", "out").returncode, 4)

    @unittest.skipUnless(KEYGEN.exists(), "ssh-keygen is not installed")
    def test_statement_and_verify_name_the_steps(self):
        subprocess.run([KEYGEN, "-q", "-t", "ed25519", "-N", "", "-f", self.folder / "key"], check=True,
                       stdin=subprocess.DEVNULL)
        self.play("--filter", "first")
        done = self.rackproof("sign", "out", "--key", "key", "--role", "vendor", "--signer", "jane@example.com")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.splitlines()[-1].startswith("INCOMPLETE "), done.stdout)
        said = json.loads((self.folder / "out" / "report.json.vendor.statement").read_text())
        self.assertEqual(said["left_out"], ["second"])
        (self.folder / "signers").write_text("jane@example.com " + (self.folder / "key.pub").read_text())
        done = self.rackproof("verify", "out", "--signers", "signers")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, "open +selection +1 of 2 steps were left out: second")
        self.assertTrue(done.stdout.splitlines()[-1].startswith("INCOMPLETE "), done.stdout)

    def test_a_dry_run_is_no_run_for_a_script(self):
        done = self.play("--dry-run")
        self.assertEqual(done.returncode, 8)
        self.assertTrue(done.stdout.splitlines()[-1].startswith("DRY RUN: "))
        self.assertNotIn("ACCEPTED", done.stdout)
        self.assertFalse((self.folder / "out").exists())


class Expected(Gates):
    def test_fewer_than_expected(self):
        self.assertEqual(self.play("--expect", "hosts=1,gpus=0").returncode, 0)
        done = self.play("--expect", "hosts=2", out="few")
        self.assertEqual(done.returncode, 4)
        self.assertTrue(self.first_line(done.stdout).startswith(
            "INCOMPLETE 1 of 2 hosts, 0 GPUs: 1 of 2 hosts that --expect expects is there"), done.stdout)
        self.assertIn("not-all-there", self.finding_ids("few"))

    @unittest.skipUnless(support.HAS_MPIRUN, support.WITHOUT_MPIRUN)
    def test_all_ranks_on_one_host(self):
        """mpirun without its hostfile."""
        done = self.play("--expect", "hosts=2", ranks=2)
        self.assertIn("INCOMPLETE 1 of 2 hosts", done.stdout)

    def test_a_suite_says_what_is_expected(self):
        path = self.write("table.json", support.platform(support.HOLDS))
        done = self.run_suite([step("ok")], "--platform", path, more={"extent": {"hosts": 18}})
        self.assertEqual(done.returncode, 4)
        self.assertIn("1 of 18 hosts", self.first_line(done.stdout))

    def test_a_list_of_assets(self):
        self.play()
        host = self.report()["nodes"][0]["host"]
        assets = {"schema": "rackproof/assets/1", "hosts": [{"host": host}]}
        path = self.write("assets.json", assets)
        self.assertEqual(self.rackproof("check", path).returncode, 0)
        self.assertEqual(self.play("--expect", path, out="all").returncode, 0)
        self.write("assets.json", {**assets, "hosts": [*assets["hosts"], {"host": "tray-17"}]})
        done = self.play("--expect", path, out="few")
        self.assertEqual(done.returncode, 4)
        self.assertIn("1 of 2 hosts of the list of assets are missing: tray-17", self.first_line(done.stdout))

    def test_what_is_no_expectation(self):
        for text, words in (("hosts", "hosts: cannot be read (No such file or directory)"), ("hosts=none", "expected a whole number"),
                            ("racks=1", "expected hosts=N, gpus=N or both")):
            done = self.play("--expect", text)
            self.assertEqual(done.returncode, 2, text)
            self.assertIn(words, done.stderr)


class Verified(Gates):
    """What only correctness judged is no pass."""

    def setUp(self):
        super().setUp()
        self.play(table=[{"metric": "fake.*", "judge": "correctness"}])

    def test_what_only_correctness_judged_is_verified_in_every_form(self):
        report = self.report()
        self.assertEqual(report["required_counts"]["pass"], 0)
        self.assertEqual(report["required_counts"]["verified"], 2)
        for form, words in (("terminal", "VERIFIED, WITHOUT A SPEED LIMIT (2 cells)"), ("csv", ",verified,"),
                            ("md", "| required | 0 | 2 | 0 |"), ("html", 'class="sign verified"'),
                            ("openmetrics", 'outcome="verified",required="true"} 2')):
            self.assertIn(words, self.rackproof("render", "--format", form, "out").stdout, form)
        tests = xml.etree.ElementTree.fromstring(self.rackproof("render", "-f", "junit", "out").stdout)
        skipped = [case.find("skipped") for case in tests.findall(".//testcase") if case.get("name") != "acceptance"]
        self.assertTrue(skipped and None not in skipped)
        self.assertNotIn("rackproof_cell_passed{", self.rackproof("render", "-f", "openmetrics", "out").stdout)

    def test_in_reports_of_before_it_passed(self):
        text = (self.folder / "out" / "report.json").read_text()
        text = text.replace('"outcome": "verified"', '"outcome": "pass"').replace('"pass": 0', '"pass": 2')
        text = re.sub(r'\n *"verified": 2,', "", text)
        text = text.replace('"acceptance": "verified"', '"acceptance": "accepted"')
        without = re.sub(r',\n "judged_claims": \[.*?\n \]', "", text, flags=re.S)
        older = self.write("older.json", without.replace('"schema_version": "1.9"', '"schema_version": "1.6"'))
        done = self.rackproof("check", older)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        # Nobody asked it for a limit: what it calls accepted is no 0 of today.
        for verb in ("check", "show", "verify"):
            more = ("--unsigned",) if verb == "verify" else ()
            done = self.rackproof(verb, older, "--exit-code", *more)
            self.assertIn(done.returncode, (6, 7) if verb == "verify" else (7,), verb)
        # Of today it would be a report that calls better what is only right.
        self.assertEqual(self.rackproof("check", self.write("today.json", text)).returncode, 2)
        self.rackproof("judge", older, "--out", "again.json")
        again = json.loads((self.folder / "again.json").read_text())
        self.assertEqual({cell["verdict"]["outcome"] for cell in again["cells"]}, {"verified"})
        self.assertEqual(self.rackproof("check", "again.json").returncode, 0)


class LastLine(Gates):
    def test_show_check_and_verify_say_the_verdict_last(self):
        self.play()
        self.play(steps=[step("ok"), step("wrong-answer")], out="bad")
        for out, word, code in (("out", "ACCEPTED ", 0), ("bad", "REJECTED ", 3)):
            for verb in (["show", out], ["check", f"{out}/report.json"], ["verify", out, "--unsigned"]):
                done = self.rackproof(*verb)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertTrue(done.stdout.splitlines()[-1].startswith(word), done.stdout)
                self.assertEqual(self.rackproof(*verb, "--exit-code").returncode, code, verb)


class Claims(Gates):
    """What a report claims of suite and table is held against the installed ones of that digest."""

    def setUp(self):
        super().setUp()
        self.stage = self.folder / "stage"
        shutil.copytree(support.STAGE / "share", self.stage / "share")
        for part in ("bin", "libexec/rackproof"):
            (self.stage / part).mkdir(parents=True)
        for program in ("bin/rackproof", "bin/rackproof-mpi", "libexec/rackproof/fake-host"):
            if (support.STAGE / program).exists():
                shutil.copy2(support.STAGE / program, self.stage / program)
        configs = self.stage / "share" / "rackproof" / "configs"
        (configs / "suites" / "test.json").write_text(json.dumps(support.suite(
            [step("ok"), step("slow", arguments=["--mode", "slow", "--seconds", "2"])])))
        (configs / "platforms" / "test-table.json").write_text(json.dumps(support.platform([{
            "metric": "fake.rate", "judge": "absolute", "expected": {"value": 1, "unit": "kB/s"},
            "tolerance_below": 0.05, "statistic": "median", "source": support.SOURCE}])))

    def own(self, *arguments):
        return subprocess.run([str(self.stage / "bin" / "rackproof"), *arguments], capture_output=True, text=True,
                              cwd=self.folder, stdin=subprocess.DEVNULL, timeout=60,
                              env=support.environment(TESTED_IN=str(self.folder)))

    def run_here(self):
        done = self.own("run", "--suite", "test", "--platform", "test-table", "--out", "out")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(self.own("check", "out/report.json").returncode, 0)
        return self.report()

    def edited(self, report, name):
        """As somebody makes it who judges it again where neither suite nor table is installed."""
        (self.folder / name).write_text(json.dumps(report))
        done = self.rackproof("judge", name, "-o", name)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def refused(self, name, *words):
        checked = self.own("check", name)
        self.assertEqual(checked.returncode, 2, checked.stdout)
        verified = self.own("verify", name, "--unsigned")
        self.assertEqual(verified.returncode, 6, verified.stdout)
        self.assertNotIn("ACCEPTED", verified.stdout.splitlines()[-1])
        judged = self.own("judge", name)
        self.assertEqual(judged.returncode, 6, judged.stdout)
        for word in words:
            for text in (checked.stdout, verified.stdout, judged.stderr):
                self.assertIn(word, text)

    def test_a_softened_table_that_keeps_its_digest(self):
        report = self.run_here()
        report["platforms"][0]["baselines"][0]["expected"] = 1.0
        self.edited(report, "soft.json")
        self.refused("soft.json", "/baselines/0/expected: has 1.0, and what is installed here with this digest has 1000.0")

    def test_a_softened_suite_that_keeps_its_digest(self):
        report = self.run_here()
        report["suite"]["policy"]["confidence"] = 0.6
        report["platforms"][0]["baselines"][0]["expected"] = 1.0
        report["platforms"][0]["digest"] = "0" * 64
        self.edited(report, "soft.json")
        self.refused("soft.json", "suite/policy/confidence: has 0.6")

    def test_cells_that_are_gone(self):
        report = self.run_here()
        self.assertEqual([c["verdict"]["outcome"] for c in report["cells"]], ["fail", "fail"])
        report["platforms"][0]["baselines"][0]["expected"] = 1.0
        report["platforms"][0]["digest"] = "0" * 64
        gone = report["cells"].pop()["id"]
        self.edited(report, "gone.json")
        self.refused("gone.json", f"cells: 1 that suite test demands of these hosts are missing: {gone}")

    def test_a_cell_that_is_not_required_any_more(self):
        report = self.run_here()
        report["platforms"][0]["baselines"][0]["expected"] = 1.0
        report["platforms"][0]["digest"] = "0" * 64
        report["cells"][1]["required"] = False
        self.edited(report, "free.json")
        self.refused("free.json", "cells: 1 are required or waived otherwise than suite test says")

    def test_bounds_that_are_gone_or_wider(self):
        """Of a report of this very build: they have no digest."""
        report = self.run_here()
        bound = {"metric": "fake.rate", "backends": [], "better": "more", "most": 1e30, "unit": "B/s"}
        (self.folder / "wide.json").write_text(json.dumps({**report, "bounds": [bound]}, indent=1, sort_keys=True) + "\n")
        self.refused("wide.json", "bounds: that of fake.rate is none that is installed here")

    def test_words_that_the_evidence_does_not_give(self):
        report = self.run_here()
        for field, value, words in (("acceptance_reason", "all is well", "acceptance_reason: is not what its cells give"),
                                    ("required_counts", dict(report["counts"], fail=0), "required_counts: are not"),
                                    ("findings", [], "findings[0]: is missing")):
            with self.subTest(field=field):
                if field == "findings":
                    self.own("run", "--suite", "test", "--platform", "test-table", "--filter", "ok", "--out", "part")
                    report = self.report("part")
                (self.folder / "edited.json").write_text(json.dumps({**report, field: value}, indent=1, sort_keys=True))
                done = self.own("check", "edited.json")
                self.assertEqual(done.returncode, 2)
                self.assertIn(words, done.stdout)

    def test_a_resumed_run_with_another_bench(self):
        table = self.write("any.json", support.platform(support.HOLDS))
        process = subprocess.Popen([str(self.stage / "bin" / "rackproof"), "run", "--suite", "test", "--platform", table,
                                    "--out", "out"], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=support.environment(TESTED_IN=str(self.folder)))
        self.addCleanup(self.stop, process)
        journal = self.folder / "out" / "journals" / "0001-rank-00000.jsonl"
        self.wait_for(lambda: self.has_begun(journal.read_text(), "slow"), what="the second step")
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        for option in (["--suite", "smoke"], ["--label", "rack=7"], ["--expect", "hosts=1"], ["--platform", "host-generic"]):
            done = self.own("run", "--resume", "out", *option)
            self.assertEqual(done.returncode, 2, option)
            self.assertIn(option[0], done.stderr)
        with open(self.stage / "libexec" / "rackproof" / "fake-host", "ab") as bench:
            bench.write(b"\0")
        done = self.own("run", "--resume", "out")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("the run was begun with other programs: fake-host", done.stderr)
        done = self.own("run", "--resume", "out", "--allow-upgrade")
        report = self.report()
        self.assertTrue(report["run"]["completed"], done.stderr)
        self.assertIn("other-programs", self.finding_ids())
        digests = [segment["tool"]["bench_sha256"]["fake-host"] for segment in report["segments"]]
        self.assertEqual(len(set(digests)), 2)
        verified = self.own("verify", "out", "--unsigned")
        self.assertEqual(verified.returncode, 0, verified.stdout)
        for part, digest in enumerate(digests, 1):
            self.assertRegex(verified.stdout, rf"part {part}: rackproof .* fake-host \({digest[:16]}\) gave 1")
        self.assertRegex(verified.stdout, "open +programs +1 of 1 of part 1 are not those that are installed here")


if __name__ == "__main__":
    support.main()
