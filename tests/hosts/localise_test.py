"""Eight hosts at four leaves: a slow adapter, a slow leaf and a lossy pair are each named as that, where they are
connected, after a few rounds of pairs."""
import statistics

import cases

HOSTS = 8
SIZE = 8 * 1024
# All wires are shaped, far below what this machine can move: what one pair takes does not depend on the others.
HEALTHY = "40mbit"
SICK = "20mbit"
# What names a part, and what keeps a name from being whole.
TOLD = ("localised", "topology-gap", "inventory-failed", "rank-lost")


def leaf_of(number):
    return f"leaf{(number + 1) // 2}"


@cases.support.share
class Localise(cases.Case):
    # What is planted is a quarter at least; less than that shows of the host on which the launcher works, too.
    # Who is accused is measured again: what else ran on this machine for a moment is not seen twice.
    suite_fields = {"judge": {"disturbed": "ignore", "peer_effect": 0.15, "peer_margin": 0.2, "peer_outlier": "fail",
                              "peer_confirmations": 2}}

    def setUp(self):
        super().setUp()
        self.made = self.hosts(HOSTS)
        for name in self.made.hosts:
            self.made.throttle(name, HEALTHY)
        rows = [f"node{i},eth0,{leaf_of(i)},{10 + i},CABLE{i}" for i in range(1, HOSTS + 1)]
        self.topology = self.write("fabric.csv", "\n".join(["host,nic,leaf,leaf_port,cable_serial", *rows, ""]))

    def localised(self, rounds):
        """The findings of a run of so many rounds; of all where it is 0."""
        step = cases.matrix(SIZE, deadline="120 s", **({"rounds": rounds} if rounds else {}))
        code = self.run_on(self.made, [step], "--topology", self.topology, timeout=240)
        self.assertIn(code, (3, 4, 7), self.said())
        report = self.report()
        played = {tuple(sorted((cell["subject"]["host"], cell["subject"]["peer_host"]))) for cell in report["cells"]}
        self.assertEqual(len(played), (rounds or HOSTS - 1) * HOSTS // 2)
        for cell in report["cells"]:
            self.assertTrue(cell["measurements"], cell["verdict"])
        speeds = [statistics.median(m["samples"]) for cell in report["cells"] for m in cell["measurements"]]
        seen = [finding for finding in report["findings"] if finding["id"] in TOLD]
        self.note = f"{min(speeds):.3g} to {max(speeds):.3g} B/s: {seen}"
        return [one for one in self.findings(report, "localised") if one["severity"] != "info"]

    def test_a_healthy_fabric_accuses_nobody(self):
        self.assertEqual(self.localised(5), [], self.note)

    def test_a_slow_adapter_is_named_with_its_port_and_cable_and_confirmed(self):
        self.made.throttle("node3", SICK)
        found = self.localised(5)
        self.assertEqual([finding["subject"] for finding in found], ["node3"], self.note)
        self.assertIn("host node3 or node3 NIC eth0 (NIC eth0, leaf2 port 13, cable CABLE3)", found[0]["text"])
        self.assertGreater(found[0]["evidence"]["deficit"], 0.3)
        self.assertEqual(found[0]["evidence"]["leaf_port"], "13")
        self.assertEqual((found[0]["severity"], found[0]["evidence"]["confirmed"], found[0]["evidence"]["times_again"]),
                         ("error", True, 2))
        self.assertIn("; measured again 2 times: ", found[0]["text"])

    def test_a_slow_leaf_is_named_and_none_of_its_hosts(self):
        for i in range(1, HOSTS + 1):
            if leaf_of(i) == "leaf2":
                self.made.throttle(f"node{i}", SICK)
        found = self.localised(5)
        self.assertEqual([finding["subject"] for finding in found], ["leaf leaf2"], self.note)

    def test_a_lossy_pair_is_named_as_a_link(self):
        # Between the two alone, both ways. Of fewer TCP makes up for, now and then.
        for one, other in ((2, 7), (7, 2)):
            self.made.drop(f"node{one}", f"ip saddr 10.77.0.{other} numgen inc mod 4 < 1 counter drop")
        found = self.localised(0)
        self.assertEqual(len(found), 1, self.note)
        self.assertEqual(found[0]["subject"], "link node2 NIC eth0 - node7 NIC eth0", self.note)
        self.assertIn("no part at either end explains it", found[0]["text"])


if __name__ == "__main__":
    cases.support.main()
