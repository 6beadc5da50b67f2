"""rackproof plan: the steps of a suite that fit into a number of minutes, and a run of them."""
import json

import support

HOST = ["plan", "--suite", "acceptance", "--hosts", "1", "--gpus", "0"]


class Plan(support.Case):
    def plan(self, *arguments, state=None):
        return self.rackproof(*HOST, *arguments, XDG_STATE_HOME=str(state or self.folder / "state"))

    def planned(self, *arguments, **more):
        done = self.plan(*arguments, "--json", **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def refused(self, done, *words):
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def steps_of(self, plan):
        return [step["id"] for step in plan["steps"] if step["state"] in ("chosen", "demanded")]

    def test_more_minutes_choose_more_steps_and_the_suite_has_them(self):
        few = self.planned("--minutes", "1")
        many = self.planned("--minutes", "30", "-o", "long.json")
        self.assertLess(len(self.steps_of(few)), len(self.steps_of(many)))
        self.assertGreaterEqual(few["missed"]["usual"], many["missed"]["usual"])
        suite = json.loads((self.folder / "long.json").read_text())
        self.assertEqual([step["id"] for step in suite["steps"]], self.steps_of(many))
        self.assertEqual(suite["plan"]["of"], "acceptance")
        checked = self.rackproof("check", "long.json")
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    def test_bad_input_is_one_sentence_and_code_2(self):
        (self.folder / "folder").mkdir()
        for arguments, words in ((["--minutes", "0.01"], ["--minutes"]),
                                 (["--minutes", "5", "--with", "gone"], ["no step", "gone"]),
                                 (["--minutes", "5", "--age", "soon"], ["--age", "soon"]),
                                 (["--minutes", "5", "--ledger", "gone.sqlite"], ["gone.sqlite"]),
                                 (["--minutes", "5", "--faults", "gone.json"], ["gone.json"]),
                                 (["--minutes", "5", "gone/"], ["gone"]),
                                 (["--minutes", "5", "-o", "none/short.json"], ["none/short.json"]),
                                 (["--minutes", "5", "-o", "folder"], ["folder"])):
            done = self.plan(*arguments)
            self.refused(done, *words)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["folder"])
        self.refused(self.rackproof("plan", "--minutes", "1", "--suite", "node"), "only the deadline is known")
        self.planned("--minutes", "5", "-o", "short.json")
        again = self.rackproof("plan", "--minutes", "5", "--suite", "./short.json")
        self.refused(again, "is a plan already", "acceptance")

    def test_a_table_of_faults_of_the_site_decides(self):
        table = {"schema": "rackproof/faults/1", "title": "here", "source": "us", "days": 100, "parts": {"host": 10},
                 "chances": {"sure": [1, 1, 1]}, "again": [0, 0, 0],
                 "faults": [{"id": "a", "title": "a", "part": "host", "count": 5, "found_by": {"sure": ["align-host"]}}]}
        self.write("faults.json", table)
        plan = self.planned("--minutes", "30", "--faults", "faults.json")
        programs = {step["program"] for step in plan["steps"] if step["state"] == "chosen"}
        self.assertEqual(programs, {"align-host"})
        self.assertEqual(plan["missed"]["usual"], 0)
        self.assertEqual(self.rackproof("check", "faults.json").returncode, 0)
        table["faults"][0]["part"] = "gpu"
        self.write("faults.json", table)
        self.refused(self.plan("--minutes", "5", "--faults", "faults.json"), "faults.json", "faults[0].part")

    def test_a_run_of_a_plan_says_so_beside_its_verdict(self):
        steps = [support.step("ok", id="quick", takes="2 s"), support.step("ok", id="other", takes="5 s")]
        document = support.suite(steps)
        self.write("whole.json", document)
        table = {"schema": "rackproof/faults/1", "title": "here", "source": "us", "days": 100, "parts": {"host": 10},
                 "chances": {"sure": [0.5, 0.5, 0.5]}, "again": [1, 1, 1],
                 "faults": [{"id": "fan", "title": "fan", "part": "host", "count": 5,
                             "found_by": {"sure": ["fake-*"]}}]}
        self.write("faults.json", table)
        done = self.rackproof("plan", "--minutes", "0.1", "--suite", "./whole.json", "--gpus", "0", "--faults",
                              "faults.json", "-o", "short.json", XDG_STATE_HOME=str(self.folder / "state"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("rackproof run --suite short.json", done.stdout)
        self.write("table.json", support.platform(support.HOLDS))
        self.rackproof("run", "--suite", "short.json", "--out", "out", "--platform", "./table.json")
        report = self.report()
        self.assertEqual([step["id"] for step in report["steps"]], ["quick"])
        self.assertEqual(report["suite"]["plan"]["left_out"], ["other"])
        found = [finding for finding in report["findings"] if finding["id"] == "planned-suite"]
        self.assertEqual(len(found), 1)
        self.assertIn("fan (50 %)", found[0]["text"])
        self.assertIn("of what was planned", report["acceptance_reason"])
        shown = " ".join(self.rackproof("show", "out").stdout.split())
        self.assertIn("of what was planned", shown)
        self.assertIn("1 of 2 steps", shown)
        verified = " ".join(self.rackproof("verify", "out", "--unsigned").stdout.split())
        self.assertIn("1 of 2 steps of test, as planned, without other", verified)
        # For the ledger it is no run of all steps.
        ledger = ["--ledger", "fleet.sqlite"]
        self.assertEqual(self.rackproof("fleet", "add", "out", *ledger).returncode, 0)
        due = json.loads(self.rackproof("fleet", "due", "--json", *ledger).stdout)["hosts"]["due"]
        self.assertEqual([host["why"] for host in due], ["never-whole"])
        # What the run took is known now.
        timed = self.rackproof("plan", "out", "--minutes", "0.1", "--suite", "./whole.json", "--gpus", "0", "--faults",
                               "faults.json", "--json", XDG_STATE_HOME=str(self.folder / "state"))
        self.assertEqual(timed.returncode, 0, timed.stderr)
        plan = json.loads(timed.stdout)
        self.assertEqual(plan["steps"][0]["known_from"], "reports")


if __name__ == "__main__":
    support.main()
