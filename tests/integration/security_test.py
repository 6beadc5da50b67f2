"""What docs/security.md promises, tried on the real program."""
import json
import os
import re
import shutil
import stat
import subprocess
import unittest

import support

WITHOUT_STRACE = "strace is not installed, or may not trace here"


def can_trace():
    if shutil.which("strace") is None:
        return False
    return subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True,
                          check=False).returncode == 0


class Run(support.Case):
    def facts(self, out="out"):
        report = json.loads((self.folder / out / "report.json").read_text())
        return {name: fact.get("value") for name, fact in report["nodes"][0]["facts"].items()}

    @unittest.skipUnless(can_trace(), WITHOUT_STRACE)
    def test_no_shell_and_nothing_out_of_PATH(self):
        trace = self.folder / "trace"
        suite = self.write("suite.json", support.suite([support.step("ok"),
                                                         support.step("segv")]))
        done = subprocess.run(
            ["strace", "-f", "-qq", "-e", "trace=execve,execveat", "-o", str(trace),
             str(support.RACKPROOF), "run", "--suite", suite, "--out", str(self.folder / "out")],
            capture_output=True, text=True, timeout=300, check=False, cwd=self.folder,
            env=support.environment(RACKPROOF_TEST=str(self.folder)))
        self.assertEqual(done.returncode, 4, done.stderr)
        started = re.findall(r'execve(?:at)?\(.*?"([^"]*)"', trace.read_text())
        self.assertGreaterEqual(len(started), 4, "rackproof, an inventory and two benches")
        allowed = {str(support.RACKPROOF),
                   str(support.STAGE / "libexec" / "rackproof" / "fake-host")}
        self.assertLessEqual(set(started), allowed)

    @unittest.skipUnless(can_trace(), WITHOUT_STRACE)
    def test_a_kernel_without_close_range_leaks_no_descriptor(self):
        folder = self.folder / "mine"
        folder.mkdir(mode=0o755)
        (folder / "own-host").write_text("#!/bin/sh\nls /proc/self/fd\n")
        (folder / "own-host").chmod(0o755)
        path = self.write("suite.json", support.suite([support.step("ok", bench="own")]))
        subprocess.run(["strace", "-f", "-qq", "-e", "trace=close_range", "-e", "inject=close_range:error=ENOSYS",
                        "-o", str(self.folder / "trace"), str(support.RACKPROOF), "run", "--suite", path, "--out", "out",
                        "--allow-programs", str(folder)], capture_output=True, timeout=300, check=False,
                       cwd=self.folder, env=support.environment(TESTED_IN=str(self.folder)))
        self.assertIn("ENOSYS", (self.folder / "trace").read_text())
        journal = (self.folder / "out" / "journals" / "0001-rank-00000.jsonl").read_text().splitlines()
        entries = [json.loads(line) for line in journal if '"j":"out"' in line]
        said = [entry["text"] for entry in entries if entry["text"].isdigit()]
        self.assertEqual(said, ["0", "1", "2", "3"])  # the last is ls's own of the folder

    def test_files_are_the_users_alone(self):
        # A generous mask of the caller changes nothing.
        before = os.umask(0)
        self.addCleanup(os.umask, before)
        self.run_suite([support.step("ok")])
        for path in [self.folder / "out", *(self.folder / "out").rglob("*")]:
            mode = stat.S_IMODE(path.stat().st_mode)
            self.assertEqual(mode & 0o077, 0, f"{path} has mode {mode:o}")

    def test_foreign_libraries_do_not_reach_the_benches(self):
        done = self.run_suite([support.step("ok")], LD_BIND_NOT="1",
                              LD_LIBRARY_PATH=f"{support.FAKE_NVML}:relative::{self.folder}/none",
                              FAKE_NVML="gpus=1")
        self.assertIn(done.returncode, (0, 4), done.stderr)
        facts = self.facts()
        self.assertEqual(facts["environment.LD_LIBRARY_PATH"], support.FAKE_NVML)
        self.assertEqual(facts["environment.dropped"], "LD_BIND_NOT, folders of LD_LIBRARY_PATH")
        self.assertNotIn("environment.LD_BIND_NOT", facts)

    def test_root_is_allowed_and_said(self):
        done = self.run_suite([support.step("ok")])
        is_root = os.geteuid() == 0
        self.assertEqual(self.facts()["process.is_root"], is_root)
        self.assertEqual("ran as root" in done.stdout, is_root)

    def test_programs_must_be_allowed(self):
        folder = self.folder / "mine"
        folder.mkdir(mode=0o755)
        shutil.copy(support.STAGE / "libexec" / "rackproof" / "fake-host", folder / "own-host")
        step = support.step("ok", bench="own")
        path = self.write("suite.json", support.suite([step]))
        done = self.rackproof("run", "--suite", path, "--out", "refused")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no bench program", done.stderr)
        # Neither PATH nor a step's name leads anywhere else.
        done = self.rackproof("run", "--suite", path, "--out", "refused", PATH=str(folder))
        self.assertEqual(done.returncode, 2)
        done = self.rackproof("run", "--suite", path, "--out", "out", "--allow-programs", folder)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn(f"programs of {folder}", done.stdout)
        report = json.loads((self.folder / "out" / "report.json").read_text())
        # It ran: what it says is refused, since it calls itself fake.
        self.assertEqual(report["attempts"][-1]["ending"]["kind"], "garbled")
        self.assertEqual(report["tool"]["build"]["allowed_programs"], str(folder))
        self.assertIn("own-host", report["tool"]["bench_sha256"])
        folder.chmod(0o777)
        done = self.rackproof("run", "--suite", path, "--out", "open", "--allow-programs", folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("everybody may write", done.stderr)

    def test_a_suite_cannot_leave_the_folder_of_the_benches(self):
        for name in ("../fake", "/bin/sh", "a b", "$(id)", "x;y"):
            path = self.write("suite.json", support.suite([support.step("ok", bench=name)]))
            done = self.rackproof("run", "--suite", path, "--out", "out")
            self.assertEqual(done.returncode, 2, name)
            self.assertIn("bench", done.stderr)

    def test_a_file_without_an_end_is_refused(self):
        done = self.rackproof("check", "/dev/zero")
        self.assertEqual(done.returncode, 2, done.stderr[:300])


class Redact(support.Case):
    def redact(self, *more, report="out", out="public.json"):
        return self.rackproof("redact", report, "-o", out, *more)

    def test_a_redacted_report_is_judged_the_same(self):
        self.run_suite([support.step("ok"), support.step("segv")], "--label", "site=x")
        done = self.redact()
        self.assertEqual(done.returncode, 0, done.stderr)
        host = os.uname().nodename
        text = (self.folder / "public.json").read_text()
        before = json.loads((self.folder / "out" / "report.json").read_text())
        after = json.loads(text)
        self.assertIsNone(re.search(rf"(?i)(?<![a-z0-9]){re.escape(host)}(?![a-z0-9])", text))
        boot = before["nodes"][0]["facts"]["host.boot_id"]["value"]
        self.assertNotIn(boot, text)
        self.assertEqual([c["verdict"]["reason_id"] for c in before["cells"]],
                         [c["verdict"]["reason_id"] for c in after["cells"]])
        self.assertEqual(before["acceptance"], after["acceptance"])
        alias = json.loads((self.folder / "public.json.map.json").read_text())["aliases"]
        self.assertEqual(alias[host.lower()], after["nodes"][0]["host"])
        for name in ("public.json", "public.json.map.json"):
            self.assertEqual(stat.S_IMODE((self.folder / name).stat().st_mode), 0o600)
        self.assertEqual(self.rackproof("check", "public.json").returncode, 0)
        self.assertEqual(self.rackproof("show", "public.json", "--exit-code").returncode,
                         self.rackproof("judge", "out").returncode)
        # A second report with the same map: the same host has the same name.
        self.assertEqual(self.redact("--map", "public.json.map.json", out="again.json").returncode, 0)
        self.assertEqual((self.folder / "again.json").read_text(), text)

    def test_an_edited_report_is_not_made_whole(self):
        self.run_suite([support.step("segv")])
        report = self.folder / "out" / "report.json"
        document = report.read_text()
        self.assertIn('"outcome": "untested"', document)
        report.write_text(document.replace('"outcome": "untested"', '"outcome": "pass"'))
        done = self.redact()
        self.assertEqual(done.returncode, 2)
        self.assertIn("not what its evidence gives", done.stderr)
        self.assertFalse((self.folder / "public.json").exists())

    def test_a_map_that_is_none_is_refused(self):
        self.run_suite([support.step("ok")])
        self.write("map.json", {"schema": "rackproof/aliases/1", "key": "short"})
        done = self.redact("--map", "map.json")
        self.assertEqual(done.returncode, 2)
        self.assertIn("map.json: is no map of aliases", done.stderr)


if __name__ == "__main__":
    support.main()
