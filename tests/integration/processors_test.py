"""No result of a test depends on the processor that it runs on: some of them again as if on others.

  processors_test.py                     played racks and the shipped suites, as if on each kind
  tests/support/as_processor.sh KIND ctest --test-dir build/ci -L integration     anything else, by hand"""
import os
import pathlib
import subprocess
import sys
import unittest

import racks
import support

HERE = pathlib.Path(__file__).resolve().parent
AS_PROCESSOR = HERE.parent / "support" / "as_processor.sh"
# Healthy, and with the most noise: the first to fail where a floor of the real machine comes in.
PLAYED = [["racks_test.py", "Hosts.test_hgx_h200_noisy"], ["suites_test.py"]]


@support.share
@unittest.skipUnless(racks.namespaces_work(), "this kernel gives no namespaces for files of their own")
class Processors(unittest.TestCase):
    """Each runs whole tests in a namespace where /proc and /sys tell of another processor."""

    def inventory(self, kind):
        done = subprocess.run([str(AS_PROCESSOR), kind, str(support.RACKPROOF), "inventory"], text=True,
                              capture_output=True, timeout=120, check=True, env=support.environment())
        return {words[0]: words[1] for words in map(str.split, done.stdout.splitlines()) if len(words) > 1}

    def play(self, kind):
        # Whose turn it is has been asked.
        env = {name: value for name, value in os.environ.items() if name != "RACKPROOF_SHARE"}
        for test, *names in PLAYED:
            done = subprocess.run([str(AS_PROCESSOR), kind, sys.executable, str(HERE / test), *names], text=True,
                                  capture_output=True, timeout=300, check=False, env=env)
            self.assertIn(done.returncode, (0, support.SKIPPED), done.stdout[-4000:] + done.stderr[-4000:])

    def test_a_processor_in_no_table(self):
        self.assertEqual(self.inventory("unknown")["cpu.peak_flops_fp64"], "not")
        self.play("unknown")

    def test_a_tenth_of_the_clock_and_ten_times(self):
        clocks = [float(self.inventory(kind)["cpu.max_clock_hertz"]) for kind in ("slow", "fast")]
        self.assertAlmostEqual(clocks[1] / clocks[0], 100, delta=1)
        self.play("slow")
        self.play("fast")

    def test_a_processor_that_a_shipped_table_is_about(self):
        self.assertEqual(self.inventory("cloud")["cpu.vendor"], "AuthenticAMD")
        self.play("cloud")

    def test_memory_in_two_domains(self):
        self.assertEqual(self.inventory("domains")["numa.count"], "2")
        self.play("domains")


if __name__ == "__main__":
    support.main()
