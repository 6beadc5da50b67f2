"""swing-host as a user has it, under a launcher: what it refuses, clocks that differ, planted faults that it names.

No result here depends on how fast the machine is or on what else runs: bounds are held against the shifts that were
planted, and everything else that is compared is true whatever a rank was kept waiting for."""
import contextlib
import json
import os
import subprocess
import threading
import time
import xml.etree.ElementTree

import support

PROGRAM = support.STAGE / "libexec" / "rackproof" / "swing-host"
USAGE, WRONG_ANSWER, DEVICE = 2, 4, 5
SHORT = ("--frequencies", "5", "--seconds", "0.6", "--exchanges", "50")
# Between reading the wall clock and the clock that goes on ticking a rank may have been held up, in each of a hundred tries.
READ = 0.005


@contextlib.contextmanager
def machine(folder, watts):
    """The kernel's files of a machine with one processor package, which draws so much all the time."""
    zone = folder / "sys" / "class" / "powercap" / "intel-rapl:0"
    zone.mkdir(parents=True)
    for name, text in (("name", "package-0"), ("max_energy_range_uj", "1" + 14 * "0"), ("energy_uj", 15 * "0"),
                       ("constraint_0_name", "long_term"), ("constraint_0_power_limit_uw", "500000000")):
        (zone / name).write_text(text + "\n")
    throttled = folder / "sys" / "devices" / "system" / "cpu" / "cpu0" / "thermal_throttle" / "core_throttle_count"
    throttled.parent.mkdir(parents=True)
    throttled.write_text("7\n")
    over = threading.Event()

    def draw():
        start = time.monotonic()
        # Always as many digits, written over the old ones: no reader finds a part of a number.
        with open(zone / "energy_uj", "r+b", buffering=0) as energy:
            while not over.wait(0.002):
                os.pwrite(energy.fileno(), b"%015d" % int((time.monotonic() - start) * watts * 1e6), 0)

    drawing = threading.Thread(target=draw)
    drawing.start()
    try:
        yield folder
    finally:
        over.set()
        drawing.join()


