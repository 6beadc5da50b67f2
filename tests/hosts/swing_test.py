"""A load that swings on four hosts whose clocks are 300 ms ahead and behind: by their own clocks they are out of step, aligned
over the wire they are in step, and with phases spread they are not."""
import json

import cases

PROGRAM = cases.support.STAGE / "libexec" / "rackproof" / "swing-host"
FREQUENCY = "1"
# Between reading the wall clock and the clock that goes on ticking a rank may have been held up.
READ = 0.005
TRIES = 5


class Swing(cases.Case):
    def setUp(self):
        super().setUp()
        self.made = self.hosts(4)

    def swing(self, name, *arguments):
        words = [*self.made.mpirun(), PROGRAM, "--json", "--frequencies", FREQUENCY, "--seconds", "5", "--plant",
                 "clock:1:300,clock:2:-300", *arguments]
        process = self.start_on(self.made, words, name)
        self.assertEqual(process.wait(timeout=120), 0, self.said(name))
        records = [json.loads(line) for line in self.said(name)[0].splitlines() if line.startswith("{")]
        checks = [record for record in records if record["kind"] == "check"]
        self.assertTrue(checks and all(check["passed"] and check["compared"] > 0 for check in checks), checks)
        return records

    @staticmethod
    def value(records, metric, **parameters):
        found = [record["value"] for record in records if record["kind"] == "metric" and record["name"] == metric
                 and parameters.items() <= record["parameters"].items()]
        return found[0] if len(found) == 1 else None

    def test_hosts_whose_clocks_differ_are_in_step_once_aligned(self):
        own = self.swing("own", "--clocks", "own", "--phases", "in-phase")
        # Some hundred milliseconds apart, whatever a rank was kept waiting for besides.
        self.assertGreater(self.value(own, "swing.skew", edge="rise"), 0.4)
        self.assertLess(self.value(own, "swing.coherence", of="load"), 0.6)
        for attempt in range(TRIES):
            records = self.swing(f"aligned{attempt}")
            coherence = self.value(records, "swing.coherence", of="load")
            spread = self.value(records, "swing.spread_coherence", of="load")
            if coherence >= 0.99 and spread <= 0.3:
                break
        self.assertGreaterEqual(coherence, 0.99)
        self.assertLessEqual(spread, 0.3)
        self.assertLess(self.value(records, "swing.skew", edge="rise"), 0.1)
        clocks = next(record["facts"] for record in records if record["kind"] == "note" and "ahead" in record["facts"])
        self.assertEqual((clocks["ahead_rank"], clocks["behind_rank"]), (1, 2))
        self.assertLessEqual(abs(clocks["apart"] - 0.6), clocks["bound"] + 2 * READ)
        names = {record["text"].split(" is rank ")[1].split(",")[0].split(" on ")[1] for record in records
                 if record["kind"] == "note" and "farthest off is rank" in record["text"]}
        self.assertTrue(names <= {"node1", "node2", "node3", "node4"}, names)
        self.check_quiet(self.made)


if __name__ == "__main__":
    cases.support.main()
