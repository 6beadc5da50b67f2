"""A run of some hosts of a job: only they are tested, and nothing that it leaves behind reads as an acceptance of all."""
import json
import subprocess
import unittest
import xml.etree.ElementTree

import racks
import support
from support import step

HOSTS = 3
RING = {"id": "ring", "title": "A ring", "bench": "ring", "backend": "host", "arguments": ["--mode", "ok"],
        "placement": "world", "members": "ranks", "deadline": "40 s", "bring_up": "10 s", "grace": "1 s",
        "expect": [{"metric": "ring.rate", "parameters": {"ranks": "$ranks"}}]}
WORLD = {"id": "world", "title": "world", "bench": "collectives", "backend": "mpi",
         "arguments": ["--ops", "all_reduce", "--begin", "8", "--end", "8", "--dtypes", "float", "--redops", "sum",
                       "--min-seconds", "0.01"],
         "placement": "world", "deadline": "60 s", "grace": "1 s",
         "expect": [{"metric": "all_reduce.busbw", "parameters": {"bytes": 8, "dtype": "float", "redop": "sum",
                                                                  "ranks": "$ranks"}}]}


@unittest.skipUnless(support.HAS_MPIRUN, support.WITHOUT_MPIRUN)
@unittest.skipUnless(racks.namespaces_work(), "this kernel gives no namespaces for hosts of their own")
class OnlyHosts(support.Case):
    def launch(self, *words):
        command = [*support.MPIRUN, "-n", str(HOSTS), str(racks.AS_HOST), "node-%d", "1", "-", str(support.RACKPROOF),
                   *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=self.folder,
                              stdin=subprocess.DEVNULL, env=support.environment(TESTED_IN=str(self.folder)))

    def play(self, *words, steps=None):
        suite = self.write("suite.json", support.suite(steps or [step("ok"), RING, WORLD]))
        table = self.write("table.json", support.platform(support.HOLDS))
        return self.launch("run", "--suite", suite, "--platform", table, "--out", "out", *words)

    def test_the_others_are_left_out_in_every_form(self):
        done = self.play("--only-host", "node-1", "--only-host", "node-2")
        self.assertEqual(done.returncode, 4, done.stdout + done.stderr)
        left_out = "1 of 3 hosts of the job were left out: node-0"
        verdict = support.verdict_of(done.stdout)
        self.assertTrue(verdict.startswith(f"INCOMPLETE 2 of 3 hosts, 0 GPUs, 2 of 3 steps: {left_out}"), verdict)
        report = self.report()
        self.assertEqual(report["run"]["left_out_hosts"], ["node-0"])
        self.assertEqual([node["host"] for node in report["nodes"]], ["node-1", "node-2"])
        self.assertEqual({attempt["host"] for attempt in report["attempts"]}, {"node-1", "node-2"})
        self.assertEqual([one["state"] for one in report["steps"]], ["done", "done", "left-out"])
        group, = [cell["subject"] for cell in report["cells"] if cell["step"] == "ring"]
        self.assertEqual(group["members"], ["node-1", "node-2"])
        for form in ("html", "md", "terminal"):
            text = self.rackproof("render", "--format", form, "out").stdout
            self.assertIn(left_out, " ".join(text.split()), form)
        tests = xml.etree.ElementTree.fromstring(self.rackproof("render", "-f", "junit", "out").stdout)
        self.assertIn(left_out, tests.find(".//testsuite/testcase[@name='acceptance']/error").get("message"))
        checked = self.rackproof("check", "out/report.json")
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        verified = self.rackproof("verify", "out", "--unsigned")
        self.assertEqual(verified.returncode, 0, verified.stdout)
        self.assertRegex(verified.stdout, f"open +selection +{left_out}")
        before = (self.folder / "out" / "report.json").read_bytes()
        self.assertEqual(self.rackproof("assemble", "out").returncode, 4)
        self.assertEqual((self.folder / "out" / "report.json").read_bytes(), before)
        for word in (["--only-host", "node-0"], ["--only-host", "node-1,node-2"]):
            again = self.launch("run", "--resume", "out", *word)
            self.assertEqual(again.returncode, 2, again.stdout + again.stderr)
            self.assertIn("--only-host", again.stderr)

    def test_a_dry_run_shows_it(self):
        done = self.play("--only-host", "node-1", "--dry-run")
        self.assertEqual(done.returncode, 8, done.stdout + done.stderr)
        self.assertIn("left out: 2 of 3 hosts of the job", done.stdout)
        for each in ("ring", "world"):
            self.assertIn(f"step {each}: left out", done.stdout)
        done = self.play("--only-host", "node-1", "--dry-run", "--json")
        plan = json.loads(done.stdout)
        self.assertEqual(plan["left_out_hosts"], ["node-0", "node-2"])
        self.assertEqual({cell["subject"] for cell in plan["cells"]}, {"node-1"})

    def test_a_host_that_is_not_there(self):
        done = self.play("--only-host", "node-1,node-3")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("--only-host node-3: no host of this job has that name; did you mean 'node-", done.stderr)
        self.assertFalse((self.folder / "out").exists())
        done = self.play("--only-host", "node-1", steps=[WORLD])
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("no step is left", done.stderr)

    def test_what_failed_is_measured_once_more_where_it_failed(self):
        self.assertEqual(self.play().returncode, 4)  # no limit for the ring
        report = self.report()
        for cell in report["cells"]:
            if cell["step"] != "ok" or cell["subject"]["host"] != "node-1":
                cell["verdict"]["outcome"] = "pass"
            else:
                cell["verdict"]["outcome"] = "fail"
        self.write("failed.json", report)
        done = self.launch("run", "--suite", "suite.json", "--platform", "table.json", "--failed", "failed.json",
                           "--out", "again")
        self.assertEqual(done.returncode, 4, done.stdout + done.stderr)
        again = self.report("again")
        self.assertEqual([cell["id"] for cell in again["cells"]],
                         [cell["id"] for cell in report["cells"] if cell["verdict"]["outcome"] == "fail"])
        self.assertEqual(again["run"]["left_out_hosts"], ["node-0", "node-2"])
        self.assertEqual([one["state"] for one in again["steps"]], ["done", "left-out", "left-out"])
        checked = self.rackproof("check", "again/report.json")
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        # One cell more, on another host: the job is looked at as a whole, and one step on a part of it.
        for cell in report["cells"]:
            if cell["step"] == "ring":
                cell["verdict"]["outcome"] = "untested"
        self.write("failed.json", report)
        done = self.launch("run", "--suite", "suite.json", "--platform", "table.json", "--failed", "failed.json",
                           "--out", "more")
        self.assertEqual(done.returncode, 4, done.stdout + done.stderr)
        more = self.report("more")
        self.assertNotIn("left_out_hosts", more["run"])
        self.assertEqual([one.get("only_hosts") for one in more["steps"]], [["node-1"], None, None])
        self.assertIn("1 of 3 steps of the suite was run on some of the hosts alone: ok", more["acceptance_reason"])
        checked = self.rackproof("check", "more/report.json")
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        verified = self.rackproof("verify", "more", "--unsigned")
        self.assertRegex(verified.stdout, "open +selection +step ok was run on 1 of 3 hosts alone: node-1")
        # What passed everywhere leaves nothing to do, and the launcher agrees.
        for cell in report["cells"]:
            cell["verdict"]["outcome"] = "pass"
        self.write("failed.json", report)
        done = self.launch("run", "--suite", "suite.json", "--platform", "table.json", "--failed", "failed.json",
                           "--out", "nothing")
        self.assertEqual(done.returncode, 8, done.stdout + done.stderr)
        self.assertIn("nothing to run: in failed.json no cell failed", done.stdout)
        self.assertFalse((self.folder / "nothing").exists())

    def test_a_resumed_run_keeps_the_selection(self):
        done = self.play("--only-host", "node-1", "--time-budget", "1 ms")
        self.assertEqual(done.returncode, 4, done.stdout + done.stderr)
        self.assertFalse(self.report()["run"]["completed"])
        done = self.launch("run", "--resume", "out")
        self.assertEqual(done.returncode, 4, done.stdout + done.stderr)
        report = self.report()
        self.assertTrue(report["run"]["completed"])
        self.assertEqual(report["run"]["left_out_hosts"], ["node-0", "node-2"])
        self.assertEqual([cell["subject"]["host"] for cell in report["cells"]], ["node-1"])
        self.assertEqual(report["cells"][0]["verdict"]["outcome"], "pass")
        self.assertTrue(report["acceptance_reason"].startswith("2 of 3 hosts of the job were left out"), report)


if __name__ == "__main__":
    support.main()
