"""Hosts that are lost in the middle of a step: the run ends by its deadline, names them, and keeps the rest."""
import time
import unittest

import cases
from cases import step

DEADLINE = 20
# What detection may take beyond the step's deadline.
LATE = 10
IN_RANK = 8
# Messages between ranks on ports that a rule can name, apart from the launcher's own.
PORTS = ["--mca", "btl_tcp_port_min_v4", "20000", "--mca", "btl_tcp_port_range_v4", "1000"]


def slow_step():
    return step("slow", arguments=["--mode", "slow", "--seconds", "8"], deadline=f"{DEADLINE} s")


def after():
    return step("after", arguments=["--mode", "ok"], expect=[{"metric": "fake.rate", "parameters": {"mode": "ok"}}])


class Scenario:
    """One run over hosts of its own, from the begin of its second step to the launcher's end."""

    def __init__(self, case, name, count, provoke, lost, middle=None):
        self.case, self.name, self.provoke, self.lost = case, name, provoke, lost
        self.hosts = case.hosts(count, name=f"hosts-{name}")
        self.middle = middle or slow_step()
        command = case.command(self.hosts, [step("ok"), self.middle, after()], out=name, keepalive=False)
        self.process = case.start_on(self.hosts, [*command[:1], *PORTS, *command[1:]], name)
        self.report_after = self.exit_after = None

    def begin(self):
        self.case.wait_for_step(self.middle["id"], range(len(self.hosts.hosts)), out=self.name)
        self.began = time.monotonic()
        self.provoke(self.hosts)

    def watch(self):
        """Notes when the report and the launcher's end come."""
        report = self.case.folder / self.name / "report.json"
        if self.report_after is None and report.exists():
            self.report_after = time.monotonic() - self.began
        if self.exit_after is None and self.process.poll() is not None:
            self.exit_after = time.monotonic() - self.began
        return self.report_after is not None


def partition(hosts):
    """node1 and node2 on one side, node3 and node4 on the other."""
    for name in ("node3", "node4"):
        hosts.drop(name, "ip saddr { 10.77.0.1, 10.77.0.2 } drop")
    for name in ("node1", "node2"):
        hosts.drop(name, "ip saddr { 10.77.0.3, 10.77.0.4 } drop")


class Loss(cases.Case):
    def test_N1_N5_partition_cut_link_and_frozen_host(self):
        """At once, since each is a matter of waiting: three runs over eleven hosts."""
        scenarios = [
            Scenario(self, "partition", 4, partition, {"node3", "node4"}),
            Scenario(self, "cut", 3, lambda hosts: hosts.cut("node3"), {"node3"}),
            Scenario(self, "frozen", 3, lambda hosts: hosts["node2"].freeze(), {"node2"}),
        ]
        self.follow(scenarios)
        for scenario in scenarios:
            with self.subTest(scenario.name):
                self.check(scenario)

    def test_N6_N7_frames_that_vanish_and_connections_that_are_reset(self):
        """In the middle of a bench inside the ranks, which nobody can ask anything then."""
        def resets(hosts):
            hosts.drop("node3", "tcp dport 20000-20999 reject with tcp reset")
            hosts.drop("node3", "tcp sport 20000-20999 reject with tcp reset")

        endless = cases.all_reduce(65536, deadline=f"{IN_RANK} s")
        endless["arguments"][-1] = "600"
        scenarios = [Scenario(self, "mtu", 3, lambda hosts: hosts.limit_frames("node3", 600), None, endless),
                     Scenario(self, "reset", 3, resets, None, endless)]
        self.follow(scenarios)
        for scenario in scenarios:
            with self.subTest(scenario.name):
                report = self.told_by(scenario)
                self.assertLess(scenario.report_after, IN_RANK + LATE)
                self.assertEqual(set(self.outcomes(report, "ok").values()), {"unjudged"})
                for later in ("collectives", "after"):
                    self.assertEqual(set(self.outcomes(report, later).values()), {"untested"})

    def follow(self, scenarios):
        for scenario in scenarios:
            scenario.begin()
        self.wait_for(lambda: all([scenario.watch() for scenario in scenarios]), seconds=120, what="the reports")
        # The launcher's end is said, not demanded: without keepalive it does not notice a host that is gone.
        until = time.monotonic() + 12
        while time.monotonic() < until and not all(s.watch() and s.exit_after for s in scenarios):
            time.sleep(0.05)

    def told_by(self, scenario):
        report = self.report(scenario.name)
        print(f"{scenario.name}: report {scenario.report_after:.1f} s after the fault, launcher "
              f"{'still there' if scenario.exit_after is None else f'ended after {scenario.exit_after:.1f} s'}",
              flush=True)
        self.assertEqual(report["acceptance"], "incomplete", self.said(scenario.name))
        return report

    def check(self, scenario):
        report = self.told_by(scenario)
        told = self.said(scenario.name)
        self.assertLess(scenario.report_after, DEADLINE + LATE)
        lost = self.findings(report, "rank-lost")
        self.assertEqual({finding["evidence"]["host"] for finding in lost if finding["severity"] == "error"},
                         scenario.lost, lost)
        self.assertEqual({rank["host"] for rank in report["ranks"] if rank["state"] == "lost"}, scenario.lost)
        for name in scenario.hosts.hosts:
            with self.subTest(scenario.name, host=name):
                self.assertEqual(self.outcomes(report, "ok")[name], "unjudged")
                for later in ("slow", "after"):
                    wanted = "untested" if name in scenario.lost else "unjudged"
                    if later == "slow" and name in scenario.lost:
                        continue  # measured on a host that runs on alone, where rank 0 can read its journal
                    self.assertEqual(self.outcomes(report, later)[name], wanted)
        for name in scenario.lost:
            self.assertIn(name, told[0])


if __name__ == "__main__":
    cases.support.main()
