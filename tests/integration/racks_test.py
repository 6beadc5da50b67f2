"""Whole racks, played: each scenario has the verdict that a real rack like it must get, and the summary begins with
what is bad."""
import fnmatch
import json
import os
import unittest

import racks
import support


# RACKPROOF_SEEDS=100 plays more of them.
SEEDS = int(os.environ.get("RACKPROOF_SEEDS", "3"))


class Plays(support.Case):
    """Everything runs but what runs inside the ranks: MPI would measure this machine."""

    def play(self, name):
        rack = racks.Rack(name, self.folder)
        done = rack.run()
        self.told = done.stdout[:6000] + done.stderr[-2000:]
        self.assertTrue(list((self.folder / "out").glob("report.json*")), self.told)
        report = self.report()
        wanted = rack.scenario["expected"]
        self.assertEqual(report["acceptance"], wanted["acceptance"], self.told)
        self.assertEqual(done.returncode, wanted["exit_code"], self.told)
        self.assertEqual({r["state"] for r in report["ranks"]}, {"finished"})
        self.assertEqual(len(report["nodes"]), rack.scenario["layout"]["hosts"])
        self.assertEqual(report["platform_of_host"],
                         {node["host"]: self.table_of(rack, node["host"]) for node in report["nodes"]})
        # What is bad stands in the verdict.
        for words in wanted.get("named_first", []):
            self.assertIn(words, support.verdict_of(done.stdout), self.told)
        self.check_failed(report, wanted)
        self.check_findings(report, wanted)
        checked = self.rackproof("check", "out/report.json")
        self.assertEqual(checked.returncode, 0, checked.stdout[-2000:] + checked.stderr[-2000:])
        racks.keep(name, self.folder / "out")

    def play_healthy(self, name, **how):
        """No part fails, whatever a seed draws, and all is accepted, but what no limit holds."""
        factors = [{"factor": 1}]
        done = racks.Rack(name, self.folder, factors=factors, **how).run()
        self.told = f"exit code {done.returncode}\n" + done.stdout[:6000] + done.stderr[-2000:]
        self.assertTrue(list((self.folder / "out").glob("report.json*")), self.told)
        report = self.report()
        unlimited = UNLIMITED.get(name, set())
        wanted = ("verified", 7) if unlimited else ("accepted", 0)
        self.assertEqual((report["acceptance"], done.returncode), wanted, self.told)
        unheld = {c["id"] for c in report["judged_claims"] if c["held"] < c["places"]}
        self.assertEqual(unheld, unlimited, self.told)
        self.assertEqual([c["verdict"]["reason"] for c in report["cells"] if c["verdict"]["outcome"] == "fail"], [],
                         self.told)
        self.assertGreater(sum(c["verdict"]["outcome"] == "pass" for c in report["cells"]), 100, self.told)

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


def can_play(cases):
    for needed, otherwise in ((support.HAS_MPIRUN, support.WITHOUT_MPIRUN),
                              (racks.SCRIPTED_BENCH.exists(), "the scripted bench is not built"),
                              (racks.namespaces_work(), "this kernel gives no namespaces for hosts of their own")):
        cases = unittest.skipUnless(needed, otherwise)(cases)
    return cases


@can_play
class Hosts(Plays):
    """A few hosts."""


@can_play
class Racks(Plays):
    """As many ranks as a whole rack has: they are busy on more than one processor."""


# From so many ranks on a play is one of a whole rack.
RANKS_OF_A_RACK = 16


def add(name):
    layout = racks.read_json(racks.SCENARIOS / f"{name}.json")["layout"]
    cases = Racks if layout["hosts"] * layout["ranks_per_host"] >= RANKS_OF_A_RACK else Hosts
    setattr(cases, "test_" + name.replace("-", "_"), lambda self: self.play(name))


# What the published figures of healthy racks leave open is drawn anew by each seed; the noise has any shape.
TAILS = {"shape": "heavy-tails"}
SPIKES = {"spikes": [{"program": "*-nccl", "share": 0.02}]}
PARTS = {"part_spread": 0.01}
# Nobody tells which of eight boards a bridge of NVLink joins.
UNLIMITED = {"h200-nvl": {"nccl-node"}}
HEALTHY = {"dgx-h100": ({}, (TAILS, SPIKES, PARTS)),
           "hgx-h200-noisy": ({"noise": 0.01}, (TAILS, SPIKES, PARTS)),
           "h200-nvl": ({}, (TAILS, SPIKES, PARTS)),
           # Not with spikes: they are all of the 99th percentile of a group, and those of four hosts then fall into two
           # kinds.
           "azure": ({"rack": "hgx-h200-noisy", "suite": "fabric", "table": "azure-nd-h200-v5", "noise": 0.01},
                     (TAILS, PARTS))}


def add_healthy(name, seed):
    how, shapes = HEALTHY[name]
    how = {**how, **shapes[seed % len(shapes)]}
    setattr(Hosts, f"test_{name.replace('-', '_')}_is_healthy_by_seed_{seed}",
            lambda self: self.play_healthy(how.get("rack", name), seed=seed,
                                           **{key: how[key] for key in how if key != "rack"}))


for healthy in HEALTHY:
    for number in range(SEEDS):
        add_healthy(healthy, number)
for scenario in sorted(path.stem for path in racks.SCENARIOS.glob("*.json")):
    add(scenario)

support.share(Hosts)
# The page is tried on this one (page_test.py).
support.share(Racks, always=("test_gb200_nvl72_bad_link",))

if __name__ == "__main__":
    support.main()
