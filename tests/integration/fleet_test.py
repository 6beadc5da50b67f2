"""rackproof fleet: a ledger over the reports of several runs, in which a GPU moves to another host."""
import datetime
import json
import pathlib
import subprocess
import tempfile
import unittest

import browse
import support

GPU = "GPU-00000001-5a1d-4c3e-9f00-000000009e3779b1"
LEDGER = "fleet.sqlite"
HOSTILE = "</script><script>alert(1)</script>\"'<img src=x onerror=alert(1)>\u202e\\u003c${x}`\ufffe"


def judged():
    """A report of two GPUs of one host and ten metrics each."""
    with tempfile.TemporaryDirectory(prefix="rackproof-fleet-") as name:
        folder = pathlib.Path(name)
        made = subprocess.run([str(support.BUILD / "tests" / "perf" / "make_report"), "2", "1"],
                              stdout=subprocess.PIPE, check=True).stdout
        (folder / "raw.json").write_bytes(made)
        subprocess.run([str(support.RACKPROOF), "judge", folder / "raw.json", "--out", folder / "report.json"],
                       stdout=subprocess.DEVNULL, check=False, env=support.environment())
        return json.loads((folder / "report.json").read_text())


def days_ago(days):
    now = datetime.datetime.now(datetime.timezone.utc)
    return (now - datetime.timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%S.000Z")


class Fleet(support.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.report = judged()

    def setUp(self):
        super().setUp()
        self.first_cell = next(cell for cell in self.report["cells"] if cell["subject"]["device"] == GPU)["id"]
        self.night(0, 9, "accepted")
        self.night(1, 5, "rejected", host="node7", change=self.fails)
        self.night(2, 1, "accepted", host="node7", change=self.waive)

    def night(self, number, days, acceptance, host="node00000", change=lambda report, cell: None):
        """A run `days` ago in which every cell passes, on `host`."""
        report = json.loads(json.dumps(self.report).replace("node00000", json.dumps(host)[1:-1]))
        report["run"].update(id=f"night{number}", began_utc=days_ago(days), ended_utc=days_ago(days),
                             labels={"rack": "rack7"})
        report["acceptance"] = acceptance
        report["nodes"][0]["devices"][1]["facts"]["gpu.serial"] = {"source": "NVML", "value": "16532"}
        for cell in report["cells"]:
            cell["verdict"].update(outcome="pass", reason_id="within-limit", reason="", limit_low=1e12, observed=2e12)
            if cell["id"] == self.first_cell.replace("node00000", host):
                change(report, cell)
        path = self.folder / "nights" / f"{number}" / "report.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(report))
        return path

    @staticmethod
    def fails(_report, cell):
        cell["verdict"].update(outcome="fail", reason_id="below-limit", reason="only half of it", observed=5e11)

    @staticmethod
    def waive(report, cell):
        cell["verdict"].update(outcome="waived", reason_id="waived-by-site", reason="waived until 2999-12-31 by J. Doe")
        report["run"]["waivers"] = [{"step": "*", "metric": cell["metric"], "parameters": {}, "subject": "*",
                                     "reason": "the fan is replaced", "until": "2999-12-31", "approved_by": "J. Doe",
                                     "ticket": "OPS-17"}]

    def fleet(self, *arguments, code=0):
        done = self.rackproof("fleet", *arguments, "--ledger", LEDGER)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def asked(self, *arguments):
        return json.loads(self.fleet(*arguments, "--json").stdout)

    def add(self):
        self.assertIn("3 reports added", self.fleet("add", "nights").stdout)

    def test_a_gpu_that_moved_is_one_part_with_all_that_befell_it(self):
        self.add()
        for name in (GPU, "16532", "node7 GPU 1", "node7/1", f"node00000/{GPU}"):
            parts = self.asked("show", name)["parts"]
            self.assertEqual([part["id"] for part in parts], [GPU], name)
        part = parts[0]
        self.assertEqual([place["host"] for place in part["places"]], ["node00000", "node7"])
        self.assertEqual([place["runs"] for place in part["places"]], [1, 2])
        self.assertEqual([run["outcome"] for run in part["runs"]], ["waived", "fail", "pass"])
        self.assertEqual([failure["reason"] for failure in part["failures"]], ["only half of it"])
        self.assertAlmostEqual(part["failures"][0]["shortfall"], 0.5)
        self.assertEqual(part["failures"][0]["run"]["report"], str(self.folder / "nights" / "1" / "report.json"))
        self.assertEqual([(w["approved_by"], w["until"], w["ticket"]) for w in part["waivers"]],
                         [("J. Doe", "2999-12-31", "OPS-17")])
        self.assertEqual(len(part["values"]), 10)
        self.assertTrue(all(value["run"]["run"] == "night2" and value["limit_low"] == 1e12 for value in part["values"]))
        text = self.fleet("show", "node7").stdout
        self.assertIn("node7 GPU 1", text)
        self.assertIn(GPU, text)

    def test_the_fleet_is_asked_for_the_worst_for_what_is_due_and_for_failures(self):
        self.add()
        worst = self.asked("worst")["parts"]
        self.assertEqual([(part["id"], part["failed_runs"], part["runs"]) for part in worst], [(GPU, 1, 3)])
        self.assertIn("only half of it", self.fleet("worst").stdout)
        self.assertEqual(self.asked("worst", "--since", "2d")["parts"], [])
        due = self.asked("due", "--older-than", "3d")["hosts"]
        self.assertEqual((due["known"], [(host["host"], host["why"]) for host in due["due"]]),
                         (2, [("node00000", "too-old")]))
        self.fleet("due", "--older-than", "3d", "--exit-code", code=4)
        self.fleet("due", "--older-than", "30d", "--exit-code")
        failures = self.asked("failures", "--since", "30d")["failures"]
        self.assertEqual((failures["runs"], failures["rejected"]), (3, 1))
        self.assertEqual([(group["kind"], group["id"], group["count"]) for group in failures["groups"]],
                         [("gpu", "below-limit", 1)])
        for words in (("worst", "--since", "soon"), ("due", "--older-than", "30"), ("worst", "node7"), ("show",),
                      ("add",), ("show", GPU, "--rebuild"), ("due", "--since", "3d"), ("worst", "--top", "0")):
            done = self.fleet(*words, code=2)
            self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1), words)

    def test_what_cannot_be_read_is_named_and_nothing_is_added_twice(self):
        broken = self.folder / "nights" / "1" / "report.json"
        whole = broken.read_text()
        broken.write_text(whole[:-100])
        done = self.fleet("add", "nights", code=2)
        self.assertIn("2 reports added, 0 known already, 1 left out; 2 reports in fleet.sqlite", done.stdout)
        self.assertIn("nights/1/report.json", done.stderr)
        broken.write_text(whole)
        done = self.fleet("add", "nights", "nights/0/report.json")
        self.assertIn("1 report added, 3 known already, 0 left out; 3 reports", done.stdout)

    def test_an_unknown_part_is_told_with_one_that_is_near(self):
        self.add()
        self.assertIn("did you mean 'node7 GPU 1'?", self.fleet("show", "node7 GPU1", code=2).stderr)
        done = self.rackproof("fleet", "worst", "--ledger", "nowhere.sqlite")
        self.assertEqual(done.returncode, 2)
        self.assertIn("rackproof fleet add", done.stderr)

    def answers(self):
        return [self.asked(*words) for words in (("show", GPU), ("show", "node7"), ("show", "node00000"), ("worst",),
                                                 ("due", "--older-than", "3d"), ("failures",))]

    def test_a_ledger_that_is_rebuilt_gives_the_same_answers(self):
        for night in (2, 0, 1):
            self.fleet("add", f"nights/{night}")
        before = self.answers()
        ledger = self.folder / LEDGER
        ledger.write_bytes(ledger.read_bytes()[:8192])
        self.assertIn("--rebuild", self.fleet("show", GPU, code=2).stderr)
        self.fleet("add", "--rebuild", "nights")
        self.assertEqual(self.answers(), before)
        (self.folder / "broken.json").write_text("{")
        done = self.fleet("add", "--rebuild", "broken.json", code=2)
        self.assertEqual(done.stdout, "")
        self.assertIn("the ledger is as it was", done.stderr)
        self.assertEqual(self.answers(), before)
        ledger.unlink()
        self.add()
        self.assertEqual(self.answers(), before)
        self.assertEqual([path.name for path in self.folder.glob("fleet*")], [LEDGER])

    def page(self, *words):
        self.fleet("page", "-o", "pages/fleet.html", *words)
        return (self.folder / "pages" / "fleet.html").read_text()

    def test_the_page_of_the_fleet_leads_to_the_reports(self):
        self.add()
        (self.folder / "pages").mkdir()
        (self.folder / "nights" / "1" / "report.html").write_text("a page of its own")
        text = self.page()
        self.assertIn("1 rack accepted</h1>", text)
        self.assertIn('href="../nights/2/report.json"', text)
        self.assertIn('href="../nights/1/report.html"', text)
        for words in ("last failed", "moved node00000 GPU 1 → node7 GPU 1", "J. Doe", "OPS-17", "2999-12-31",
                      "3 runs, 2 accepted, 1 rejected", "passes now</span> node7 GPU 1"):
            self.assertIn(words, text)
        (self.folder / "nights" / "2" / "report.json").unlink()
        self.assertNotIn("nights/2/", self.page())
        self.assertIn("1 run since ", self.page("--since", days_ago(3)[:10]))
        printed = self.fleet("page").stdout
        self.assertIn(f'href="file://{self.folder}/nights/0/report.json"', printed)
        for words in (("page", "--json"), ("page", "nights"), ("worst", "-o", "x.html"), ("page", "--top", "3")):
            done = self.fleet(*words, code=2)
            self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1), words)
        done = self.fleet("page", "-o", "nowhere/fleet.html", code=2)
        self.assertIn("nowhere", done.stderr)

    @staticmethod
    def poison(report, host):
        """Hostile text wherever the ledger keeps some that a report is free to say."""
        report["run"]["id"] += HOSTILE
        report["suite"]["id"] += HOSTILE
        for severity in ("warning", "isolate"):
            report["findings"].append({"id": HOSTILE, "severity": severity, "subject": f"{host} GPU 0", "text": HOSTILE,
                                       "step": HOSTILE, "evidence": {}})
        for device in report["nodes"][0]["devices"]:
            device["facts"]["gpu.serial"] = {"source": HOSTILE, "value": HOSTILE}
            device["facts"]["gpu.pci_address"] = {"source": HOSTILE, "value": HOSTILE}
        for cell in report["cells"]:
            cell["parameters"][HOSTILE] = HOSTILE
            cell["step"] += HOSTILE

    @unittest.skipUnless(browse.HAS_BROWSER, browse.WHY_NOT)
    def test_the_page_of_a_fleet_in_a_browser(self):
        """Ten racks, one of which has hostile names and fails."""
        for number in range(10):
            bad = number == 3
            rack = HOSTILE if bad else f"rack-{number}"
            host = "evil" + HOSTILE if bad else f"host{number}"
            for night in range(3):
                def change(report, cell, fails=bad or (number == 7 and night == 0)):
                    if fails:
                        self.fails(report, cell)
                        cell["verdict"]["reason"] += HOSTILE
                    elif night == 2:
                        self.waive(report, cell)
                        report["run"]["waivers"][0]["approved_by"] = HOSTILE
                rejected = bad or (number == 7 and night == 0)
                path = self.night(100 + 10 * number + night, 3 - night, "rejected" if rejected else "accepted",
                                  host=host, change=change)
                report = json.loads(path.read_text())
                report["run"]["labels"]["rack"] = rack
                if bad:
                    self.poison(report, host)
                text = json.dumps(report).replace(GPU, f"GPU-{number}-1").replace("GPU-00000000-", f"GPU-{number}-0-")
                path.write_text(text)
        for night in range(3):
            (self.folder / "nights" / f"{night}" / "report.json").unlink()
        self.fleet("add", "nights")
        self.fleet("page", "-o", "fleet.html")
        seen = browse.use("fleet.mjs", self.folder / "fleet.html", "rack-7")
        for name in ("problems", "requests", "axe"):
            self.assertEqual(seen[name], [], name)
        self.assertFalse(seen["foreign_ran"])
        self.assertLessEqual(max(seen["overflow"].values()), 0, "wider than the window")
        self.assertGreater(seen["paper_bytes"], 10000)
        self.assertEqual((seen["still"]["problems"], seen["still"]["heading"]), ([], "✗ 1 of 10 racks rejected"))
        self.assertEqual((len(seen["all"]), len(seen["still"]["racks"]), seen["status"]),
                         (10, 10, "10 of 10 racks and suites"))
        self.assertIn("<script>alert(1)</script>", seen["all"][0])
        self.assertEqual(seen["worstFirst"], seen["all"])
        self.assertEqual(seen["searched"], ["rack-7"])
        self.assertEqual(seen["rejected"], seen["all"][:1])
        self.assertEqual(seen["byName"][-2:], ["rack-8", "rack-9"])
        self.assertNotEqual(seen["parts"]["up"], seen["parts"]["down"])
        self.assertIn("failed", seen["sorted"])
        reports = {link for link in seen["links"] if not link.startswith("#")}
        self.assertEqual(len(reports), 30)
        for link in reports:
            self.assertTrue((self.folder / link).is_file(), link)

    def test_many_that_add_at_once_get_in_nobodys_way(self):
        for night in range(3, 9):
            self.night(night, 1, "accepted")
        command = [str(support.RACKPROOF), "fleet", "add", "nights", "--ledger", LEDGER]
        started = [subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                    env=support.environment(TESTED_IN=str(self.folder))) for _ in range(4)]
        for process in started:
            out, err = process.communicate(timeout=120)
            self.assertEqual((process.returncode, err), (0, ""), out)
            self.assertIn("9 reports in fleet.sqlite", out)
        self.assertEqual(len(self.asked("show", GPU)["parts"][0]["runs"]), 9)

    def test_without_a_file_named_it_is_in_the_state_folder_of_the_user(self):
        state = {"XDG_STATE_HOME": str(self.folder / "state")}
        run = lambda *words: subprocess.run([str(support.RACKPROOF), "fleet", *words], cwd=self.folder, text=True,
                                            capture_output=True, env=support.environment(**state))
        self.assertEqual(run("add", "nights").returncode, 0)
        ledger = self.folder / "state" / "rackproof" / "fleet.sqlite"
        self.assertEqual(ledger.stat().st_mode & 0o777, 0o600)
        self.assertIn(GPU, run("show", "16532").stdout)


if __name__ == "__main__":
    support.main()
