"""Whole racks, played: each scenario has the verdict that a real rack like it must get, and the summary begins with
what is bad."""
import fnmatch
import json
import unittest

import racks
import support


@unittest.skipUnless(support.HAS_MPIRUN, support.WITHOUT_MPIRUN)
@unittest.skipUnless(racks.SCRIPTED_BENCH.exists(), "the scripted bench is not built")
@unittest.skipUnless(racks.namespaces_work(), "this kernel gives no namespaces for hosts of their own")
class Racks(support.Case):
    """Everything runs but what runs inside the ranks: MPI would measure this machine."""

    def play(self, name):
        rack = racks.Rack(name, self.folder)
        done = rack.run()
        self.told = done.stdout[:6000] + done.stderr[-2000:]
        self.assertTrue((self.folder / "out" / "report.json").exists(), self.told)
        report = self.report()
        wanted = rack.scenario["expected"]
        self.assertEqual(report["acceptance"], wanted["acceptance"], self.told)
        self.assertEqual(done.returncode, wanted["exit_code"], self.told)
        self.assertEqual({r["state"] for r in report["ranks"]}, {"finished"})
        self.assertEqual(len(report["nodes"]), rack.scenario["layout"]["hosts"])
        self.assertEqual(report["platform_of_host"],
                         {node["host"]: self.table_of(rack, node["host"]) for node in report["nodes"]})
        # What is bad stands in the first paragraph, with the verdict.
        for words in wanted.get("named_first", []):
            self.assertIn(words, " ".join(done.stdout.split("\n\n")[0].split()), self.told)
        self.check_failed(report, wanted)
        self.check_findings(report, wanted)
        checked = self.rackproof("check", "out/report.json")
        self.assertEqual(checked.returncode, 0, checked.stdout[-2000:] + checked.stderr[-2000:])

    def table_of(self, rack, host):
        """The first pattern that fits, as for the numbers."""
        return next(table for pattern, table in rack.scenario["tables"].items()
                    if fnmatch.fnmatch(host, pattern))

    def check_failed(self, report, wanted):
        """Nothing but the bad part fails: each failed subject has all the words, and none is none."""
        words = wanted.get("only_failed_subjects")
        if words is None:
            return
        failed = [c["subject"] for c in report["cells"]
                  if c["verdict"]["outcome"] == "fail" and c["required"]]
        self.assertEqual(bool(failed), bool(words), failed[:3])
        for subject in failed:
            for word in words:
                self.assertIn(word, json.dumps(subject), self.told)

    def check_findings(self, report, wanted):
        found = {f["id"]: f for f in report["findings"]}
        for finding in wanted.get("findings", []):
            self.assertIn(finding, found, self.told)
        for finding in wanted.get("no_findings", []):
            self.assertNotIn(finding, found, self.told)
        for finding, subject in wanted.get("finding_subjects", {}).items():
            self.assertEqual(found[finding]["subject"], subject)


def add(name):
    setattr(Racks, "test_" + name.replace("-", "_"), lambda self: self.play(name))


for scenario in sorted(path.stem for path in racks.SCENARIOS.glob("*.json")):
    add(scenario)

if __name__ == "__main__":
    support.main()
