"""rackproof launch over several hosts: a host is lost, the rest finish the run, and the report says so."""
import os
import pathlib
import signal
import unittest

import cases
from cases import step


def steps():
    return [step("ok"), step("slow", arguments=["--mode", "slow", "--seconds", "4"]), cases.all_reduce(64)]


class Launch(cases.Case):
    def launch(self, hosts, *arguments, **more):
        words = self.command(hosts, steps(), *arguments, **more)
        return self.start_on(hosts, [cases.support.RACKPROOF, "launch", "--", *words])

    def test_a_host_is_lost_and_the_rest_finish(self):
        hosts = self.hosts(3)
        process = self.launch(hosts)
        self.wait_for_step("slow", range(3))
        hosts["node2"].crash()
        code = process.wait(timeout=120)
        out, err = self.said()
        self.assertEqual(code, 4, err)
        self.assertIn("the job is lost with node2 (1 rank)", err)
        again = err[err.index("start 2 of 3"):].splitlines()[0]
        self.assertIn(" --host node1:1,node3:1 ", again)
        self.assertIn(" -n 2 ", again)
        self.assertTrue(again.endswith("run --resume out --without node2"), again)
        report = self.report()
        self.assertEqual(report["run"]["segments"], 2)
        self.assertTrue(report["run"]["completed"])
        self.assertEqual([f["subject"] for f in self.findings(report, "host-set-aside")], ["node2"])
        self.assertTrue(report["acceptance_reason"].startswith("node2 was set aside: rank 1 on node2"),
                        report["acceptance_reason"])
        self.assertEqual(self.outcomes(report, "ok"),
                         {"node1": "unjudged", "node2": "unjudged", "node3": "unjudged"})
        self.assertEqual(self.outcomes(report, "slow"),
                         {"node1": "unjudged", "node2": "untested", "node3": "unjudged"})
        worlds = {len(cell["subject"]["members"]): cell["verdict"] for cell in report["cells"]
                  if cell["step"] == "collectives"}
        self.assertEqual({size: verdict["outcome"] for size, verdict in worlds.items()},
                         {3: "untested", 2: "verified"})
        self.assertEqual(worlds[3]["reason_id"], "set-aside")
        # What was done is not done again.
        self.assertEqual(len([a for a in report["attempts"] if a["step"] == "ok"]), 3)
        self.assertIn("node2", out)
        # node1's last act of the first start may still wait for the journal of node2; nothing else is there.
        self.check_quiet(hosts, ["node3"])

    def test_a_run_that_nothing_befalls(self):
        hosts = self.hosts(2)
        self.assertEqual(self.launch(hosts).wait(timeout=90), 4, self.said())
        out, err = self.said()
        self.assertEqual(err.count("rackproof launch: start"), 1)
        self.assertEqual(out.count("report: "), 1)
        self.assertEqual(self.report()["run"]["segments"], 1)

    def test_term_is_passed_on_once(self):
        hosts = self.hosts(2)
        process = self.launch(hosts)
        self.wait_for_step("slow", range(2))
        # The program itself, not what entered the host for it.
        launch = [pid for pid in hosts["node1"].processes()
                  if b"launch" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")]
        self.assertEqual(len(launch), 1)
        os.kill(launch[0], signal.SIGTERM)
        self.assertEqual(process.wait(timeout=60), 130, self.said())
        report = self.assembled()
        self.assertEqual(report["acceptance"], "incomplete")
        self.assertEqual(self.said()[1].count("rackproof launch: start"), 1)
        self.check_quiet(hosts)

    def test_a_refused_run_is_not_tried_again(self):
        hosts = self.hosts(2)
        words = [*hosts.mpirun(), cases.support.RACKPROOF, "run", "--suite", "no-such-suite", "--out", "out"]
        process = self.start_on(hosts, [cases.support.RACKPROOF, "launch", "--", *words])
        self.assertEqual(process.wait(timeout=60), 2, self.said())
        self.assertEqual(self.said()[1].count("rackproof launch: start"), 1)


if __name__ == "__main__":
    cases.support.main()