class Swing(support.Case):
    def setUp(self):
        super().setUp()
        if not PROGRAM.exists() or not support.HAS_MPIRUN:
            self.skipTest(support.WITHOUT_MPIRUN)

    def swing(self, ranks, *arguments):
        return subprocess.run([*support.MPIRUN, "-n", str(ranks), str(PROGRAM), *map(str, arguments)], text=True,
                              capture_output=True, timeout=300, cwd=self.folder, stdin=subprocess.DEVNULL,
                              env=support.environment())

    def records(self, ranks, *arguments):
        done = self.swing(ranks, "--json", *arguments)
        return done, [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]

    def refuse(self, ranks, arguments, *words):
        done = self.swing(ranks, *arguments)
        self.assertEqual(done.returncode, USAGE, done.stderr)
        lines = [line for line in done.stderr.splitlines() if line.startswith("swing-host: ")]
        self.assertEqual(len(lines), 1, done.stderr)
        for word in words:
            self.assertIn(word, lines[0])

    @staticmethod
    def facts(records, name):
        return [record["facts"] for record in records if record["kind"] == "note" and name in record.get("facts", {})]

    @staticmethod
    def metrics(records, name):
        return [record for record in records if record["kind"] == "metric" and record["name"] == name]

    def test_refusals(self):
        self.refuse(1, SHORT, "at least 2 ranks")
        self.refuse(2, ("--frequencies", "0.2,100"), "--frequencies 100", "from 0.01 to 50")
        self.refuse(2, (*SHORT, "--plant", "late:2:5"), "--plant late:2:5", "a rank below 2")
        self.refuse(2, (*SHORT, "--plant", "brake:1"), "--plant brake:1", "expected clock:RANK")
        self.refuse(2, (*SHORT, "--page", "none/page.html"), "--page none/page.html", "cannot be written")
        self.refuse(2, (*SHORT, "--clocks", "own", "--plant", "clock:1:60000"), "60 s apart", "at most 5 s")

    def test_four_ranks_with_clocks_apart_are_aligned_within_the_bound(self):
        done, records = self.records(4, *SHORT, "--plant", "clock:1:300,clock:2:-300")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(records[0]["fault_injected"], "clock:1:300,clock:2:-300")
        clocks = self.facts(records, "ahead_rank")[0]
        self.assertEqual((clocks["ahead_rank"], clocks["behind_rank"]), (1, 2))
        self.assertLessEqual(abs(clocks["ahead"] - 0.3), clocks["bound"] + READ)
        self.assertLessEqual(abs(clocks["behind"] + 0.3), clocks["bound"] + READ)
        checks = {record["name"]: record for record in records if record["kind"] == "check"}
        self.assertEqual(set(checks), {"swing.clocks", "swing.in_phase.5", "swing.spread.5"})
        for check in checks.values():
            self.assertTrue(check["passed"] and check["compared"] > 0, check)
        # Three ranks are asked before the run, and before and after each of the two runs.
        self.assertEqual(checks["swing.clocks"]["compared"], 50 * 3 * (1 + 2 * 2))
        self.assertEqual(len(self.metrics(records, "swing.skew_p99")), 2)
        self.assertTrue(self.metrics(records, "swing.coherence"))
        self.assertTrue(self.metrics(records, "swing.spread_coherence"))

    def test_a_page_draws_each_run(self):
        done = self.swing(2, *SHORT, "--ramp", "0.2", "--page", "page.html")
        self.assertEqual(done.returncode, 0, done.stderr)
        page = xml.etree.ElementTree.parse(self.folder / "page.html").getroot()
        of = "{http://www.w3.org/1999/xhtml}"
        self.assertEqual([title.text for title in page.iter(of + "h2")],
                         ["5 Hz in phase, round 1", "5 Hz with phases spread, round 1", "ramp of 0.2 s, round 1"])
        self.assertEqual(len(list(page.iter(of + "svg"))), 3)
        self.assertGreaterEqual(len(list(page.iter(of + "polyline"))), 3)
        # What is planted is refused by nobody who reads a page: it says so.
        done = self.swing(2, *SHORT, "--plant", "throttle:1", "--phases", "in-phase", "--page", "planted.html")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("test-only faults: throttle:1", (self.folder / "planted.html").read_text())

    def test_by_their_own_clocks_ranks_are_as_far_apart_as_these_are(self):
        done, records = self.records(2, "--frequencies", "1", "--seconds", "6", "--phases", "in-phase", "--clocks", "own",
                                     "--plant", "clock:1:-300")
        self.assertEqual(done.returncode, 0, done.stderr)
        run = self.facts(records, "worst_rank")[0]
        # Whatever a rank is kept waiting for in some beats, in none of them they would have to be nearer.
        self.assertGreater(run["skew_p99"], 0.2)
        clocks = self.facts(records, "ahead_rank")[0]
        self.assertLessEqual(abs(clocks["apart"] - 0.3), clocks["bound"] + READ)

    def test_a_host_without_a_sensor_gives_no_number_of_power(self):
        done, records = self.records(2, *SHORT)
        self.assertEqual(done.returncode, 0, done.stderr)
        has_power = self.facts(records, "power")[0]["power"]
        if has_power:
            self.skipTest("this machine shows its power")
        self.assertEqual([record["name"] for record in records
                          if record["kind"] == "metric" and "power" in record["name"]], [])
        self.assertNotIn("power", {record["parameters"].get("of") for record in records if record["kind"] == "metric"})

    def test_power_is_that_of_the_counters(self):
        with machine(self.folder / "machine", 100) as files:
            # A machine that lets nobody write for the last tenth of a second of a run has no power in it.
            for _ in range(6):
                done, records = self.records(2, "--frequencies", "0.5", "--seconds", "6", "--phases", "in-phase",
                                             "--kernel-files", files)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertTrue(self.facts(records, "power")[0]["power"])
                means = [facts["power_mean"] for facts in self.facts(records, "power_mean")]
                if means:
                    break
        self.assertTrue(50 < means[0] < 200, means)
        self.assertEqual(records[0]["fault_injected"], f"kernel-files:{files}")
        amplitudes = self.metrics(records, "swing.power_amplitude")
        self.assertEqual([metric["unit"] for metric in amplitudes], ["W"] * len(amplitudes))
        self.assertIn(1, {metric["parameters"]["harmonic"] for metric in amplitudes})
        # One host is in step with itself: that is no coherence.
        self.assertEqual([metric for metric in self.metrics(records, "swing.coherence")
                          if metric["parameters"]["of"] == "power"], [])
        said = " ".join(record["text"] for record in records if record["kind"] == "note")
        self.assertIn("thermal throttling counted on 1 of 1 hosts", said)
        self.assertIn("power limiting counted on 0 of 1 hosts", said)

    def test_what_comes_in_phase_alone_accuses_the_supply(self):
        done, records = self.records(2, "--frequencies", "5,10", "--seconds", "0.3", "--rounds", "2",
                                     "--plant", "throttle:1")
        self.assertEqual(done.returncode, 0, done.stderr)
        said = [record["text"] for record in records if record["kind"] == "note" and "event" in record["facts"]]
        throttled = [text for text in said if text.startswith("thermal throttling in phase only: in 4 of 4 runs")]
        self.assertEqual(len(throttled), 1, said)
        self.assertIn("suspect the power supply", throttled[0])

    def test_too_few_runs_accuse_nobody(self):
        done, records = self.records(2, *SHORT, "--plant", "throttle:1")
        self.assertEqual(done.returncode, 0, done.stderr)
        said = " ".join(record["text"] for record in records if record["kind"] == "note")
        self.assertIn("measure more --rounds", said)
        self.assertNotIn("suspect", said)

    def test_a_power_limit_stops_all_before_more_ranks_join(self):
        done, records = self.records(4, *SHORT, "--start-fraction", "0.25", "--stage-seconds", "1", "--plant",
                                     "power-limit:2")
        self.assertEqual(done.returncode, DEVICE, done.stderr)
        self.assertIn("stopped by power limiting", done.stderr)
        self.assertIn("1 of 4 ranks in phase", done.stderr)
        self.assertEqual([record["name"] for record in records if record["kind"] == "check"], ["swing.clocks"])
        phases = [record["name"] for record in records if record["kind"] == "phase"]
        self.assertEqual(phases, ["1 of 4 ranks in phase at 5 Hz"])

    def test_stages_and_a_ramp(self):
        done, records = self.records(4, *SHORT, "--start-fraction", "0.25", "--stage-seconds", "0.6", "--ramp", "0.2")
        self.assertEqual(done.returncode, 0, done.stderr)
        phases = [record["name"] for record in records if record["kind"] == "phase"]
        self.assertEqual(phases[:2], ["1 of 4 ranks in phase at 5 Hz", "2 of 4 ranks in phase at 5 Hz"])
        checks = {record["name"]: record for record in records if record["kind"] == "check"}
        self.assertTrue(checks["swing.stages"]["passed"] and checks["swing.ramp"]["passed"])
        self.assertEqual([metric["parameters"]["edge"] for metric in self.metrics(records, "swing.skew")
                          if metric["parameters"].get("ramp") == 0.2], ["rise", "fall"])

    def test_a_flipped_bit_is_named_with_rank_pulse_and_lane(self):
        done, records = self.records(2, *SHORT, "--inject", "bitflip:7:3")
        self.assertEqual(done.returncode, WRONG_ANSWER, done.stderr)
        wrong = [record for record in records if record["kind"] == "check" and not record["passed"]]
        self.assertEqual(wrong[0]["first_wrong"]["rank"], 0)
        self.assertEqual(wrong[0]["first_wrong"]["where"], "rank 0, pulse 1, lane 7")


if __name__ == "__main__":
    support.main()
