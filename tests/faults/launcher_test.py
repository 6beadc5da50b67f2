"""M: what the launcher and MPI can do to a run."""
import os
import signal
import time
import unittest

import faults
import support
from support import step

SINGLETON = support.BUILD / "tests" / "faults" / "singleton-host"


@unittest.skipUnless(support.HAS_MPIRUN, support.WITHOUT_MPIRUN)
class Launcher(faults.Case):
    def until_hanging(self):
        process = self.start_suite([step("ok"), step("hang", deadline="100 s")], ranks=2)
        self.wait_for(lambda: self.begun("hang") and self.children("fake-host"), seconds=60,
                      what="the hanging step")
        return process

    def benches_gone(self, began):
        while self.children("fake-host") and time.monotonic() < began + 30:
            time.sleep(0.02)
        return time.monotonic() - began

    def test_M04_a_killed_launcher_leaves_no_orphan(self):
        process = self.until_hanging()
        began = time.monotonic()
        process.send_signal(signal.SIGKILL)
        seconds = self.benches_gone(began)
        print(f"mpirun killed to no bench: {seconds:.3f} s")
        self.assertLess(seconds, 2)
        process.communicate(timeout=10)
        self.wait_for(lambda: self.report()["cells"], what="the report that the warden leaves")
        self.assertEqual(self.left_behind(10), [])
        self.rackproof("assemble", "out")
        report = self.check_readable()
        self.assertEqual(report["acceptance"], "incomplete")
        self.assertEqual(self.verdict(report, "ok")["outcome"], "unjudged")
        self.assertEqual({r["state"] for r in report["ranks"]}, {"lost"})

    def test_M05_a_crash_in_the_end_of_mpi_changes_nothing(self):
        calls = self.need_calls()
        table = self.write("table.json", support.platform(support.HOLDS))
        done = self.run_suite([step("ok")], "--platform", table, ranks=2,
                              launcher=("-x", f"LD_PRELOAD={calls}", "-x", "FAULTY_FINALIZE=1"))
        self.assertNotIn(done.returncode, (0, 2, 3, 4), "MPI_Finalize did not crash")
        self.assertIn("ACCEPTED", done.stdout)
        report = self.check_readable()
        self.assertEqual(report["acceptance"], "accepted")
        self.assertEqual(self.rackproof("show", "out", "--exit-code").returncode, 0)
        self.assertEqual(self.left_behind(10), [])

    def test_M06_a_bench_may_be_an_mpi_program(self):
        self.need(SINGLETON.exists(), "this build has no MPI")
        stage = faults.stage_of_its_own(self.folder, {"singleton-host": SINGLETON.read_bytes()})
        path = self.write("suite.json", support.suite([step("mpi", bench="singleton"), step("ok")]))
        done = faults.start(self, [*support.MPIRUN, "-n", 2, stage, "run", "--suite", path, "--out",
                                   "out"])
        self.assertEqual(done.returncode, 4, done.stderr)
        report = self.check_readable()
        self.assertEqual(self.verdict(report, "mpi")["outcome"], "unjudged", self.verdict(report, "mpi"))
        self.assertEqual(self.verdict(report, "ok")["outcome"], "unjudged")
        self.assertEqual({r["state"] for r in report["ranks"]}, {"finished"})

    def test_M07_any_number_of_ranks_measures_each_device_once(self):
        for ranks, devices in ((3, 4), (3, 2)):
            out = f"out{ranks}-{devices}"
            done = self.run_suite([step("ok", placement="device")], ranks=ranks, out=out,
                                  LD_LIBRARY_PATH=support.FAKE_NVML, FAKE_NVML=f"gpus={devices}")
            report = self.check_readable(out)
            attempts = [(a["subject"]["device"], a["rank"]) for a in report["attempts"]]
            self.assertEqual(sorted(attempts), [(f"GPU-node0-{d}", d % ranks) for d in range(devices)],
                             done.stderr)
            self.assertEqual([c["verdict"]["outcome"] for c in report["cells"]], ["unjudged"] * devices)

    def test_M09_doctor_says_why_the_launcher_will_not_start(self):
        disk = self.small_disk("tmp", 64)
        done = self.rackproof("doctor", TMPDIR=str(disk))
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertIn("PROBLEM tmp-too-small", done.stdout)
        self.assertIn("export TMPDIR=", done.stdout)
        failed = self.rackproof("doctor", TMPDIR=str(disk), ranks=2, timeout=60)
        self.assertNotEqual(failed.returncode, 0, "mpirun started from a full folder: it is no problem then")
        self.need(os.geteuid() == 0, "the rest of this test is about root")
        done = self.rackproof("doctor", OMPI_ALLOW_RUN_AS_ROOT="")
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertIn("PROBLEM mpi-root-refused", done.stdout)
        self.assertIn("OMPI_ALLOW_RUN_AS_ROOT=1", done.stdout)

    def test_M11_the_verdict_is_in_the_report_whatever_the_launcher_says(self):
        process = self.until_hanging()
        os.kill(self.journal_ranks()[1], signal.SIGKILL)
        process.communicate(timeout=60)
        self.assertNotEqual(process.returncode, 4, "the launcher passed the verdict on")
        self.assertEqual(self.left_behind(10), [])
        self.rackproof("assemble", "out")
        self.assertEqual(self.rackproof("show", "out", "--exit-code").returncode, 4)
        table = self.write("table.json", support.platform(support.HOLDS))
        self.run_suite([step("wrong-answer")], "--platform", table, ranks=2, out="wrong")
        self.assertEqual(self.rackproof("show", "wrong", "--exit-code").returncode, 3)


if __name__ == "__main__":
    support.main()
